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
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.SampleReports;
import io.bloomery.conformance.run.Capability;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks what stands in the files of a report, and that equal findings have equal hashes. */
class ReportsTest {

  private static final long SEED = 4711;

  /** Rules whose evidence is of all kinds. */
  private static final Set<Rule> SOME =
      EnumSet.of(Rule.R01, Rule.R11, Rule.R31, Rule.R38, Rule.R42, Rule.R49);

  private static String standard;
  private static String broken;
  private static String odd;

  @TempDir Path directory;

  @BeforeAll
  static void run() {
    standard = Reports.json(SampleReports.standard(SEED, SOME));
    broken = Reports.json(SampleReports.broken(SEED));
    odd = Reports.json(odd(SampleReports.ODD_VARIANT));
  }

  private static ConformanceReport odd(String variant) {
    return SampleReports.odd(variant, SampleReports.RACE_DETAIL, 17);
  }

  @Test
  void twoRunsWithOneSeedHaveOneResult() {
    checkOneResult(standard, SOME);
  }

  @Test
  @Tag("nightly")
  void twoRunsOfAllRulesWithOneSeedHaveOneResult() {
    Set<Rule> all = EnumSet.allOf(Rule.class);
    checkOneResult(Reports.json(SampleReports.standard(SEED, all)), all);
  }

  private static void checkOneResult(String first, Set<Rule> rules) {
    String again = Reports.json(SampleReports.standard(SEED, rules));
    assertEquals(result(first), result(again));
    assertEquals(sha256(first), sha256(again));
    assertNotEquals(first, again, "each run has a time of its own");
    assertTrue(first.contains("\"verdict\": \"PASS\""), first);
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

  @Test
  void thePageListsTheCapabilitiesOfFiltersAndOfRules() throws IOException {
    String all =
        EnumSet.complementOf(EnumSet.of(Capability.NONE)).stream()
            .map(capability -> "`" + capability + "`")
            .collect(Collectors.joining(", "));
    List<String> rows =
        Files.readAllLines(Path.of("..", "docs", "conformance-report.md")).stream()
            .filter(line -> line.contains("apabilit") && line.startsWith("| `result."))
            .toList();
    assertEquals(2, rows.size());
    rows.forEach(row -> assertTrue(row.endsWith(all + " |"), row));
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
  void theLocaleChangesNothing() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
    try {
      assertEquals(odd, Reports.json(odd(SampleReports.ODD_VARIANT)));
      assertTrue(xml(SampleReports.odd("acme", "lost", 17)).contains("1.234"), "digits");
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
    assertTrue(names.containsAll(Set.of("acme.json", "acme.xml")), names::toString);
    for (String name : names) {
      assertTrue(name.matches("[a-z0-9-]*(_[0-9a-f]{16})?\\.(json|xml)"), name);
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
  void aBuildServerIsToldOfEachRuleAskedForAndOfTheRun() throws Exception {
    for (ConformanceReport report :
        List.of(SampleReports.broken(SEED), odd(SampleReports.ODD_VARIANT))) {
      Element suite = suite(report);
      NodeList tests = suite.getElementsByTagName("testcase");
      long asked = Rule.values().length - report.count(Status.NOT_ASKED);
      assertEquals(asked + 1, tests.getLength());
      assertEquals(suite.getAttribute("tests"), Integer.toString(tests.getLength()));
      for (String kind : List.of("failure", "error", "skipped")) {
        String plural = kind.equals("skipped") ? kind : kind + "s";
        String counted = Integer.toString(suite.getElementsByTagName(kind).getLength());
        assertEquals(suite.getAttribute(plural), counted, kind);
      }
      for (int i = 0; i < asked; i++) {
        Element test = (Element) tests.item(i);
        String name = test.getAttribute("name");
        Rule rule = Rule.valueOf(name.substring(0, 3).toUpperCase(Locale.ROOT));
        Outcome outcome = report.outcome(rule);
        String said = outcome.status() == Status.KEPT ? "" : outcome.detail();
        assertEquals(said, test.getTextContent());
      }
      String doubts = tests.item((int) asked).getTextContent();
      assertEquals(report.doubts().isEmpty(), doubts.isEmpty(), doubts);
    }
  }

  /** Half a pair and an escape character are in no XML, whatever a provider says. */
  @Test
  void whatXmlCannotHoldIsReplaced() throws Exception {
    Element suite = suite(odd(SampleReports.ODD_VARIANT));
    NodeList errors = suite.getElementsByTagName("error");
    assertEquals(
        "half a \ufffd pair\ntwo\nlines \ufffd[31m",
        errors.item(errors.getLength() - 1).getTextContent());
    assertEquals("conformance of " + SampleReports.ODD_VARIANT, suite.getAttribute("name"));
  }

  private String xml(ConformanceReport report) throws IOException {
    return Files.readString(Reports.write(directory, report).get(1));
  }

  private Element suite(ConformanceReport report) throws Exception {
    byte[] bytes = xml(report).getBytes(UTF_8);
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(bytes))
        .getDocumentElement();
  }
}
