package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Gzip;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.OpenOptions;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks tables, gzip, NULs, and keys other than the whole line. */
class InputOptionsTest {

  private static final String TABLE =
      """
      id,name,email\r
      1,"Lovelace, Ada",Ada@example.org\r
      2,"two
      lines",two@example.org\r
      3,Nobody,none@example.org\r
      """;

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("made.bloom");
  }

  private Path write(String name, byte[]... parts) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      bytes.writeBytes(part);
    }
    return Files.write(folder.resolve(name), bytes.toByteArray());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] gzip(String text) throws IOException {
    return Gzip.of(bytes(text));
  }

  /**
   * Creates a filter whose rate is so low that none of the few absent keys here is a false
   * positive.
   */
  private void create(String keys, Object... options) {
    Run.withInput(keys, "create", "--expected", 9, "--fpp=1e-9", "-o", file, options)
        .assertEnds(ExitCode.OK);
  }

  @Test
  void gzipIsKnownByItsBytesWhateverItsName() throws IOException {
    Path members = write("words.txt", gzip("iron\nblo"), gzip("om\r\n"), gzip("last"));
    Run run = Run.of("create", "-o", file, members);
    assertEquals("bloomery: " + file + ": 3 lines added, at least 3 new\n", run.err());
    Path plain = write("plain.gz", bytes("iron\nbloom\nlast\nfire\n"));
    assertEquals("iron\nbloom\nlast\n", Run.of("check", file, plain).out());
    String piped = new String(gzip("iron\n"), StandardCharsets.ISO_8859_1);
    assertEquals("iron\n", Run.withInput(piped, "check", file, "-").out());
  }

  @Test
  void gzipThatEndsTooEarlyIsNamedAndNothingIsSaved() throws IOException {
    byte[] whole = gzip("iron\nbloom\n");
    Path cut = write("cut.gz", Arrays.copyOf(whole, whole.length - 1));
    Run.assertFails(
        ExitCode.BAD_FILE,
        cut
            + ": is gzip that ends too early, after "
            + (whole.length - 1)
            + " bytes; get the whole of it again",
        Run.command("create --expected 9 -o %s %s", file, cut));
    assertFalse(Files.exists(file));
  }

  @Test
  void aByteOrderMarkBelongsToNoLine() throws IOException {
    Path marked = write("marked", bytes("\ufeffiron\n\ufeffbloom\n"));
    Path packed = write("packed", gzip("\ufefffire\n"));
    Run.command("create --fpp=1e-9 -o %s %s %s", file, marked, packed).assertEnds(ExitCode.OK);
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertTrue(filter.mightContain("iron") && filter.mightContain("fire"));
    assertTrue(filter.mightContain("\ufeffbloom"), "inside, it is a character as any other");
    assertEquals("iron\n", Run.withInput("iron\n", "check", file).out());
    assertEquals("iron\n", Run.of("check", file, write("one", bytes("\ufeffiron"))).out());
  }

  @Test
  void aColumnOfATableIsTheKeyAndTheRecordIsPrinted() throws IOException {
    Path table = write("users.csv", bytes(TABLE));
    create("Lovelace, Ada\0two\nlines\0", "--null");
    Run run = Run.command("check --csv name %s %s %s", file, table, table);
    assertEquals(
        """
        id,name,email\r
        1,"Lovelace, Ada",Ada@example.org\r
        2,"two
        lines",two@example.org\r
        1,"Lovelace, Ada",Ada@example.org\r
        2,"two
        lines",two@example.org\r
        """,
        run.out(),
        run.err());
    assertEquals("2\n", Run.command("check -c --csv 2 %s %s", file, table).out());
    assertEquals("1\n", Run.command("check -vc --csv 2 --header %s %s", file, table).out());
    Run tabs = Run.piped("x\ttwo\nLovelace, Ada\ty\n", "check --tsv 1 %s", file);
    assertEquals("Lovelace, Ada\ty\n", tabs.out(), tabs.err());
    Run bars = Run.piped("x|Lovelace, Ada\n", "check --csv=2 --delimiter=| %s", file);
    assertEquals("x|Lovelace, Ada\n", bars.out(), bars.err());
  }

  @Test
  void quotesAreForCsvAlsoBetweenTabs() throws IOException {
    String table = "id\tname\n1\t\"C\": lib\n";
    create(table, "--tsv=name");
    assertTrue(Bloomery.strings().open(file).mightContain("\"C\": lib"));
    assertEquals(table, Run.withInput(table, "check", file).out(), "read as it was recorded");
    assertEquals("\"C\": lib\n", Run.withInput("\"C\": lib\n", "check", "--lines", file).out());
    String quoted = "id\tname\n1\t\"a\tb\"\n";
    create(quoted, "--csv=name", "--delimiter=\t", "--force");
    assertTrue(Bloomery.strings().open(file).mightContain("a\tb"));
    assertEquals(quoted, Run.withInput(quoted, "check", file).out(), "read as it was recorded");
    assertTrue(Run.of("info", file).out().contains("csv column=\"name\" delimiter=\"\\u0009\""));
  }

  @Test
  void theHeaderComesAlsoIfNothingIsSelected() throws IOException {
    create("nobody");
    Path table = write("users.csv", gzip(TABLE));
    Run run = Run.command("check --csv email %s %s", file, table);
    assertEquals("id,name,email\r\n", run.out());
    run.assertEnds(ExitCode.NONE);
  }

  @Test
  void recordsOfATableAreCountedFirst() throws IOException {
    Path table = write("users.csv", bytes(TABLE));
    Run run = Run.command("create --csv email -o %s %s", file, table);
    assertEquals("bloomery: " + file + ": 3 lines added, at least 3 new\n", run.err());
    assertEquals(3, Bloomery.strings().open(file).spec().expectedKeys());
    assertTrue(Bloomery.strings().open(file).mightContain("Ada@example.org"));
  }

  @Test
  void keysWithLineEndsAreSeparatedByNuls() throws IOException {
    create("a\nb\0c\r\n\0", "-0");
    BloomFilter<String> filter = Bloomery.strings().open(file);
    assertTrue(filter.mightContain("a\nb") && filter.mightContain("c\r\n"));
    assertFalse(filter.mightContain("a"));
    Run run = Run.withInput("c\r\n\0x\0a\nb", "check", "--null", file);
    assertEquals("c\r\n\0a\nb\0", run.out());
  }

  @Test
  void keysAreFormedAndLinesPrintedAsTheyWere() throws IOException {
    create("  Iron \nBLOOM\n", "--ignore-case", "--trim");
    KeyForm form = KeyForm.IGNORE_CASE.trimmed();
    BloomFilter<String> filter = Bloomery.strings().keysReadyIn(form).open(file);
    assertTrue(filter.mightContain("iron") && filter.mightContain("bloom"));
    Run run = Run.piped("\tIRON\r\nfire\nBloom \n", "check -i --trim %s", file);
    assertEquals("\tIRON\r\nBloom \n", run.out());
  }

  @Test
  void keysInHexOrBase64AreTheBytesTheyStandFor() throws IOException {
    create("00ff\n6972\n", "--hex");
    long hash = KeyHasher.utf8Bytes().hash(new byte[] {0, (byte) 0xff});
    assertTrue(Bloomery.installed().files().open(file, OpenOptions.confined()).mightContain(hash));
    create("AP8=\naXI\n", "--base64", "--force");
    assertTrue(Bloomery.installed().files().open(file, OpenOptions.confined()).mightContain(hash));
    assertEquals("AP8=\naXI\n", Run.withInput("AP8=\naXI\nAAA=\n", "check", file).out());
    assertTrue(Bloomery.strings().keysReadyIn(KeyForm.BASE64).open(file).mightContain("ir"));
  }

  @Test
  void aKeyThatIsNotOfItsEncodingIsNamedByFileAndLine() throws IOException {
    create("00ff", "--hex");
    byte[] before = Files.readAllBytes(file);
    Path bad = write("bad", bytes("00\n11\n0\n"));
    Run.assertFails(
        ExitCode.BAD_FILE,
        bad
            + ": line 3: a key in hex must have two digits for each byte, but has 1 digits; see"
            + " that this line is what the options say; "
            + file
            + " records that its keys are written as hex",
        Run.of("add", "--hex", file, bad));
    assertArrayEquals(before, Files.readAllBytes(file));
    Run column = Run.piped("a,00\nb,zz\n", "check --hex --csv 2 %s", file);
    assertTrue(
        column.err().startsWith("bloomery: the standard input: line 2: a key in hex must have "),
        column.err());
    create("AA==", "--base64", "--force");
    Run base64 = Run.withInput("AA==\n!\n", "check", "--base64", file);
    assertTrue(
        base64.err().startsWith("bloomery: the standard input: line 2: a key in base64 must be "),
        base64.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--csv 1 --tsv 1         | --csv and --tsv exclude each other; leave one of them out",
        "--hex --base64          | --hex and --base64 exclude each other; leave one of them out",
        "--hex --ignore-case     | --ignore-case and --hex exclude each other; leave one of them"
            + " out",
        "--integer --hex         | --integer and --hex exclude each other; leave one of them out",
        "--integer --base64      | --integer and --base64 exclude each other; leave one of them"
            + " out",
        "--integer --ignore-case | --integer and --ignore-case exclude each other; leave one of"
            + " them out",
        "--lines --csv 1         | --lines and --csv exclude each other; leave one of them out",
        "--lines --tsv 1         | --lines and --tsv exclude each other; leave one of them out",
        "--lines --null          | --lines and --null exclude each other; leave one of them out",
        "--null --csv 1          | --null and --csv exclude each other; leave one of them out",
        "--header                | --header is for columns; say which one has the keys, as in --csv"
            + " email",
        "--delimiter ; --tsv 1   | --delimiter is for columns; say which one has the keys, as in"
            + " --csv email",
        "--csv 0                 | a column must be a name or a number from 1 to 2147483647, but"
            + " was 0; the first is 1",
        "--csv 99999999999       | a column must be a name or a number from 1 to 2147483647, but"
            + " was 99999999999; the first is 1",
        "--csv 1 --delimiter \"  | --delimiter must be an ASCII character, and no quote or line"
            + " end, as ';' is",
      },
      ignoreLeadingAndTrailingWhitespace = true,
      quoteCharacter = '~')
  void optionsThatDoNotFitAreRefused(String options, String message) {
    create("a");
    Run run = Run.of("check", file, options.split(" ")).assertEnds(ExitCode.USAGE);
    assertEquals("bloomery: " + message, run.err().strip());
  }
}
