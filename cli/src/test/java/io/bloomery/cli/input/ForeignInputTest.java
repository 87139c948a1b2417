package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.bloomery.cli.Gzip;
import io.bloomery.cli.Run;
import io.bloomery.cli.Shell;
import io.bloomery.cli.session.ExitCode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that input other than lines of text is rejected with the pipe that converts it. */
class ForeignInputTest {

  @TempDir private Path folder;
  private Path filter;

  @BeforeEach
  void nameFilter() {
    filter = folder.resolve("made.bloom");
  }

  private static Run create(byte[] input, Object... more) {
    return Run.reading(new ByteArrayInputStream(input), "create", more);
  }

  private void assertRefused(byte[] bytes, String what, String ofFile, String inPipe)
      throws IOException {
    Path file = Files.write(folder.resolve("in put"), bytes);
    Run.assertFails(
        ExitCode.BAD_FILE,
        file
            + ": "
            + what
            + "; use '"
            + ofFile.replace("FILE", "'" + file + "'")
            + " | bloomery ... -'",
        create(new byte[0], "-o", filter, file));
    assertFalse(Files.exists(filter));
    Run pipe = create(bytes, "-o", filter);
    assertEquals(
        "bloomery: the standard input: "
            + what
            + (inPipe == null
                ? "; write it into a file, and use '" + ofFile + " | bloomery ... -'\n"
                : "; pipe it through '" + inPipe + "' first\n"),
        pipe.err());
    pipe.assertEnds(ExitCode.BAD_FILE);
    assertFalse(Files.exists(filter));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "fd377a585a000004 | xz       | xz -dc FILE                 | xz -dc",
        "28b52ffd0458     | zstd     | zstd -dc FILE               | zstd -dc",
        "425a6839314159265359aa | bzip2 | bzip2 -dc FILE           | bzip2 -dc",
        "425a683117724538509000000000 | bzip2 | bzip2 -dc FILE     | bzip2 -dc",
        "04224d186440a7   | lz4      | lz4 -dc FILE                | lz4 -dc",
        "4c5a495001       | lzip     | lzip -dc FILE               | lzip -dc",
        "894c5a4f000d0a1a0a10 | lzop | lzop -dc FILE               | lzop -dc",
        "5d00008000ffffffffffffffff00 | lzma | xz -dc --format=lzma FILE | xz -dc --format=lzma",
        "1f9d9061         | compress | gzip -dc FILE               | gzip -dc",
        "504b03041400     | zip      | unzip -p FILE               |",
        "504b050600000000 | zip      | unzip -p FILE               |",
        "377abcaf271c0004 | 7-Zip    | 7z x -so FILE               |",
      })
  void whatIsCompressedOtherwiseIsKnownByItsBytes(
      String hex, String tool, String ofFile, String inPipe) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(hex);
    assertRefused(bytes, "is compressed by " + tool, ofFile, inPipe);
    // Every one of these bytes is needed: an input with only the first of them is a line.
    for (int length = 1; length < Math.min(bytes.length, 4); length++) {
      byte[] start = new byte[length];
      System.arraycopy(bytes, 0, start, 0, length);
      if (!(tool.equals("compress") && length >= 2)) {
        create(start, "--force", "--expected=9", "-o", filter).assertEnds(ExitCode.OK);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"BZh9 is a word\n", "BZh\n", "PK\n", "7z x it\n", "LZIP\n", "(\n", "]\n"})
  void linesThatBeginLikeOneAreLines(String input) {
    create(input.getBytes(StandardCharsets.US_ASCII), "--expected=9", "-o", filter)
        .assertEnds(ExitCode.OK);
    assertEquals(input, Run.withInput(input, "check", filter).out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UTF-16LE | UTF-16LE | iron,fire,",
        "UTF-16BE | UTF-16BE | iron,fire,",
        "UTF-16LE | UTF-16LE | a,",
        "UTF-32LE | UTF-32LE | iron,fire,",
        "UTF-32BE | UTF-32BE | iron,fire,",
        "UTF-16LE | UTF-16   | \ufeffiron,",
        "UTF-16BE | UTF-16   | \ufeffiron,",
        "UTF-16LE | UTF-16   | \ufeff\u9244,",
        "UTF-16LE | UTF-16   | \ufeff",
        "UTF-32LE | UTF-32   | \ufeffiron,",
        "UTF-32BE | UTF-32   | \ufeffiron,",
      })
  void charactersOfTwoOrFourBytesAreRefused(String written, String encoding, String text)
      throws IOException {
    byte[] bytes = text.strip().replace(",", "\n").getBytes(Charset.forName(written));
    String command = "iconv -f " + encoding + " -t UTF-8";
    assertRefused(bytes, "is " + encoding + " and must be UTF-8", command + " FILE", command);
    assertRefused(
        Gzip.of(bytes),
        "is " + encoding + " and must be UTF-8",
        "gzip -dc FILE | " + command,
        "gzip -dc | " + command);
    Run table = create(bytes, "--csv=1", "--expected=9", "-o", filter);
    assertEquals(ExitCode.BAD_FILE, table.exitCode(), "of a table as well");
    Run nuls = create(bytes, "-0", "--expected=9", "-o", filter);
    assertEquals(ExitCode.OK, nuls.exitCode(), "between NULs may be anything: " + nuls.err());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"\0\n", "a\0\n", "a\0", "\0a", "\n", "\n\0", "a\0b\n", "\0\0\0\n", "\377\n\376"})
  void aZeroOrTwoMakeNoOtherEncoding(String input) {
    byte[] bytes = input.getBytes(StandardCharsets.ISO_8859_1);
    create(bytes, "--expected=9", "-o", filter).assertEnds(ExitCode.OK);
  }

  @ParameterizedTest
  @ValueSource(strings = {"iron\rfire\r", "iron\rfire", "iron\r", "\r"})
  void linesThatEndWithNothingButReturnsAreRefused(String input) throws IOException {
    byte[] bytes = input.getBytes(StandardCharsets.US_ASCII);
    String what = "has no LF, but CR, as if its lines ended with that";
    assertRefused(bytes, what, "tr '\\r' '\\n' <FILE", "tr '\\r' '\\n'");
    assertRefused(
        Gzip.of(bytes), what, "gzip -dc FILE | tr '\\r' '\\n'", "gzip -dc | tr '\\r' '\\n'");
    Run table = create(input.replace("\r", "\t\r").getBytes(StandardCharsets.US_ASCII), "--tsv=1");
    assertEquals(ExitCode.USAGE, table.exitCode(), "an output is needed");
    assertRefusedIn("dedupe", bytes);
    assertRefusedIn("dedupe --tsv 1", bytes);
    assertRefusedIn("dedupe --trim", bytes);
    create(bytes, "-0", "--expected=9", "-o", filter).assertEnds(ExitCode.OK);
    // In CSV, records may end like this.
    assertEquals("iron\rfire\r", Run.withInput("iron\rfire\r", "dedupe", "--csv=1").out());
  }

  private static void assertRefusedIn(String command, byte[] bytes) {
    Run run = Run.reading(new ByteArrayInputStream(bytes), (Object[]) command.split(" "));
    assertEquals("", run.out());
    assertTrue(run.err().startsWith("bloomery: the standard input: has no LF, but CR"), run.err());
    run.assertEnds(ExitCode.BAD_FILE);
  }

  @Test
  void manyReturnsAreFoundBeforeTheyFillTheMemory() throws IOException {
    byte[] input = "some line or other\r".repeat(50_000).getBytes(StandardCharsets.US_ASCII);
    assertRefusedIn("dedupe --max-line 100000", input);
    assertRefusedIn("dedupe --max-line 200000", input);
    Path file = Files.write(folder.resolve("returns"), input);
    Run run = create(new byte[0], "--max-line=200000", "-o", filter, file);
    assertTrue(run.err().contains(": has no LF, but CR, "), run.err());
  }

  @Test
  void aReturnBesideLineFeedsBelongsToItsLine() {
    assertEquals("a\rb\nc\r", Run.withInput("a\rb\nc\r", "dedupe").out());
  }

  @Test
  void gzipWithinGzipIsRefused() throws IOException {
    assertRefused(
        Gzip.of(Gzip.of(new byte[] {'a', '\n'})),
        "is compressed by gzip once more",
        "gzip -dc FILE | gzip -dc",
        "gzip -dc | gzip -dc");
    byte[] xz = HexFormat.of().parseHex("fd377a585a000004");
    assertRefused(
        Gzip.of(xz), "is compressed by xz", "gzip -dc FILE | xz -dc", "gzip -dc | xz -dc");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "create --force -o | join filters with 'bloomery merge', as in 'bloomery merge -o FILE ONE"
            + " OTHER'",
        "add               | join filters with 'bloomery merge', as in 'bloomery merge --force -o"
            + " FILE FILE OTHER'",
        "check             | name the lines that it was made of",
        "remove            | name the lines that it was made of"
      })
  void aFilterInPlaceOfLinesIsRefusedBeforeAnythingChanges(String command, String next)
      throws IOException {
    Run.piped("a\n", "create -o %s --variant=counting --expected=9", filter);
    byte[] before = Files.readAllBytes(filter);
    Path lines = Files.writeString(folder.resolve("lines"), "a\nb\n");
    Path plain = Files.write(folder.resolve("plain.bloom"), before);
    Path packed = Files.write(folder.resolve("packed.gz"), Gzip.of(before));
    List<Object> arguments = new ArrayList<>(List.of((Object[]) command.split(" ")));
    arguments.add(filter);
    for (Path other : List.of(plain, packed)) {
      List<Object> named = new ArrayList<>(arguments);
      named.addAll(List.of(lines, other));
      assertIsNoLines(other.toString(), next, Run.of(named.toArray()));
      assertArrayEquals(before, Files.readAllBytes(filter));
    }
    for (byte[] piped : List.of(before, Gzip.of(before))) {
      Run run = Run.reading(new ByteArrayInputStream(piped), arguments.toArray());
      assertIsNoLines("the standard input", next, run);
      assertArrayEquals(before, Files.readAllBytes(filter));
    }
  }

  private static void assertIsNoLines(String name, String next, Run run) {
    assertEquals("bloomery: " + name + ": is a filter, and not lines; " + next + "\n", run.err());
    run.assertEnds(ExitCode.BAD_FILE);
  }

  @Test
  void aFilterIsNotDeduplicatedButItsBytesAreLinesForWhoeverSaysSo() throws IOException {
    Run.piped("a\n", "create -o %s --expected=9", filter);
    Run refused = Run.of("dedupe", filter);
    assertIsNoLines(filter.toString(), "name the lines that it was made of", refused);
    assertEquals("", refused.out());
    Run stated = Run.of("dedupe", "--lines", "--quiet", filter).assertEnds(ExitCode.OK);
    assertEquals(new String(Files.readAllBytes(filter), StandardCharsets.ISO_8859_1), stated.out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"BLOOMERY\n", "BLOOMERY", "BLOOMERY\r\nfire\n", "BLOOMERY \n", "BLOOM\n"})
  void theWordBloomeryIsALine(String input) {
    create(input.getBytes(StandardCharsets.US_ASCII), "--expected=9", "-o", filter)
        .assertEnds(ExitCode.OK);
  }

  /** A stream that returns one byte at a time, and counts them. */
  private static final class Slow extends InputStream {
    private final byte[] bytes;
    private int read;

    Slow(String text) {
      bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    }

    @Override
    public int read() {
      throw new AssertionError("single bytes must not be read");
    }

    @Override
    public int read(byte[] into, int from, int length) {
      if (read == bytes.length) {
        return -1;
      }
      into[from] = bytes[read++];
      return 1;
    }
  }

  @ParameterizedTest
  @CsvSource({"'iron\n', 2", "'a\n', 2", "'\nx', 1", "'BZh9\n', 5", "'B\n', 2", "'PK\n', 3"})
  void nobodyWaitsForMoreBytesThanTell(String text, int needed) throws IOException {
    Slow slow = new Slow(text);
    PeekingInput in = new PeekingInput(slow);
    assertTrue(Foreign.compression(in).isEmpty());
    assertTrue(Foreign.encoding(in).isEmpty());
    assertTrue(slow.read <= needed, slow.read + " bytes");
  }

  @Test
  void anEndIsAskedForOnce() throws IOException {
    int[] asked = {0};
    InputStream terminal =
        new InputStream() {
          @Override
          public int read() {
            asked[0]++;
            return -1;
          }

          @Override
          public int read(byte[] into, int from, int length) {
            asked[0]++;
            return -1;
          }
        };
    PeekingInput in = new PeekingInput(terminal);
    assertTrue(Foreign.compression(in).isEmpty());
    assertTrue(Foreign.encoding(in).isEmpty());
    assertEquals(-1, in.read(new byte[9]));
    assertEquals(1, asked[0]);
  }

  /** The pipe undoes what a tool on this machine did. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "xz -k w",
        "xz -k --format=lzma w",
        "zstd -q w",
        "bzip2 -k w",
        "lz4 -q w w.lz4",
        "zip -q w.zip w",
        "iconv -f UTF-8 -t UTF-16 w >w.16",
        "iconv -f UTF-8 -t UTF-16BE w >w.16",
        "iconv -f UTF-8 -t UTF-32LE w >w.32",
        "tr '\\n' '\\r' <w >w.mac",
        "tr '\\n' '\\r' <w | gzip >w.mac",
        "gzip -c w | gzip >w.twice",
      })
  void thePipeThatIsNamedMakesLinesOfWhatIsNone(String tool) throws Exception {
    Shell shell = new Shell(folder);
    assumeTrue(shell.run("command -v " + tool.split(" ", -1)[0]).exitCode() == 0, "no such tool");
    Run made = shell.run("seq 7 2 27 >w && cp w plain && " + tool + " && mv w.* 'it is'");
    assertEquals("", made.err());
    Path plain = folder.resolve("plain");
    Path packed = folder.resolve("it is");
    for (Run refused :
        List.of(
            Run.of("create", "-o", filter, packed),
            create(Files.readAllBytes(packed), "-o", filter))) {
      refused.assertEnds(ExitCode.BAD_FILE);
      Matcher pipe = Pattern.compile("; pipe it through '(.*)' first\n").matcher(refused.err());
      Matcher file =
          Pattern.compile("use '(.*) \\| bloomery \\.\\.\\. -'\n").matcher(refused.err());
      boolean inPipe = pipe.find();
      assertTrue(inPipe || file.find(), refused.err());
      String command =
          inPipe ? "<'it is' " + pipe.group(1) : file.group(1).replace("FILE", "'it is'");
      assertEquals(Files.readString(plain), shell.run(command).out(), command);
    }
  }
}
