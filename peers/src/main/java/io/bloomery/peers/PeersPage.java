package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.peers.Judge.Cell;
import io.bloomery.peers.Judge.Judgement;
import io.bloomery.peers.Judge.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The page {@code docs/peers.md}: writes it, and reads back the verdicts on it. */
final class PeersPage {

  static final String COMMAND =
      "mvn -q test -pl peers -am -Dtest=WritePageTest -DfailIfNoTests=false"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  private static final Pattern TOPIC = Pattern.compile("^## (.+)$");
  private static final Pattern RULE = Pattern.compile("^### (R\\d+) .*$");
  private static final Pattern NUMBER = Pattern.compile("R\\d+");

  private final List<Judgement> judgements;
  private final Map<String, Set<Rule>> topics;

  /**
   * Prepares a page.
   *
   * @param rules the page of the rules, which has their topics
   */
  PeersPage(List<Judgement> judgements, List<String> rules) {
    this.judgements = judgements;
    this.topics = topics(rules);
  }

  /** Returns the topics that have rules for a peer, in the order of the page of the rules. */
  private static Map<String, Set<Rule>> topics(List<String> lines) {
    Map<String, Set<Rule>> topics = new LinkedHashMap<>();
    String topic = "";
    for (String line : lines) {
      Matcher heading = TOPIC.matcher(line);
      if (heading.matches()) {
        topic = heading.group(1);
      }
      Matcher rule = RULE.matcher(line);
      if (rule.matches() && !Promises.OF_THE_ADAPTER.contains(Rule.valueOf(rule.group(1)))) {
        topics
            .computeIfAbsent(topic, unused -> EnumSet.noneOf(Rule.class))
            .add(Rule.valueOf(rule.group(1)));
      }
    }
    return topics;
  }

  /** Returns the page. */
  @Override
  public String toString() {
    StringBuilder page = new StringBuilder(INTRODUCTION);
    page.append(table()).append(LEGEND);
    judgements.forEach(judgement -> page.append(section(judgement)));
    return page.toString();
  }

  private String table() {
    StringBuilder table = new StringBuilder("\n| Library |");
    topics.keySet().forEach(topic -> table.append(' ').append(topic).append(" |"));
    table.append(" All |\n|---|").append("---|".repeat(topics.size() + 1)).append('\n');
    for (Judgement judgement : judgements) {
      table.append("| ").append(judgement.peer().card().title()).append(" |");
      for (Set<Rule> rules : topics.values()) {
        table.append(' ').append(counts(judgement, rules)).append(" |");
      }
      table.append(' ').append(counts(judgement, judgement.cells().keySet())).append(" |\n");
    }
    return table.toString();
  }

  /** Returns how many rules are kept, broken and not promised. */
  static String counts(Judgement judgement, Collection<Rule> rules) {
    Map<Verdict, Integer> counts = new EnumMap<>(Verdict.class);
    for (Rule rule : rules) {
      counts.merge(judgement.cells().get(rule).verdict(), 1, Integer::sum);
    }
    if (counts.getOrDefault(Verdict.NOT_APPLICABLE, 0) == rules.size()) {
      return "–";
    }
    int broken = counts.getOrDefault(Verdict.BROKEN, 0);
    return counts.getOrDefault(Verdict.KEPT, 0)
        + " · "
        + (broken == 0 ? "0" : "**" + broken + "**")
        + " · "
        + counts.getOrDefault(Verdict.NOT_PROMISED, 0);
  }

  /** Returns what the page says of one peer. */
  static String section(Judgement judgement) {
    Peer.Card card = judgement.peer().card();
    StringBuilder section = new StringBuilder("\n## " + card.title() + "\n\n");
    line(section, "Artifact", "`" + card.artifact() + "`, seed " + judgement.seed());
    line(section, "Hashes", card.hashes());
    line(section, "Sizing", card.sizing());
    line(section, "Again", "`" + COMMAND + " -Dpeers=" + card.name() + "`");
    line(section, "Kept", list(rules(judgement, Verdict.KEPT)));
    line(section, "Broken", list(rules(judgement, Verdict.BROKEN)));
    for (Rule rule : rules(judgement, Verdict.BROKEN)) {
      section.append("  - ").append(rule).append(", ").append(rule.title()).append(": ");
      section.append(judgement.cells().get(rule).detail().replaceAll("\\.*$", "")).append(". ");
      section.append(Causes.of(judgement.peer(), rule).orElse("")).append('\n');
    }
    line(section, "Not promised", list(rules(judgement, Verdict.NOT_PROMISED)));
    reasons(judgement)
        .forEach(
            (reason, rules) ->
                section
                    .append("  - ")
                    .append(list(rules))
                    .append(": ")
                    .append(reason)
                    .append(".\n"));
    line(section, "Not applicable", list(rules(judgement, Verdict.NOT_APPLICABLE)));
    return section.toString().replaceAll(" +\n", "\n");
  }

  private static void line(StringBuilder section, String name, String text) {
    section.append("- **").append(name).append(":** ").append(text).append('\n');
  }

