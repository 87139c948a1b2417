package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.ShardWriter;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedShardsTest {

  @TempDir private Path temporary;

  private Path saved() throws IOException {
    Path folder = temporary.resolve("seen.shards");
    ShardWriter<String> writer = Bloomery.strings().expect(100).fpp(1e-6).shards(4, folder);
    for (int i = 0; i < 4; i++) {
      int shard = i;
      writer.write(
          i,
          IntStream.range(0, 100)
              .mapToObj(key -> "key " + key)
              .filter(key -> writer.shardOf(key) == shard)
              .toList());
    }
    writer.finish();
    return folder;
  }

  @Test
  void checkAsksAllShardsAsOneFilter() throws IOException {
    Run run = Run.withInput("key 1\nno key\nkey 99\n", "check", saved());
    assertEquals("", run.err());
    assertEquals("key 1\nkey 99\n", run.out());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void infoDescribesTheWhole() throws IOException {
    Path folder = saved();
    Run run = Run.of("info", folder);
    assertEquals("", run.err());
    run.assertEnds(ExitCode.OK);
    assertTrue(run.out().contains("  expected keys    100\n"), run.out());
    assertTrue(run.out().contains("  layout           4 shards, in each: "), run.out());
    Map<String, Object> json = Run.of("info", "--json", folder).json();
    assertEquals(100.0, json.get("expectedKeys"));
    assertEquals(1e-6, json.get("targetRate"));
    assertEquals("standard", json.get("variant"));
  }

  @Test
  void mergeRefusesDifferentShards() throws IOException {
    Path folder = saved();
    Path merged = temporary.resolve("merged.bloom");
    Path[] shards = {folder.resolve("shard-00001.bloom"), folder.resolve("shard-00003.bloom")};
    for (String fold : List.of("", " --fold")) {
      Run run =
          Run.command("merge -o %s %s %s" + fold, merged, shards[0], shards[1])
              .assertEnds(ExitCode.USAGE, "shard 3/4 is not merged into shard 1/4, ");
      assertFalse(run.err().contains("add --fold"), run.err());
      assertFalse(Files.exists(merged));
    }
    Run.command("merge -o %s %s %s", merged, shards[0], shards[0]).assertEnds(ExitCode.OK);
  }

  @Test
  void verifyNamesTheShardThatIsDamagedLostOrForeign() throws IOException {
    Path folder = saved();
    Run sound = Run.of("verify", folder);
    assertEquals(folder + ": ok\n", sound.out());
    sound.assertEnds(ExitCode.OK);
    Path damaged = folder.resolve("shard-00001.bloom");
    byte[] bytes = Files.readAllBytes(damaged);
    bytes[200] ^= 1;
    Files.write(damaged, bytes);
    Path lost = folder.resolve("shard-00003.bloom");
    Files.delete(lost);
    Run run = Run.of("verify", folder).assertEnds(ExitCode.BAD_FILE);
    assertEquals(2, run.out().lines().count(), run.out());
    assertTrue(run.out().startsWith(damaged + ": bytes "), run.out());
    assertTrue(run.out().contains(lost + ": bytes 0 to "), run.out());
    assertTrue(run.out().contains("shard 3/4 must be in its folder, but is not"), run.out());
    Run.withInput("key 1\n", "check", folder)
        .assertEnds(ExitCode.BAD_FILE, "shard 3/4 must be in its folder");
  }

  @Test
  void aDamagedManifestIsNamed() throws IOException {
    Path folder = saved();
    Path manifest = folder.resolve("shards.manifest");
    byte[] bytes = Files.readAllBytes(manifest);
    bytes[50] ^= 1;
    Files.write(manifest, bytes);
    Run run = Run.of("verify", folder).assertEnds(ExitCode.BAD_FILE);
    assertEquals(folder + ": byte 0: manifest damaged: its checksum does not match\n", run.out());
    Run.withInput("key 1\n", "check", folder).assertEnds(ExitCode.BAD_FILE, "manifest damaged");
  }

  @Test
  void whatChangesFiltersRefusesAFolder() throws IOException {
    Path shards = saved();
    Path out = shards.resolveSibling("out");
    for (Run run :
        List.of(
            Run.withInput("key 1\n", "add", shards),
            Run.withInput("key 1\n", "remove", shards),
            Run.of("merge", "-o", out, shards),
            Run.of("plot", shards),
            Run.of("push", shards, "redis://localhost:1/0?filter=seen"))) {
      run.assertEnds(
          ExitCode.BAD_FILE, shards + ": is a folder of shards, which check, info and verify take");
    }
  }
}
