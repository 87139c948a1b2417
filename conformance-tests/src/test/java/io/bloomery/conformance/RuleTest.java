package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.run.Capability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps the catalogue, the tests and {@code docs/RULES.md} in agreement. */
class RuleTest {

  private static final Pattern HEADING = Pattern.compile("### (R\\d\\d) (.*)");
  private static final Pattern CALL = Pattern.compile("new (\\w+)\\(context\\)\\s*\\.(\\w+)\\(\\)");
  private static final Pattern CHECK = Pattern.compile("\n  public void (\\w+)\\(\\)");
  private static final List<String> FIELDS = List.of("Why", "False alarms", "Look for");

  @Test
  void everyRuleHasACheckOfItsOwnAndEveryCheckARule() throws IOException {
    Path source = Path.of("src", "main", "java", "io", "bloomery", "conformance");
    List<String> called =
        CALL.matcher(Files.readString(source.resolve("Rule.java")))
            .results()
            .map(call -> call.group(1) + "." + call.group(2))
            .sorted()
            .toList();
    assertEquals(Rule.values().length, called.size());
    List<String> checks = new ArrayList<>();
    try (Stream<Path> topics = Files.list(source.resolve("internal").resolve("rules"))) {
      for (Path topic : topics.filter(path -> path.toString().endsWith("Rules.java")).toList()) {
        String name = topic.getFileName().toString().replace(".java", "");
        CHECK
            .matcher(Files.readString(topic))
            .results()
            .forEach(check -> checks.add(name + "." + check.group(1)));
      }
    }
    assertEquals(checks.stream().sorted().toList(), called);
  }

  @Test
  void aPropertyNamesRulesInAnyCase() {
    assertEquals(EnumSet.allOf(Rule.class), Rule.ofProperty());
    System.setProperty(Rule.PROPERTY, "r49, R01");
    try {
      assertEquals(EnumSet.of(Rule.R01, Rule.R49), Rule.ofProperty());
      System.setProperty(Rule.PROPERTY, "R01,R99");
      IllegalArgumentException error =
          assertThrows(IllegalArgumentException.class, Rule::ofProperty);
      assertTrue(error.getMessage().contains("'R99'"), error::getMessage);
    } finally {
      System.clearProperty(Rule.PROPERTY);
    }
  }

  @Test
  void thePageListsTheRulesOfTheCatalogue() throws IOException {
    assertEquals(
        Arrays.stream(Rule.values()).map(rule -> rule.name() + " " + rule.title()).toList(),
        sections().keySet().stream().sorted().toList());
  }

  @Test
  void thePageSaysOfEachRuleWhatTheCatalogueSaysAndMore() throws IOException {
    Map<String, String> sections = sections();
    for (Rule rule : Rule.values()) {
      String text = sections.get(rule.name() + " " + rule.title());
      assertTrue(text.startsWith(rule.statement()), () -> rule + " is stated otherwise: " + text);
      for (String field : FIELDS) {
        assertTrue(
            Pattern.compile("\\*\\*" + field + ":\\*\\*\\s+\\S.{4}").matcher(text).find(),
            () -> rule + " must say '" + field + "'");
      }
      assertEquals(
          rule.capability() != Capability.NONE,
          text.contains("**Applies to:**"),
          () -> rule + " must say what it applies to, unless that is every filter");
    }
  }

  /** Returns the text under each heading, with single spaces between words. */
  private static Map<String, String> sections() throws IOException {
    Map<String, String> sections = new LinkedHashMap<>();
    String heading = null;
    for (String line : Files.readAllLines(Path.of("..", "docs", "RULES.md"))) {
      Matcher matcher = HEADING.matcher(line);
      if (matcher.matches()) {
        heading = matcher.group(1) + " " + matcher.group(2);
        sections.put(heading, "");
      } else if (line.startsWith("## ")) {
        heading = null;
      } else if (heading != null) {
        sections.merge(heading, line.strip() + " ", String::concat);
      }
    }
    sections.replaceAll((rule, text) -> text.strip().replaceAll("\\s+", " "));
    return sections;
  }
}