  private static Set<Rule> rules(Judgement judgement, Verdict verdict) {
    return judgement.cells().entrySet().stream()
        .filter(entry -> entry.getValue().verdict() == verdict)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
  }

  private static Map<String, Set<Rule>> reasons(Judgement judgement) {
    Map<String, Set<Rule>> reasons = new LinkedHashMap<>();
    for (Rule rule : rules(judgement, Verdict.NOT_PROMISED)) {
      Cell cell = judgement.cells().get(rule);
      reasons.computeIfAbsent(cell.detail(), unused -> EnumSet.noneOf(Rule.class)).add(rule);
    }
    return reasons;
  }

  private static String list(Set<Rule> rules) {
    return rules.isEmpty()
        ? "none"
        : rules.stream().map(Rule::name).collect(Collectors.joining(", "));
  }

  /** Reads the verdicts on a peer from the text of the page. */
  static Map<Rule, Verdict> verdicts(String page, Peer peer) {
    String marker = " -Dpeers=" + peer.card().name() + "`";
    List<String> lines = page.lines().toList();
    int at = indexOfLineEndingWith(lines, marker);
    Map<Rule, Verdict> verdicts = new TreeMap<>();
    for (Verdict verdict : Verdict.values()) {
      String start = "- **" + name(verdict) + ":**";
      String line =
          lines.subList(at, lines.size()).stream()
              .filter(text -> text.startsWith(start))
              .findFirst()
              .orElseThrow(() -> new NoSuchElementException(start + " after " + marker));
      Matcher rule = NUMBER.matcher(line);
      while (rule.find()) {
        verdicts.put(Rule.valueOf(rule.group()), verdict);
      }
    }
    return verdicts;
  }

  private static int indexOfLineEndingWith(List<String> lines, String end) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).endsWith(end)) {
        return i;
      }
    }
    throw new NoSuchElementException("no line of the page ends with '" + end + "'");
  }

  private static String name(Verdict verdict) {
    String words = verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  /** Judges all peers and writes the page into a folder that also has the rules. */
  static void write(Path docs) throws IOException {
    List<Judgement> judgements = new ArrayList<>();
    for (Peer peer : Peers.all()) {
      judgements.add(Judge.judgeThoroughly(peer));
    }
    PeersPage page = new PeersPage(judgements, Files.readAllLines(docs.resolve("RULES.md")));
    Files.writeString(docs.resolve("peers.md"), page.toString());
  }

  private static final String INTRODUCTION =
      """
      # Other libraries under the same rules

      The conformance suite takes any `FilterProvider`, so it can test the Bloom filters that others
      wrote. The module `peers` has an adapter for each of them; this page is what came of it, written by a program.

      **What it says and what not.** Each of these libraries is good at what it was made for, most are older than ours, and
      ours stands on what they found out. The rules are *our* contract ([RULES.md](RULES.md)). A broken rule is a
      difference from that contract in something the library does promise, or that every Bloom filter promises: not a
      mark. Whoever keeps many keys at 1 %% in one thread will meet hardly any of it.

      - **Kept** and **broken** are counted where the library's documentation or API promises what the rule demands: all
        promise that no key is lost; those that take a number of keys and a rate promise that rate.
      - **Not promised** is what it never promised, with the reason. It was run all the same, and is counted neither way.
      - **Not applicable** are rules for filters that merge, remove or grow where it does not.
      - **Left out** are rules that only our adapter and our file format answer for: %s. Attributes (R77, R81),
        limits in bytes (R78), a batch that removes (R79), a type known beforehand (R80) and descriptions (R82) are
        in none of the libraries: the adapter has the first, the third and the fourth, keeps limits at creation alone, and
        describes nothing.
      - What a library lacks the adapter bridges in one place: it copies by the library's own bytes, clears by making another
        filter, queries before it puts where put has no answer, and remembers hashes where there are no bytes. Bridged rules
        are not counted.

      **Again.** All of this page, from a fresh clone, on Java 17 or 21, with the versions that the parent POM pins (some three minutes):

      ```sh
      %s -Dpeers.write
      ```

      With `-Dpeers=NAME` instead it prints the part of one library; the command stands with each. The seed is fixed, so
      every verdict but those on threads (R40 to R44, R56 to R58, R62, R68 to R70, R73) comes out the same, though another hash may be named as
      the example; races can be missed, and where the
      library promises threads the suite is run five times. `mvn verify` runs five of the libraries (Commons Collections,
      Parquet, Hive, ORC and Lucene) and compares, and holds the versions and the table against the rest of the page; the
      other libraries are run only when the page is written, since all of them would take too long.

      ## The table

      Rules kept · broken · not promised, by the topics of [RULES.md](RULES.md); – where none applies.
      """
          .formatted(
              Promises.OF_THE_ADAPTER.stream().map(Rule::name).collect(Collectors.joining(", ")),
              COMMAND);

  private static final String LEGEND =
      """

      Counterexamples are the smallest that the suite came to: rules try small filters and mild rates first, and chains of
      operations are shrunk. Each broken rule was looked into by hand, to make sure that it is not the adapter's fault.
      """;
}
