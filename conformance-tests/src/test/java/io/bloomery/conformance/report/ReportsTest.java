package io.bloomery.conformance.report;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.SampleReports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks what stands in the files of a report, and that equal findings have equal hashes. */
class ReportsTest {

  private static final long SEED = 4711;

  private static String standard;
  private static String broken;
  private static String odd;

  @TempDir Path directory;

  @BeforeAll
  static void run() {
    standard = Reports.json(SampleReports.standard(SEED));
    broken = Reports.json(SampleReports.broken(SEED));
    odd = Reports.json(odd(SampleReports.ODD_VARIANT));
  }

  private static ConformanceReport odd(String variant) {
    return SampleReports.odd(variant, SampleReports.RACE_DETAIL, 17);
  }

  @Test
  void twoRunsWithOneSeedHaveOneResult() {
    String again = Reports.json(SampleReports.standard(SEED));
    assertEquals(result(standard), result(again));
    assertEquals(sha256(standard), sha256(again));
    assertNotEquals(standard, again, "each run has a time of its own");
    assertTrue(standard.contains("\"verdict\": \"PASS\""), standard);
  }

  @Test
  void twoRunsThatFailWithOneSeedHaveOneResult() {
    assertEquals(result(broken), result(Reports.json(SampleReports.broken(SEED))));
  }

  @Test
  void anotherSeedHasAnotherResult() {
    String other = Reports.json(SampleReports.broken(SEED + 1));
    assertNotEquals(sha256(broken), sha256(other));
    assertNotEquals(
        result(broken), result(other).replace("4712", "4711"), "not only the seed differs");
  }

  @Test
  void howARaceWasLostIsNoPartOfTheResult() {
    String other = Reports.json(SampleReports.odd(SampleReports.ODD_VARIANT, "otherwise", 18));
    assertEquals(sha256(odd), sha256(other));
    assertTrue(odd.contains(SampleReports.RACE_DETAIL) && other.contains("otherwise"), other);
    assertNotEquals(
        sha256(odd), sha256(Reports.json(odd("another variant"))), "who failed is part of it");
  }

  @Test
  void theHashIsThatOfTheResultWithoutWhiteSpace() throws NoSuchAlgorithmException {
    for (String json : List.of(standard, broken, odd)) {
      String canonical = result(json).replaceAll("(\"(?:[^\"\\\\]|\\\\.)*+\")|\\s+", "$1");
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(canonical.getBytes(UTF_8));
      assertEquals(HexFormat.of().formatHex(hash), sha256(json));
    }
  }

  /** Returns the text of the hashed part. */
  private static String result(String json) {
    return json.substring(json.indexOf("\n  \"result\": ") + 13, json.indexOf(",\n  \"run\": "));
  }

  private static String sha256(String json) {
    Matcher matcher = Pattern.compile("\n  \"sha256\": \"([0-9a-f]{64})\"").matcher(json);
    assertTrue(matcher.find(), json);
    return matcher.group(1);
  }

