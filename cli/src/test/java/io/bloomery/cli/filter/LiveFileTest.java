package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.FilterProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands say of live files that are open, were left open, and are sealed. */
class LiveFileTest {

  @TempDir private Path folder;
  private Path open;
  private Path left;
  private LiveBloomFilter<String> filter;

  @BeforeEach
  void create() throws IOException {
    open = folder.resolve("open.bloom");
    left = folder.resolve("left.bloom");
    filter = Bloomery.strings().expect(1_000).openOrCreate(open);
    filter.put("a");
    Files.copy(open, left);
  }

  @AfterEach
  void close() throws IOException {
    filter.close();
  }

  @Test
  void verifySaysThatAFileIsOpenAndSealsOneThatWasLeftSo() throws IOException {
    for (Path file : List.of(open, left)) {
      Run run = Run.of("verify", file);
      assertTrue(run.out().startsWith(file + ": open for writing since "), run.out());
      run.assertEnds(ExitCode.OPEN);
      String json = Run.of("verify", "--json", file).out();
      assertTrue(json.matches("(?s).*\"openSince\"\\s*:\\s*\"20.*"), json);
    }
    Run refused = Run.of("verify", "--seal", open);
    assertTrue(refused.out().contains("open for writing by process "), refused.out());
    refused.assertEnds(ExitCode.BAD_FILE);
    Run sealed = Run.of("verify", "--seal", left);
    assertEquals(left + ": ok\n", sealed.out());
    sealed.assertEnds(ExitCode.OK);
    Run.of("verify", left).assertEnds(ExitCode.OK);
    filter.close();
    Run.of("verify", "--seal", open, left).assertEnds(ExitCode.OK);
  }

  @Test
  void infoTellsTheState() throws IOException {
    Run run = Run.of("info", open);
    assertTrue(run.out().contains("open for writing since "), run.out());
    assertTrue(run.out().contains("not made yet"), run.out());
    filter.close();
    Run closed = Run.of("info", open);
    assertTrue(closed.out().matches("(?s).*live file +sealed\\n.*"), closed.out());
  }

  @Test
  void checkAsksAFileThatIsOpen() {
    Run run = Run.piped("a\nb\n", "check %s", open);
    assertEquals("a\n", run.out());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void whatWouldReplaceAnOpenFileIsRefusedByName() throws IOException {
    Path other = folder.resolve("other.bloom");
    Run.piped("b\n", "create -o %s --expected 1000", other);
    Path foreign = folder.resolve("foreign");
    Run.piped("b\n", "create --format cassandra-3 --encoding utf-8 --expected 9 -o %s", foreign)
        .assertEnds(ExitCode.OK);
    byte[] before = Files.readAllBytes(open);
    for (Run run :
        List.of(
            Run.piped("b\n", "create -o %s --force --expected 1000", open),
            Run.piped("b\n", "add --wait 0 %s", open),
            Run.of("shrink", "--wait", 0, open),
            Run.piped("b\n", "remove --wait 0 %s", open),
            Run.piped("b\n", "dedupe --wait 0 --state %s", open),
            Run.piped(
                "b\n", "create --format guava --encoding utf-8 --force --expected 9 -o %s", open),
            Run.command(
                "convert --force --format cassandra-3 --to cassandra-4 -o %s %s", open, foreign),
            Run.of("merge", "--force", "-o", open, other, other))) {
      run.assertEnds(ExitCode.BAD_FILE, open.toString(), "open for writing ");
    }
    assertArrayEquals(before, Files.readAllBytes(open));
  }

  @Test
  void noPictureReplacesAnOpenFile() throws IOException {
    Path picture = folder.resolve("open.svg");
    try (LiveBloomFilter<String> live = Bloomery.strings().expect(1_000).openOrCreate(picture)) {
      byte[] before = Files.readAllBytes(picture);
      Run.of("plot", "--keys", "1M", "--force", "-o", picture)
          .assertEnds(ExitCode.BAD_FILE, picture + ": ", "open for writing ");
      assertArrayEquals(before, Files.readAllBytes(picture));
      assertTrue(live.put("b"));
    }
  }

  @Test
  void aSealedFileIsASourceOfMerge() throws IOException {
    filter.close();
    byte[] before = Files.readAllBytes(open);
    Path other = folder.resolve("other.bloom");
    Run.of("shrink", open).assertEnds(ExitCode.BAD_FILE, "bloomery merge -o NEW FILE");
    Run.of("merge", "-o", other, open).assertEnds(ExitCode.OK);
    assertEquals("a\n", Run.piped("a\nb\n", "check %s", other).out());
    assertTrue(Bloomery.strings().open(other).mightContain("a"));
    assertArrayEquals(before, Files.readAllBytes(open));
  }

  @Test
  void addChangesASealedFileInPlace() throws IOException {
    filter.close();
    Object key = key(open);
    Run add = Run.piped("a\nb\n", "add --json %s", open).assertEnds(ExitCode.OK);
    assertTrue(add.out().matches("(?s).*\"lines\" *: *2,\\s*\"new\" *: *1,.*"), add.out());
    assertEquals(key, key(open));
    assertEquals("a\nb\n", Run.piped("a\nb\nc\n", "check %s", open).out());
    Run.of("verify", open).assertEnds(ExitCode.OK);
    Run.piped("63\n64\nx\n", "add --hex %s", open).assertEnds(ExitCode.USAGE);
    Run.of("verify", open).assertEnds(ExitCode.OK);
  }

  @Test
  void createMakesALiveFileEmptyOrOfLinesOrNone() throws IOException {
    Path made = folder.resolve("made.bloom");
    for (String options : List.of("--force", "-o -", "--variant fuse", "--fpp 2")) {
      Run run = Run.piped("a\n", "create --live --expected 10 -o %s " + options, made);
      assertEquals(ExitCode.USAGE, run.exitCode(), options + run.err());
    }
    assertTrue(Run.piped("a\n", "create --live -o %s", made).err().contains("--expected"));
    Run.piped("61\nx\n", "create --live --hex --expected 10 -o %s", made)
        .assertEnds(ExitCode.BAD_FILE);
    assertFalse(Files.exists(made));
    for (FilterProvider provider : Bloomery.installed().providers().all()) {
      String variant = provider.variant();
      if (!Capability.LIVING.isOfferedBy(provider)) {
        Run run = Run.of("create", "--live", "--expected", 10, "--variant", variant, "-o", made);
        assertEquals(ExitCode.USAGE, run.exitCode(), variant + run.err());
        assertFalse(Files.exists(made));
        continue;
      }
      for (String lines : List.of("", "a\n")) {
        Path file = folder.resolve(variant + lines.length());
        Run run =
            Run.piped(lines, "create --live --trim --expected 10 --variant %s -o %s", variant, file)
                .assertEnds(ExitCode.OK);
        assertEquals(1, run.err().lines().count(), run::err);
        assertTrue(Run.of("info", file).out().contains("sealed"));
        Run.piped(" b \n", "add %s", file).assertEnds(ExitCode.OK);
        assertEquals(lines + "b\n", Run.piped("a\nb\nc\n", "check %s", file).out());
        Run again = Run.piped("a\n", "create --live --expected 10 -o %s", file);
        assertTrue(again.err().contains("exists"), again.err());
      }
    }
  }

  private static Object key(Path file) throws IOException {
    return Files.readAttributes(file, BasicFileAttributes.class).fileKey();
  }
}
