package io.bloomery.conformance;

import static java.util.stream.Collectors.toMap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.platform.commons.support.AnnotationSupport;

/** Keeps the catalogue, the tests and {@code docs/RULES.md} in agreement. */
class RuleTest {

  private static final Pattern HEADING = Pattern.compile("### (R\\d\\d) (.*)");
  private static final List<String> FIELDS =
      List.of("Why", "Checked by", "False alarms", "When it fails");

  @Test
  void everyRuleIsCheckedByOneTest() {
    Map<Rule, String> tests =
        Arrays.stream(FilterContract.class.getMethods())
            .filter(method -> AnnotationSupport.isAnnotated(method, Property.class))
            .filter(method -> method.getDeclaringClass() != SelfChecks.class)
            .map(Method::getName)
            .collect(toMap(name -> Rule.checkedBy(name).orElseThrow(), name -> name));
    assertEquals(EnumSet.allOf(Rule.class), tests.keySet());
  }

  @Test
  void aNameThatNamesNoRuleChecksNone() {
    assertEquals(Optional.of(Rule.R07), Rule.checkedBy("r07_clear"));
    assertEquals(Optional.empty(), Rule.checkedBy("r07clear"));
    assertEquals(Optional.empty(), Rule.checkedBy("clear"));
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
            Pattern.compile("\\*\\*" + field + ":\\*\\* \\S.{10}").matcher(text).find(),
            () -> rule + " must say '" + field + "'");
      }
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
