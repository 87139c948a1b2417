package io.bloomery.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor.Provides;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class StandardModuleTest {

  /** One list is read on the class path, the other on the module path. */
  @Test
  void bothListsOfProvidersAgree() throws IOException {
    Module module = StandardProvider.class.getModule();
    assertTrue(module.isNamed());
    List<String> provided =
        module.getDescriptor().provides().stream()
            .filter(provides -> provides.service().equals(FilterProvider.class.getName()))
            .map(Provides::providers)
            .findFirst()
            .orElseThrow();
    String name = "META-INF/services/" + FilterProvider.class.getName();
    try (InputStream in = module.getResourceAsStream(name)) {
      String listed = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(provided, listed.lines().toList());
    }
  }

  @Test
  void theFilterIsFoundByItsName() {
    assertEquals(List.of("standard"), Bloomery.installed().providers().variants());
    BloomFilter<String> filter = Bloomery.strings().expect(100).create();
    assertEquals("standard", filter.filter().variant());
    assertTrue(filter.put("a") && filter.mightContain("a"));
  }
}
