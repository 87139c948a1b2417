package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards as the reader in Python has them. */
class PythonShardsTest {

  private static final Path GOLDEN = Path.of("../docs/golden/shards-version-1");

  @TempDir private Path folder;

  @BeforeEach
  void python() throws InterruptedException {
    assumeTrue(PythonReader.isThere(), "there is no python3");
  }

  @Test
  void aReaderInAnotherLanguageFindsEveryKeyInItsShard() throws Exception {
    List<Object> arguments = new ArrayList<>(List.of(GOLDEN));
    StringBuilder found = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      arguments.add("key-" + i);
      found.append(i < 300 ? "key-" + i + "\n" : "");
    }
    assertEquals(found.toString(), output(arguments));
  }

  @Test
  void itNamesAShardThatIsLostOrExchanged() throws Exception {
    try (Stream<Path> files = Files.list(GOLDEN)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName().toString()));
      }
    }
    Path one = folder.resolve("shard-00001.bloom");
    Files.copy(folder.resolve("shard-00002.bloom"), one, StandardCopyOption.REPLACE_EXISTING);
    assertEquals(
        "bloomery.py: shard-00001.bloom must be the file that the manifest names\n",
        output(List.of(folder, "key-1")));
    Files.delete(one);
    String lost = output(List.of(folder, "key-1"));
    assertTrue(lost.contains("shard-00001.bloom"), lost);
  }

  private static String output(List<?> arguments) throws IOException, InterruptedException {
    Process python = PythonReader.start("check", arguments);
    String output = PythonReader.output(python);
    python.waitFor();
    return output;
  }
}