  @Test
  void namesAreSortedInEveryObject() throws IOException {
    for (String json : List.of(standard, broken, odd)) {
      Deque<String> last = new ArrayDeque<>();
      try (JsonParser parser = new JsonFactory().createParser(json)) {
        for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
          if (token == JsonToken.START_OBJECT) {
            last.push("");
          } else if (token == JsonToken.END_OBJECT) {
            last.pop();
          } else if (token == JsonToken.FIELD_NAME) {
            String name = parser.currentName();
            String before = last.pop();
            assertTrue(before.compareTo(name) < 0, () -> before + " stands before " + name);
            last.push(name);
          }
        }
      }
    }
  }

  @Test
  void thePageListsTheFieldsOfReportsAndNoOthers() throws IOException {
    Set<String> fields = new TreeSet<>();
    for (String json : List.of(standard, broken, odd)) {
      fields.addAll(fields(json));
    }
    Set<String> documented = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("..", "docs", "conformance-report.md"))) {
      Matcher row = Pattern.compile("\\| `([^`]+)` \\| .{5,} \\| .+ \\|").matcher(line);
      if (row.matches()) {
        documented.add(row.group(1));
      }
    }
    assertEquals(String.join("\n", fields), String.join("\n", documented));
  }

  /** Returns every field by its path, as in {@code result.rules[].id}. */
  private static Set<String> fields(String json) throws IOException {
    Set<String> fields = new TreeSet<>();
    try (JsonParser parser = new JsonFactory().createParser(json)) {
      while (parser.nextToken() != null) {
        if (parser.currentToken() == JsonToken.FIELD_NAME) {
          String pointer = parser.getParsingContext().pathAsPointer().toString();
          fields.add(pointer.substring(1).replaceAll("/\\d+(?=/|$)", "[]").replace('/', '.'));
        }
      }
    }
    return fields;
  }

  @Test
  void noNumberIsLeftOutOrEndless() {
    assertFalse(odd.contains("NaN") || odd.contains("Infinity"), odd);
    assertTrue(odd.contains("\"bound\": null"), odd);
    assertTrue(odd.contains("\"seconds\": 20,"), odd);
    assertTrue(odd.contains("\"tail\": 1E-20"), odd);
    assertTrue(odd.contains("\"seed\": \"-9223372036854775808\""), odd);
    assertFalse(odd.contains("somebody"), "a folder of the machine is shown");
  }

  @Test
  void aReportTellsWhatAPersonAsksFor() throws IOException {
    String page = page(standard);
    for (String text :
        List.of(
            "# Conformance of standard\n\n    standard: PASS ",
            "**PASS**: It keeps every rule",
            "io.bloomery.standard.StandardProvider, ",
            "MERGING",
            "0 in ",
            "| R12  | the measured rate matches the planned rate ",
            "| 5 keys at 0.00215 ",
            "\n## Races\n",
            "were seen to in ",
            sha256(standard))) {
      assertTrue(page.contains(text), () -> text + " is missing in\n" + page);
    }
    assertFalse(page.contains("## Failures") || page.contains("BROKEN"), page);
  }

  @Test
  void aFailureIsNamedExplainedAndRepeatable() throws IOException {
    String page = page(broken);
    assertTrue(page.contains("\n**FAIL**: "), page);
    assertTrue(
        page.contains(
            "\n### R11 the requested rate is kept at every size\n\nBROKEN: After n distinct hashes"),
        page);
    assertTrue(
        Pattern.compile("\n    org.opentest4j.AssertionFailedError: .+").matcher(page).find(),
        page);
    assertTrue(
        page.contains(
            "\n    bloomery conformance --provider standard --tier quick --seed 4711 --rule R11\n"),
        page);
    assertTrue(page.contains("see the failures"), page);
    assertFalse(page.contains("### R17"), page);
    assertTrue(
        page.contains("The run was not for " + (Rule.values().length - 4) + " further"), page);
  }

  @Test
  void nothingInAReportBreaksItsPage() throws IOException {
    String page = page(odd);
    assertTrue(page.startsWith("# Conformance of ../Acme \\| \\`its\\` \"filter\" \\#1\n"), page);
    assertTrue(page.contains("| a \\| \\`b\\` \\<c\\> "), page);
    assertTrue(page.contains("--provider '" + SampleReports.ODD_VARIANT + "' --tier"), page);
    assertTrue(page.contains("\n    | no |\n\n    ``` two cores\n"), page);
    assertTrue(page.contains("| R38  | 4,096                 | 1.235       |"), page);
    assertTrue(page.contains("to in 97 % of rounds"), page);
    assertFalse(page.contains("\u001b"), page);
    assertTrue(page.contains("of at most unknown; the limit is 1.000e-09"), page);
    for (String table : page.split("\n\n", -1)) {
      if (table.startsWith("|")) {
        assertEquals(1, table.lines().map(ReportsTest::cells).distinct().count(), table);
      }
    }
  }

  private static long cells(String row) {
    return Pattern.compile("(?<!\\\\)\\|").matcher(row).results().count();
  }

  @Test
  void aShellTakesTheVariantAsItIs() throws IOException {
    String page = page(Reports.json(odd("it's")));
    assertTrue(page.contains("--provider 'it'\\''s' --tier"), page);
  }

  @Test
  void thePageOfAStoredFileIsThePageWritten() throws IOException {
    List<Path> files = Reports.write(directory, odd(SampleReports.ODD_VARIANT));
    assertEquals(odd, Files.readString(files.get(0)));
    assertEquals(Files.readString(files.get(1)), Reports.markdown(files.get(0)));
    assertEquals(Files.readString(files.get(1)), page(odd));
  }

  @Test
  void theLocaleChangesNothing() throws IOException {
    String page = page(odd);
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals(odd, Reports.json(odd(SampleReports.ODD_VARIANT)));
      assertEquals(page, page(odd));
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void eachVariantHasFilesOfItsOwn() throws IOException {
    Path folder = directory.resolve("new/folder");
    List<String> variants =
        List.of("acme", "Acme", "acme-", "a/b", "a_b", "..", "", "caf\u00e9", "x".repeat(300));
    for (String variant : variants) {
      Reports.write(folder, odd(variant));
      Reports.write(folder, odd(variant));
    }
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    try (Stream<Path> files = Files.list(folder)) {
      files.map(file -> file.getFileName().toString()).forEach(names::add);
    }
    assertEquals(2 * variants.size(), names.size(), names::toString);
    assertTrue(names.containsAll(Set.of("acme.json", "acme.md")), names::toString);
    for (String name : names) {
      assertTrue(name.matches("[a-z0-9-]*(_[0-9a-f]{16})?\\.(json|md)"), name);
      assertTrue(name.length() < 100, name);
    }
  }

  @Test
  void aFileThatCannotBeReplacedLeavesNothingBehind() throws IOException {
    Files.createDirectories(directory.resolve("acme.json/in-the-way"));
    assertThrows(IOException.class, () -> Reports.write(directory, odd("acme")));
    try (Stream<Path> files = Files.list(directory)) {
      assertEquals(List.of(directory.resolve("acme.json")), files.toList());
    }
  }

  @Test
  void whatIsNoReportIsRefusedWithAReason() throws IOException {
    checkRefused("", "must be an object of JSON");
    checkRefused("[]", "must be an object of JSON");
    checkRefused("{\"schema\": 1", "must be JSON, but is not in line 1");
    checkRefused("{\"schema\": 1, \"schema\": 1}", "Duplicate");
    checkRefused("{}", "must have a whole number at schema, but has no such field");
    checkRefused("{\"schema\": 1e999999999}", "must have a whole number at schema");
    checkRefused("{\"schema\": 2}", "must have schema 1, but has 2");
    checkRefused("{\"schema\": 1}", "must have an object at result");
    checkRefused(standard + "{}", "something follows");
    checkRefused(standard.replace("\"PASS\"", "\"FAIL\""), "must be as it was written");
    checkRefused(
        standard.replace("\"cores\": ", "\"cores\": 0.5"),
        "must have a whole number at run.cores, but has something else");
    checkRefused(
        standard.replaceAll("\"R11\"(?=,\\s+\"max)", "\"R1\""), "must have R11 at run.rules");
  }

  private void checkRefused(String json, String reason) throws IOException {
    Path file = directory.resolve("stored.json");
    Files.writeString(file, json);
    IOException refusal = assertThrows(IOException.class, () -> Reports.markdown(file));
    assertTrue(refusal.getMessage().contains(reason), refusal::getMessage);
    assertTrue(refusal.getMessage().contains("stored.json"), refusal::getMessage);
  }

  private String page(String json) throws IOException {
    Path file = directory.resolve("page.json");
    Files.writeString(file, json);
    return Reports.markdown(file);
  }
}
