package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class IsolatedLoaderTest {

  private static final String CLASS_PATH = "java.class.path";

  @Test
  void twoSubjectsShareNoClassButThoseOfTheContest() throws Exception {
    try (IsolatedLoader one = new IsolatedLoader(false, Optional.empty());
        IsolatedLoader other = new IsolatedLoader(false, Optional.empty())) {
      for (String name :
          new String[] {
            "io.bloomery.benchmarks.contender.LongContender",
            "io.bloomery.benchmarks.contender.GuavaLongs",
            "com.google.common.hash.BloomFilter",
            "io.bloomery.standard.StandardProvider",
            "io.bloomery.filter.Filter"
          }) {
        assertNotSame(one.loadClass(name), other.loadClass(name), name);
        assertNotSame(one.loadClass(name), Class.forName(name), name);
      }
      assertSame(Contender.class, one.loadClass(Contender.class.getName()));
    }
  }

  @Test
  void vectorsAreSeenByThoseOnlyWhoAreToSeeThem(@TempDir Path folder) throws IOException {
    String resource = "io/bloomery/vector/here.txt";
    Path file = folder.resolve(resource);
    Files.createDirectories(file.getParent());
    Files.writeString(file, "");
    String before = System.getProperty(CLASS_PATH);
    System.setProperty(CLASS_PATH, before + File.pathSeparator + folder);
    try (IsolatedLoader with = new IsolatedLoader(true, Optional.empty());
        IsolatedLoader without = new IsolatedLoader(false, Optional.empty())) {
      URL seen = with.getResource(resource);
      assertNotNull(seen);
      assertNull(without.getResource(resource));
    } finally {
      System.setProperty(CLASS_PATH, before);
    }
  }
}
