package io.bloomery.cli.filter;

import static io.bloomery.cli.Run.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.cli.Run;
import io.bloomery.cli.input.Container;
import io.bloomery.cli.input.KeyColumn;
import io.bloomery.cli.input.TableFormat;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Checks that a filter records how its keys were read, and that later commands apply it. */
class RecipeTest {

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("f.bloom");
  }

  private Run run(String command, String options, String input, Object... more) {
    return Run.withInput(
        input,
        Stream.of(
                Stream.of(command),
                Arrays.stream(options.split(" ", -1)).filter(option -> !option.isEmpty()),
                Stream.of(more))
            .flatMap(all -> all)
            .toArray());
  }

  /**
   * Creates a filter whose rate is so low that none of the few absent keys here is a false
   * positive.
   */
  private void create(String options, String input) {
    run("create", "--expected=90 --fpp=1e-5 --force " + options, input, "-o", file)
        .assertEnds(ExitCode.OK);
  }

  private Filter open() throws IOException {
    return Bloomery.installed().files().open(file, OpenOptions.confined());
  }

  /** Checks that no command with these options takes keys, and that the file stays as it is. */
  private void assertRefused(int exitCode, String message, String options) throws IOException {
    byte[] before = Files.readAllBytes(file);
    for (String command : List.of("check", "add", "remove")) {
      assertFails(exitCode, file + message, run(command, options, "0000\n", file));
    }
    assertArrayEquals(before, Files.readAllBytes(file));
  }

  /** The commands of an earlier README did not find this line. */
  @Test
  void aLineThatWasAddedIsFoundHoweverItWasRead() {
    run("create", "--ignore-case", "Bob@x.org\n", "-o", file).assertEnds(ExitCode.OK);
    assertEquals("Bob@x.org\n", run("check", "", "Bob@x.org\n", file).out());
  }

  static List<String> forms() {
    return List.of(
        "trim | --trim | ' a ' | 'a'",
        "ignore-case | --ignore-case | 'Bob' | 'bOB'",
        "trim,ignore-case | --ignore-case --trim | ' Bob' | 'bob '",
        "upper-case | --upper-case | '5BAA61' | '5baa61'",
        "trim,upper-case | --upper-case --trim | '5baa61 ' | ' 5BAa61'",
        "hex | --hex | '0aFF' | '0Aff'",
        "trim,hex | --hex --trim | ' 0aFF' | '0Aff '",
        "base64 | --base64 | '+/8=' | '-_8'",
        "trim,base64 | --trim --base64 | '+/8= ' | '-_8'");
  }

  @ParameterizedTest
  @MethodSource("forms")
  void theFormOfKeysIsAppliedByItself(String row) throws IOException {
    String[] cells = row.split(" [|] ", -1);
    String added = cells[2].replace("'", "") + "\n";
    String asked = cells[3].replace("'", "") + "\n";
    create("--variant=counting " + cells[1], added);
    assertEquals(Map.of("bloomery.key-form", cells[0]), open().spec().attributes());
    for (String part :
        Stream.concat(Stream.of("", cells[1]), Stream.of(cells[1].split(" ", -1))).toList()) {
      assertEquals(asked, run("check", part, asked, file).out(), part);
      Run add = run("add", part + " --json", asked, file);
      assertTrue(add.out().contains("\"new\": 0,"), add.out() + add.err());
      run("remove", part, asked, file).assertEnds(ExitCode.OK);
    }
    assertEquals(Map.of("bloomery.key-form", cells[0]), open().spec().attributes());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      value = {
        "-                      | --ignore-case         | plain            | ignore-case",
        "-                      | --hex                 | plain            | hex",
        "-                      | --integer             | plain            | integer",
        "--ignore-case          | --upper-case          | ignore-case      | upper-case",
        "--upper-case           | --ignore-case         | upper-case       | ignore-case",
        "--hex                  | --upper-case          | hex              | upper-case",
        "--integer              | --upper-case          | integer          | upper-case",
        "-                      | --upper-case --trim   | upper-case       | trim,upper-case",
        "--trim                 | --ignore-case         | trim             | ignore-case",
        "--trim                 | --ignore-case --trim  | trim             | trim,ignore-case",
        "--ignore-case          | --trim                | ignore-case      | trim",
        "--ignore-case --trim   | --hex                 | trim,ignore-case | hex",
        "--hex                  | --base64              | hex              | base64",
        "--hex                  | --hex --trim          | hex              | trim,hex",
        "--hex --trim           | --ignore-case         | trim,hex         | ignore-case",
        "--base64               | --integer             | base64           | integer",
        "--integer              | --hex                 | integer          | hex",
        "--integer              | --ignore-case         | integer          | ignore-case",
      })
  void optionsThatContradictTheFormAreRefused(String made, String given, String held, String said)
      throws IOException {
    create("--variant=counting " + (made == null ? "" : made), "0000\n1111\n");
    assertRefused(
        ExitCode.USAGE,
        " holds keys written as '"
            + held
            + "', but the options say '"
            + said
            + "'; leave them out, as what the filter records is applied by itself, or create a"
            + " filter with them",
        given);
  }

  private void save(FilterSpec spec, Map<String, String> attributes) throws IOException {
    Filter filter =
        Bloomery.installed()
            .providers()
            .get("counting")
            .create(spec.withAttributes(attributes), ThreadMode.CONFINED);
    FilterFiles.save(filter, file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "integer",
        "fold-case",
        "TRIM",
        "hex,trim",
        "trim,trim",
        "trim, hex",
        "hex,",
        "ignore-case,hex",
        "trim,ignore-case,nfc"
      })
  void aFormThatThisVersionDoesNotKnowIsRefused(String form) throws IOException {
    save(FilterSpec.of(9, 0.01, KeyHash.TEXT.id()), Map.of("bloomery.key-form", form));
    assertRefused(
        ExitCode.BAD_FILE,
        ": records that its keys were written as '"
            + form
            + "', which this version does not know; use the version that made it, or create it again",
        "");
  }

  /** It is equivalent to no form, for text and for integers. */
  @Test
  void plainMayBeWrittenOut() throws IOException {
    for (KeyHash hash : List.of(KeyHash.TEXT, KeyHash.INTEGERS)) {
      save(FilterSpec.of(9, 0.01, hash.id()), Map.of("bloomery.key-form", "plain"));
      run("add", "", "12\n", file).assertEnds(ExitCode.OK);
      assertEquals("12\n", run("check", "", "11\n12\n", file).out());
      run("remove", "", "12\n", file).assertEnds(ExitCode.OK);
    }
  }

  /**
   * These were reported as absent when a filter made on Java 17 was queried on Java 25, or by
   * another tool.
   */
  @Test
  void caseIsThatOfOneVersionOfUnicodeWhateverJavaRuns() throws IOException {
    Map<String, String> folded =
        Map.of(
            "\ua7c0", "\ua7c1", // of Unicode 14
            "\ud801\udd70", "\ud801\udd97", // Vithkuqi, of Unicode 14
            "\ud803\udd50", "\ud803\udd50", // Garay, of Unicode 16
            "\u039a\u039f\u03a3_\u03a0\u0391\u03a3", "\u03ba\u03bf\u03c3_\u03c0\u03b1\u03c3");
    String lines = String.join("\n", folded.keySet()) + "\n";
    create(
        "--ignore-case",
        new String(lines.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1));
    BloomFilter<String> filter = Bloomery.strings().keysReadyIn(KeyForm.IGNORE_CASE).open(file);
    for (String key : folded.values()) {
      assertTrue(filter.mightContain(key), key);
    }
  }

  @Test
  void aProgramIsRefusedUnlessItHasTheForm() throws IOException {
    create("--trim --ignore-case", " Bob@x.org\n");
    KeyForm form = KeyForm.IGNORE_CASE.trimmed();
    assertTrue(Bloomery.strings().keyForm(form).open(file).mightContain("BOB@X.ORG "));
    assertThrows(UnexpectedFilterException.class, () -> Bloomery.strings().open(file));
    BloomFilter<String> byProgram = Bloomery.strings().keyForm(form).expect(9).create();
    byProgram.put("Ada");
    byProgram.save(file);
    assertEquals("aDA\n", run("check", "", "aDA\n", file).out());
  }

  @Test
  void integersHaveNoFurtherForm() throws IOException {
    save(FilterSpec.of(9, 0.01, KeyHash.INTEGERS.id()), Map.of("bloomery.key-form", "trim"));
    assertTrue(run("check", "", "1\n", file).err().contains("which this version does not know"));
  }

  @Test
  void whereKeysAreIsTheDefault() throws IOException {
    String table = "id;e-mail\n1;ada\n2;bob\n";
    create("--csv=e-mail --delimiter=; --variant=counting", table);
    assertEquals(
        Map.of("bloomery.container", "csv column=\"e-mail\" delimiter=\";\""),
        open().spec().attributes());
    assertEquals(table, run("check", "", table, file).out());
    assertTrue(run("add", "--json", table, file).out().contains("\"new\": 0,"));
    run("remove", "", table, file).assertEnds(ExitCode.OK);
    create("-0", "a\nb\0");
    assertEquals(Map.of("bloomery.container", "null"), open().spec().attributes());
    assertEquals("a\nb\0", run("check", "", "a\nb\0a\0", file).out());
  }

  @Test
  void anyOptionOverridesWhereKeysAreAsAWhole() {
    create("--csv=e-mail --delimiter=;", "id;e-mail\n1;ada\n2;bob\n");
    assertEquals("ada\n", run("check", "--lines", "ada\neve\n", file).out());
    assertEquals("x,ada\n", run("check", "--csv=2", "x,ada\ny,eve\n", file).out());
    assertEquals("x\tada\n", run("check", "--tsv=2", "x\tada\ny\teve\n", file).out());
    assertEquals("ada\0", run("check", "--null", "ada\0eve\0", file).out());
    assertFails(
        ExitCode.USAGE,
        "--delimiter is for columns; say which one has the keys, as in --csv email",
        run("check", "--delimiter=,", "x,ada\n", file));
    create("--lines", "a\n");
    assertEquals("a\n", run("check", "", "a\n", file).out());
  }

  @Test
  void aLineThatIsNotOfTheRecordedKindSaysWhoAsksForIt() {
    create("--csv=e-mail --hex", "id,e-mail\n1,00\n");
    assertFails(
        ExitCode.BAD_FILE,
        "the standard input: has no column 'e-mail' in its first line, but '00'; name one of them,"
            + " or give its number; "
            + file
            + " records that its keys are in csv column=\"e-mail\", unless --lines or the like says"
            + " otherwise, and written as hex",
        run("check", "", "00\n", file));
    assertFails(
        ExitCode.BAD_FILE,
        "the standard input: line 1: a key in hex must have two digits for each byte, but has 1"
            + " digits; see that this line is what the options say; "
            + file
            + " records that its keys are written as hex",
        run("check", "--lines", "0\n", file));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "parquet", "csv column=0", "csv column=1 delimiter=\"\\u000a\""})
  void aPlaceThatThisVersionDoesNotKnowHasToBeSaid(String container) throws IOException {
    save(FilterSpec.of(9, 0.01, KeyHash.TEXT.id()), Map.of("bloomery.container", container));
    assertRefused(
        ExitCode.BAD_FILE,
        ": records that its keys were in '"
            + container
            + "', which this version does not know; say where they are now, as in --lines or --csv 1",
        "");
    run("add", "--lines", "00\n", file).assertEnds(ExitCode.OK);
    assertEquals("00\n", run("check", "--lines", "00\n", file).out());
  }

  /** A file may contain a delimiter that no option can specify. */
  @Test
  void anyDelimiterThatIsRecordedIsTaken() throws Exception {
    List<KeyColumn> second = List.of(KeyColumn.of("2"));
    for (char c = 0; c < 128; c++) {
      if (TableFormat.isDelimiter(c)) {
        String container = Container.of(TableFormat.csv(second, c, false)).toString();
        save(FilterSpec.of(9, 1e-5, KeyHash.TEXT.id()), Map.of("bloomery.container", container));
        run("add", "--lines", "key\n", file).assertEnds(ExitCode.OK);
        String line = c + "key\n";
        Run run = run("check", "", line, file);
        assertEquals("key".indexOf(c) < 0 ? line : "", run.out(), (int) c + run.err());
      }
    }
  }

  @Test
  void plainLinesLeaveNoRecordAndTheLibrarysBytes() throws IOException {
    Files.writeString(folder.resolve("in"), "a\nb\n");
    Run.of("create", "-o", file, folder.resolve("in")).assertEnds(ExitCode.OK);
    BloomFilter<String> filter = Bloomery.strings().expect(2).create();
    filter.putAll(List.of("a", "b"));
    Path byProgram = folder.resolve("program.bloom");
    filter.save(byProgram);
    assertArrayEquals(Files.readAllBytes(byProgram), Files.readAllBytes(file));
  }

  @Test
  void theRecordStaysWithTheFilter() throws IOException {
    create(
        "--variant=counting --ignore-case --tsv=1 --attribute=acme.source=a=b --attribute=note=",
        "A\tx\n");
    SortedMap<String, String> record =
        new TreeMap<>(
            Map.of(
                "acme.source",
                "a=b",
                "note",
                "",
                "bloomery.key-form",
                "ignore-case",
                "bloomery.container",
                "tsv column=1"));
    assertEquals(record, open().spec().attributes());
    run("add", "--lines", "B\n", file).assertEnds(ExitCode.OK);
    assertEquals(record, open().spec().attributes());
    run("remove", "--csv=1", "B,\n", file).assertEnds(ExitCode.OK);
    assertEquals(record, open().spec().attributes());
    Run.command("merge --force -o %s %s %s", file, file, file).assertEnds(ExitCode.OK);
    assertEquals(record, open().spec().attributes());
    assertEquals("a\ty\n", run("check", "", "a\ty\n", file).out());
    Run info = Run.of("info", file);
    for (String row :
        List.of(
            "\n  key form         ignore-case\n",
            "\n  keys from        tsv column=1\n",
            "\n  attribute        acme.source=a=b\n")) {
      assertTrue(info.out().contains(row), info.out());
    }
    Map<String, Object> json = Run.of("info", "--json", file).json();
    assertEquals("ignore-case", json.get("keyForm"));
    assertEquals("tsv column=1", json.get("keysFrom"));
    assertEquals("a=b", json.get("attributes.acme.source"));
    assertEquals("", json.get("attributes.note"));
    assertFalse(json.containsKey("attributes.bloomery.key-form"));
    assertFalse(json.containsKey("attributes.bloomery.container"));
  }

  @Test
  void filtersOfDifferentFormsAreNotMerged() {
    create("--ignore-case", "a\n");
    Path plain = folder.resolve("plain.bloom");
    run("create", "--expected=90 --fpp=1e-5", "B\n", "-o", plain).assertEnds(ExitCode.OK);
    Path merged = folder.resolve("merged.bloom");
    assertFails(
        ExitCode.USAGE,
        "filters cannot be merged: key form must be equal, but is ignore-case in "
            + file
            + " and plain in "
            + plain
            + "; make one of them again as the other was made",
        Run.command("merge -o %s %s %s", merged, file, plain));
    assertFalse(Files.exists(merged));
  }

  @Test
  void filtersOfKeysFromDifferentPlacesAreMerged() {
    create("--ignore-case", "a\n");
    Path other = folder.resolve("other.bloom");
    run("create", "--expected=90 --fpp=1e-5 --ignore-case --csv=1", "B,\n", "-o", other);
    Path merged = folder.resolve("merged.bloom");
    Run.command("merge -o %s %s %s", merged, file, other).assertEnds(ExitCode.OK);
    assertEquals("A\nb\n", run("check", "", "A\nb\nc\n", merged).out());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a         | --attribute must be NAME=TEXT, but was 'a'",
        "=a        | an attribute's name must be 1 to 32 printable ASCII characters, but was '';"
            + " see --attribute",
        "\u00e4=a  | an attribute's name must be 1 to 32 printable ASCII characters, but was"
            + " '\u00e4'; see --attribute",
        "a=x\u0007y | the text of attribute 'a' must be of Unicode characters without control"
            + " characters, but is not; see --attribute",
        "bloomery.key-form=trim | --attribute must not begin with 'bloomery.', but was"
            + " 'bloomery.key-form=trim'; begin it with the name of your organisation"
      })
  void badAttributesAreRefused(String attribute, String message) {
    assertFails(
        ExitCode.USAGE, message, run("create", "", "a\n", "-o", file, "--attribute", attribute));
    assertFalse(Files.exists(file));
  }

  @Test
  void tooManyAttributesAreRefused() {
    assertFails(
        ExitCode.USAGE,
        "--attribute must give each name once, but gives 'a' twice",
        run("create", "--attribute=a=1 --attribute=a=1", "a\n", "-o", file));
    StringBuilder many = new StringBuilder();
    for (int i = 0; i < 17; i++) {
      many.append(" --attribute=a").append(i).append("=x");
    }
    assertFails(
        ExitCode.USAGE,
        "attributes must be at most 16, but are 17; leave one out, or put the texts of two into"
            + " one; see --attribute",
        run("create", many.toString(), "a\n", "-o", file));
    assertFails(
        ExitCode.USAGE,
        "attributes must be at most 16, but are 17, with bloomery.container, which Bloomery"
            + " adds; leave one out, or put the texts of two into one; how keys are read is one of"
            + " them: give the column by its number, or shorter attributes",
        run(
            "create",
            many.toString()
                .replace("a16", "a15")
                .replace(" --attribute=a15=x --attribute=a15=x", " --attribute=a15=x --csv=1"),
            "a\n",
            "-o",
            file));
    String column = "c".repeat(1_000);
    assertFails(
        ExitCode.USAGE,
        "names and texts of attributes must have at most 1024 bytes together, but have 1031; how"
            + " keys are read is one of them: give the column by its number, or shorter attributes",
        run("create", "--csv=" + column, column + "\na\n", "-o", file));
    assertFalse(Files.exists(file));
  }

  /** The header alone causes the rejection: the content is not even complete. */
  @Test
  void theRecordIsLookedAtBeforeTheContent() throws IOException {
    create("--hex --variant=counting", "00\n");
    byte[] whole = Files.readAllBytes(file);
    byte[] damaged = whole.clone();
    damaged[damaged.length - 40] ^= 1;
    Files.write(file, damaged);
    assertTrue(
        run("check", "--base64", "00\n", file).err().contains("holds keys written as 'hex'"));
    assertTrue(run("check", "", "00\n", file).err().contains("damaged"));
  }

  @Test
  void keysInOtherEncodingsAreTheBytesThatProgramsHave() throws IOException {
    byte[] key = {0, (byte) 0xff, 'k'};
    create("--hex", HexFormat.of().formatHex(key) + "\n");
    assertTrue(open().mightContain(KeyHash.TEXT.hash(key)));
  }
}
