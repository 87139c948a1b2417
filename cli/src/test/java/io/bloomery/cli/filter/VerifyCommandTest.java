package io.bloomery.cli.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VerifyCommandTest {

  /** As many of every byte, drawn; rule R37 tries every bit of files of each variant. */
  private static final int CHANGES = 24;

  @TempDir private Path folder;
  private Path good;
  private Path bad;

  @BeforeEach
  void create() {
    good = folder.resolve("good.bloom");
    bad = folder.resolve("bad.bloom");
    Run.piped("a\nb\n", "create -o %s --expected 2", good);
  }

  @Test
  void everyFileHasItsLine() throws IOException {
    Files.writeString(bad, "something else, longer than a prefix");
    Path missing = folder.resolve("missing");
    Run run = Run.command("verify %s %s %s %s %s", good, bad, missing, folder, good);
    assertEquals(
        good
            + ": ok\n"
            + bad
            + ": byte 0: not a Bloomery filter: it must start with 'BLOOMERY'; if another system"
            + " made it, say which, as in --format cassandra-4\n"
            + missing
            + ": no such file\n"
            + folder
            + ": is a directory, not a filter; name the files in it\n"
            + good
            + ": ok\n",
        run.out());
    run.assertEnds(ExitCode.BAD_FILE);
    assertEquals("", run.err());
  }

  @Test
  void quietlyOnlyWhatIsNotWholeHasALine() throws IOException {
    Files.writeString(bad, "");
    Run run = Run.of("verify", "-q", good, bad);
    assertEquals(bad + ": byte 0: not a Bloomery filter: it is empty\n", run.out());
    run.assertEnds(ExitCode.BAD_FILE);
  }

  @Test
  void goodFilesOfAnyKindOfKeyAreGood() throws IOException {
    Path longs = folder.resolve("longs.bloom");
    Bloomery.longs().expect(10).create().save(longs);
    Run run = Run.of("verify", good, longs);
    assertEquals(good + ": ok\n" + longs + ": ok\n", run.out());
    run.assertEnds(ExitCode.OK);
  }

  @Test
  void everyChangeOfOneByteIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(good);
    List<Object> arguments = new ArrayList<>(List.of("verify"));
    List<Path> files = new ArrayList<>();
    SplittableRandom random = new SplittableRandom(74);
    for (int i = 0; i < CHANGES; i++) {
      files.add(Files.write(folder.resolve("changed-" + i), bytes));
    }
    arguments.addAll(files);
    for (int at = 0; at < bytes.length; at++) {
      for (Path file : files) {
        write(file, at, bytes[at] ^ random.nextInt(1, 256));
      }
      Run run = Run.of(arguments.toArray()).assertEnds(ExitCode.BAD_FILE);
      List<String> lines = run.out().lines().toList();
      assertEquals(CHANGES, lines.size());
      for (String line : lines) {
        assertTrue(line.contains(": byte"), "byte " + at + " of " + line);
      }
      for (Path file : files) {
        write(file, at, bytes[at]);
      }
    }
    assertEquals(ExitCode.OK, Run.of(arguments.toArray()).exitCode(), "all are restored");
  }

  private static void write(Path path, int at, int value) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
      file.seek(at);
      file.write(value);
    }
  }

  @Test
  void everyTruncationIsFound() throws IOException {
    byte[] bytes = Files.readAllBytes(good);
    for (int length = 0; length < bytes.length; length++) {
      assertBad(Arrays.copyOf(bytes, length), "cut to " + length);
    }
  }

  @Test
  void bytesBehindTheEndAreFound() throws IOException {
    byte[] bytes = Files.readAllBytes(good);
    assertBad(Arrays.copyOf(bytes, bytes.length + 1), "one zero more");
    assertBad(Arrays.copyOf(bytes, bytes.length + 64), "a line of zeros more");
  }

  private void assertBad(byte[] content, String what) throws IOException {
    Files.write(bad, content);
    Run run = Run.of("verify", bad);
    assertEquals(ExitCode.BAD_FILE, run.exitCode(), what);
    assertTrue(run.out().startsWith(bad + ": byte"), what + ": " + run.out());
    assertEquals(1, run.out().lines().count(), what);
  }

  @Test
  void everyDamagedRegionHasItsLine() throws IOException {
    // 3.6 MiB of content after a header of 128 bytes.
    Run.piped("a\n", "create -o %s --expected 3000000", bad);
    long size = Files.size(bad);
    String damaged = ": content damaged: its checksum does not match\n";
    write(bad, 128, 255);
    write(bad, 128 + (2 << 20), 255);
    write(bad, 128 + (3 << 20), 255);
    long end = 128 + Bloomery.strings().expect(3_000_000).plan().sizeInBits() / 8;
    Run run = Run.of("verify", good, bad);
    assertEquals(
        good
            + ": ok\n"
            + bad
            + ": bytes 128 to 1048703"
            + damaged
            + bad
            + ": bytes 2097280 to "
            + (end - 1)
            + damaged,
        run.out());
    run.assertEnds(ExitCode.BAD_FILE);
    try (RandomAccessFile file = new RandomAccessFile(bad.toFile(), "rw")) {
      file.setLength(1_000);
    }
    assertEquals(
        bad
            + ": bytes 1000 to "
            + (size - 1)
            + ": missing: the file must have "
            + size
            + " bytes, but has 1000; without its end the content cannot be checked\n",
        Run.of("verify", bad).out());
  }

  @Test
  void programsReadTheRegionsAsJson() throws IOException {
    Files.write(bad, Arrays.copyOf(Files.readAllBytes(good), 150));
    Path missing = folder.resolve("missing");
    Run run =
        Run.command("verify --json %s %s %s", good, bad, missing).assertEnds(ExitCode.BAD_FILE);
    String text = run.out().replaceAll("\\s+", "");
    assertEquals(
        "[{'file':'%s','ok':true,'fault':null,'unchecked':null,'damage':[]},"
                .formatted(good)
                .replace('\'', '"')
            + "{'file':'%s','ok':false,'fault':null,'unchecked':null,'damage':[{'from':150,'to':%d,"
                .formatted(bad, Files.size(good))
                .replace('\'', '"'),
        text.substring(0, text.indexOf("\"reason\"")));
    assertTrue(
        text.endsWith(
            "{'file':'%s','ok':false,'fault':'nosuchfile','unchecked':null,'damage':[]}]"
                .formatted(missing)
                .replace('\'', '"')),
        text);
    Run.of("verify", "--json", good).assertEnds(ExitCode.OK);
  }

  @Test
  void contentOfAVariantThatIsNotInstalledIsSaidToBeUnchecked() throws IOException {
    Run run = verifyWithoutVariants("-q", good);
    String unchecked =
        ": undamaged, but its content was not checked: no provider for variant 'standard';"
            + " installed: none; ";
    assertTrue(run.out().startsWith(good + unchecked), run.out());
    assertEquals(1, run.out().lines().count());
    run.assertEnds(ExitCode.INCONCLUSIVE);
    run = verifyWithoutVariants("--json", good);
    String text = run.out().replaceAll("\\s+", "");
    assertTrue(text.contains("\"ok\":false,"), text);
    assertTrue(text.contains("\"unchecked\":\"noproviderforvariant"), text);
    byte[] bytes = Files.readAllBytes(good);
    bytes[bytes.length - 1] ^= 1;
    Files.write(bad, bytes);
    verifyWithoutVariants(bad, good).assertEnds(ExitCode.BAD_FILE);
    verifyWithoutVariants(bad).assertEnds(ExitCode.BAD_FILE);
  }

  private static Run verifyWithoutVariants(Object... arguments) {
    List<Object> all = new ArrayList<>(List.of("verify"));
    all.addAll(List.of(arguments));
    return Run.with(InputStream.nullInputStream(), Bloomery::with, all.toArray());
  }
}
