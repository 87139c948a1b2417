package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LayersTest {

  /** Authors' tools build on what users see, never the other way round. */
  @Test
  void whatUsersSeeImportsNoToolsOfAuthors() throws IOException {
    try (Stream<Path> paths = Files.list(Path.of("src/main/java/io/bloomery"))) {
      List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
      assertTrue(sources.size() > 10);
      for (Path source : sources) {
        assertEquals(
            List.of(),
            Files.readAllLines(source).stream()
                .filter(line -> line.matches("import .*\\.spi\\..*"))
                .toList(),
            source::toString);
      }
    }
  }
}
