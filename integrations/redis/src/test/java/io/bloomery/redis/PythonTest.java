package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether somebody who knows {@code docs/redis.md} alone reads the same filter. */
class PythonTest {

  private static final Path SCRIPT = Path.of("../../examples/python/bloomery_redis.py");

  @TempDir private Path folder;

  private static String run(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("python3", SCRIPT.toString()));
    command.addAll(arguments);
    Process python;
    try {
      python = new ProcessBuilder(command).redirectErrorStream(true).start();
    } catch (IOException e) {
      throw Servers.aborted("the reader in Python needs python3: " + e.getMessage());
    }
    String output = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    python.waitFor();
    return output;
  }

  @ParameterizedTest
  @CsvSource({"standard, 0.01, 1", "blocked, 0.01, 1", "blocked, 0.01, 7", "blocked, 0.001, 7"})
  void aReaderInPythonAgreesOnKeysAndBytes(String variant, double fpp, int chunks)
      throws IOException, InterruptedException {
    RedisServer server = Servers.shared(RedisServer.Release.SIX);
    String address = "127.0.0.1:" + server.port();
    String name = "python-" + variant + fpp + chunks;
    RedisLink link = JEDIS.shared(RedisServer.Release.SIX);
    BloomFilter<String> filter =
        BloomFilter.of(
            RedisFilters.of(link, RedisOptions.defaults().chunks(chunks))
                .create(name, Bloomery.strings().expect(200).fpp(fpp).variant(variant).plan()),
            KeyHasher.strings());
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      keys.add("key" + i);
    }
    filter.putAll(keys.subList(0, 200));
    List<String> check = new ArrayList<>(List.of("check", address, name));
    check.addAll(keys);
    assertEquals(filter.select(keys), run(check).lines().toList());
    Path here = folder.resolve("here");
    Path there = folder.resolve("there");
    filter.save(here);
    assertEquals("", run(List.of("export", address, name, there.toString())));
    assertEquals(-1, Files.mismatch(here, there));
    ((RedisFilter) filter.filter()).seal(); // the chunks say so, and nothing else does
    assertEquals("", run(List.of("export", address, name, there.toString())));
    assertEquals(-1, Files.mismatch(here, there));
    server.command("HSET", "bloomery:{" + name + "}", "generation", "0", "next", "1");
    String early = run(List.of("export", address, name, there.toString()));
    assertTrue(early.contains("is not there yet"), early);
    server.command("HSET", "bloomery:{" + name + "}", "generation", "1");
    server.command("DEL", "bloomery:{" + name + "/0}");
    String refused = run(List.of("export", address, name, there.toString()));
    assertTrue(refused.contains("bloomery:{" + name + "/0} is missing"), refused);
  }
}
