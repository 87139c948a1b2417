package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Finds code that looks for words in messages of exceptions, which have reasons for that. */
class MessageSearchTest {

  private static final Set<String> ALLOWED =
      Set.of(
          // Replies of Redis begin with a code, and drivers have one exception for many faults.
          "Faults.java",
          "JedisLink.java",
          "LettuceLink.java",
          "RedisErrorReply.java",
          // What these rules check is that a message has a number, or names two filters.
          "BuildRules.java",
          "LimitRules.java",
          "LimitedRun.java",
          "MergeRules.java",
          "SystemReason.java");

  private static final String SEARCH =
      "\\s*\\.\\s*(contains|startsWith|endsWith|(lastI|i)ndexOf|matches|equals(IgnoreCase)?|regionMatches)\\(";
  private static final String MESSAGE = "(getMessage|detail)\\(\\)";
  private static final Pattern ASSIGNED = Pattern.compile("(\\w+)\\s*=[^;=]*" + MESSAGE);

  private static List<String> searches(String source) {
    Set<String> names = new TreeSet<>(Set.of("message", "reason", "detail"));
    ASSIGNED.matcher(source).results().forEach(assigned -> names.add(assigned.group(1)));
    String searched = "(" + MESSAGE + "\\)*|\\b(" + String.join("|", names) + "))" + SEARCH;
    return Pattern.compile(searched + "|matcher\\([^;]*" + MESSAGE)
        .matcher(source)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  @Test
  void noMessageIsSearched() throws IOException {
    Set<String> allowed = new TreeSet<>();
    List<String> found = new ArrayList<>();
    for (Path file : SourceFiles.ending(".java")) {
      if (!file.toString().contains("/src/main/java/")) {
        continue;
      }
      List<String> searches = searches(Files.readString(file));
      String name = file.getFileName().toString();
      if (ALLOWED.contains(name)) {
        assertTrue(!searches.isEmpty(), () -> name + " searches no message any more");
        allowed.add(name);
      } else {
        searches.forEach(search -> found.add(SourceFiles.ROOT.relativize(file) + ": " + search));
      }
    }
    assertEquals("", String.join("\n", found));
    assertEquals(new TreeSet<>(ALLOWED), allowed);
  }

  @Test
  void searchesAreFoundAndOtherUsesAreNot() {
    for (String search :
        List.of(
            "return e.getMessage().contains(\"not a filter\");",
            "if (String.valueOf(e.getMessage())\n    .endsWith(end)) {}",
            "String words = e.getMessage() == null ? \"\" : e.getMessage();\nwords.startsWith(path);",
            "boolean is(String message) { return message.indexOf(\"; \") >= 0; }",
            "return Objects.equals(e.detail().equals(\"cut\"), true);",
            "Matcher m = ENDED.matcher(String.valueOf(e.getMessage()));")) {
      assertEquals(1, searches(search).size(), search);
    }
    assertEquals(
        List.of(),
        searches(
            "throw new Failure(e.getMessage() + \"; \" + next); e.reason().equals(Reason.SIZE);"
                + " path.startsWith(root); String all = e.getMessage(); all.length();"));
  }
}
