package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.peers.Judge.Judgement;
import io.bloomery.peers.Judge.Verdict;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The text of {@code docs/peers.md}. */
final class PeersPage {

  static final String COMMAND =
      "mvn -q test -pl peers -am -Dtest=WritePageTest -DfailIfNoTests=false"
          + " -Dsurefire.failIfNoSpecifiedTests=false";

  private final List<Judgement> judgements;

  PeersPage(List<Judgement> judgements) {
    this.judgements = judgements;
  }

  /** Returns the text of the page. */
  @Override
  public String toString() {
    StringBuilder page = new StringBuilder(INTRODUCTION).append(TABLE_HEAD);
    judgements.forEach(
        judgement -> page.append(row(judgement.peer(), judgement.verdicts())).append('\n'));
    page.append("\nThe rules in the last column:\n\n");
    for (Rule rule : brokenByAny()) {
      page.append("- ").append(rule).append(": ").append(rule.title()).append('\n');
    }
    page.append(COUNTEREXAMPLES);
    judgements.forEach(judgement -> page.append(section(judgement)));
    return page.toString();
  }

  private Set<Rule> brokenByAny() {
    return judgements.stream()
        .flatMap(judgement -> rules(judgement.verdicts(), Verdict.BROKEN).stream())
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
  }

  /** Returns the row of a peer in the table. */
  static String row(Peer peer, Map<Rule, Verdict> verdicts) {
    Map<Verdict, Set<Rule>> byVerdict = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      byVerdict.put(verdict, rules(verdicts, verdict));
    }
    return "| "
        + peer.card().title()
        + byVerdict.values().stream()
            .map(rules -> " | " + rules.size())
            .collect(Collectors.joining())
        + " | "
        + list(byVerdict.get(Verdict.BROKEN))
        + " |";
  }

  /** Returns the section about one peer. */
  static String section(Judgement judgement) {
    Peer.Card card = judgement.peer().card();
    StringBuilder section = new StringBuilder("\n## " + card.title() + "\n\n");
    line(section, "Name", "`" + card.name() + "`");
    line(section, "Artifact", "`" + card.artifact() + "`");
    line(section, "Hashes", card.hashes());
    line(section, "Sizing", card.sizing());
    Map<Rule, Verdict> verdicts = judgement.verdicts();
    line(section, label(Verdict.KEPT), list(rules(verdicts, Verdict.KEPT)));
    Set<Rule> broken = rules(verdicts, Verdict.BROKEN);
    line(section, label(Verdict.BROKEN), broken.isEmpty() ? "none" : "");
    for (Rule rule : broken) {
      String example = judgement.cells().get(rule).detail().replaceAll("\\.+$", "") + ".";
      String cause = Causes.of(judgement.peer(), rule).map(text -> text + " ").orElse("");
      item(section, rule.name(), rule.title() + ". " + cause + "Counterexample: " + example);
    }
    line(section, label(Verdict.NOT_PROMISED), "");
    reasons(judgement).forEach((reason, rules) -> item(section, list(rules), reason + "."));
    line(section, label(Verdict.NOT_APPLICABLE), list(rules(verdicts, Verdict.NOT_APPLICABLE)));
    return section.toString().replaceAll(" +\n", "\n");
  }

  private static void line(StringBuilder section, String name, String text) {
    section.append("- **").append(name).append(":** ").append(text).append('\n');
  }

  private static void item(StringBuilder section, String rules, String text) {
    section.append("  - ").append(rules).append(": ").append(text).append('\n');
  }

  /** Returns the name of the verdict on the page. */
  static String label(Verdict verdict) {
    String words = verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  private static Set<Rule> rules(Map<Rule, Verdict> verdicts, Verdict verdict) {
    return verdicts.entrySet().stream()
        .filter(entry -> entry.getValue() == verdict)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
  }

  private static Map<String, Set<Rule>> reasons(Judgement judgement) {
    Map<String, Set<Rule>> reasons = new LinkedHashMap<>();
    for (Rule rule : rules(judgement.verdicts(), Verdict.NOT_PROMISED)) {
      reasons
          .computeIfAbsent(
              judgement.cells().get(rule).detail(), unused -> EnumSet.noneOf(Rule.class))
          .add(rule);
    }
    return reasons;
  }

  private static String list(Set<Rule> rules) {
    return rules.isEmpty()
        ? "none"
        : rules.stream().map(Rule::name).collect(Collectors.joining(", "));
  }

  private static final String INTRODUCTION =
      """
      # Comparison with other Bloom filter libraries

      The conformance suite accepts any `FilterProvider`, so it can also test the Bloom filters of other libraries. The module
      `peers` has an adapter for each of them. A program writes this page from the results.

      ## How to read the results

      Each of these libraries does well what it was designed for; most are older than Bloomery, which builds on what they
      found out. The rules are Bloomery's own contract ([RULES.md](RULES.md)). A broken rule is a difference from that contract
      in something that the library promises or that every Bloom filter promises; it is not a grade. A program that keeps many
      keys at 1 %% in one thread meets hardly any of these differences.

      - **Kept** and **broken** count the rules whose requirement is promised by the library's documentation or API. All
        libraries promise that no key is lost; those that take a number of keys and a rate promise that rate.
      - **Not promised** counts the rules that the library never promised, for the reason given in its section. The suite ran
        them as well, but their results count neither as kept nor as broken.
      - **Not applicable** counts rules for filters that merge, remove or grow, where the library's filter does not.
      - **Left out** are the rules that depend only on the adapter and on Bloomery's file format:
        %s.
        None of the libraries has attributes (R77, R81), limits in bytes (R78), a batch that removes (R79), a type known in
        advance (R80) or descriptions (R82). The adapter provides the first, the third and the fourth, enforces limits only at
        creation, and describes nothing.
      - **Missing operations** are provided by the adapter, in one place for all libraries: it copies by writing and reading
        the library's own bytes, clears by creating a new filter, queries before it puts if put returns nothing, and remembers
        hashes if there is no serialized form. Rules on such operations are not counted.

      ## Run it again

      This command writes the whole page, from a fresh clone, on Java 17 or 21, with the library versions pinned in the parent
      POM, in about three minutes:

      ```sh
      %s -Dpeers.write
      ```

      With `-Dpeers=NAME` in place of `-Dpeers.write`, it prints the section of one library, whose name is given there.

      The seed is fixed (%d), so that every verdict is reproducible except those on threads (R40 to R44, R56 to R58, R62,
      R68 to R70, R73); an example may name a different hash. Races can be missed. Where the library promises thread safety, the
      suite is run five times.

      `mvn verify` runs two of the libraries (Commons Collections and Lucene), compares their verdicts with this page, and checks
      the versions and the table against the rest of the page. The nightly profile also runs Parquet, Hive and ORC. The others are
      run only when the page is written, because all of them would take too long.

      ## Results

      """
          .formatted(
              Promises.OF_THE_ADAPTER.stream().map(Rule::name).collect(Collectors.joining(", ")),
              COMMAND,
              Judge.SEED);

  private static final String TABLE_HEAD =
      """
      | Library | Kept | Broken | Not promised | Not applicable | Broken rules |
      |---|---|---|---|---|---|
      """;

  private static final String COUNTEREXAMPLES =
      """

      Counterexamples are the smallest that the suite found: rules try small filters and mild rates first, and sequences of
      operations are shrunk. Each broken rule was examined by hand to make sure that the adapter is not the cause.
      """;
}
