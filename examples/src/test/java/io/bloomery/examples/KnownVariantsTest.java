package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Checks that messages about a variant that is not installed name the right jar and module. */
class KnownVariantsTest {

  @Test
  void everyVariantIsWhereTheMessageSays() throws IOException {
    Properties places = new Properties();
    try (InputStream in = FilterProvider.class.getResourceAsStream("variants.properties")) {
      places.load(in);
    }
    Set<String> installed = new TreeSet<>(Bloomery.installed().providers().variants());
    assertEquals(installed, new TreeSet<>(places.stringPropertyNames()));
    for (String variant : installed) {
      VariantProvider provider = Bloomery.installed().providers().variant(variant);
      String[] place = places.getProperty(variant).split(" ", -1);
      assertEquals(provider.getClass().getName(), place[2]);
      Path folder = Path.of("..", place[0].replace("bloomery-", ""));
      String pom = Files.readString(folder.resolve("pom.xml"));
      assertTrue(pom.contains("<artifactId>" + place[0] + "</artifactId>"), pom);
      String module = Files.readString(folder.resolve("src/main/java/module-info.java"));
      assertTrue(module.contains("module " + place[1] + " {"), module);
      assertTrue(module.contains(place[2]), module);
    }
  }
}
