package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayersTest {

  /**
   * What our modules share is the lowest layer; above it lie hashing and the contract of filters,
   * then files and authors' tools, then what users see.
   */
  @ParameterizedTest
  @CsvSource({
    "., 8, import (static )?io\\.bloomery\\.spi\\..*",
    "file, 12, import (static )?io\\.bloomery\\.(?!internal\\.|hash\\.|filter\\.|file\\.).*",
    "spi, 5, import (static )?io\\.bloomery\\.(?!internal\\.|filter\\.|spi\\.).*",
    "filter, 15, import (static )?io\\.bloomery\\.(?!internal\\.).*",
    "hash, 12, import (static )?io\\.bloomery\\.(?!internal\\.).*",
    "internal, 5, import (static )?io\\.bloomery\\.(?!internal\\.).*",
    "internal/file, 8, import (static )?io\\.bloomery\\..*"
  })
  void noPackageImportsOneAboveIt(String folder, int sourcesAtLeast, String refused)
      throws IOException {
    try (Stream<Path> paths = Files.list(Path.of("src/main/java/io/bloomery", folder))) {
      List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
      assertTrue(sources.size() >= sourcesAtLeast);
      for (Path source : sources) {
        assertEquals(
            List.of(),
            Files.readAllLines(source).stream().filter(line -> line.matches(refused)).toList(),
            source::toString);
      }
    }
  }
}
