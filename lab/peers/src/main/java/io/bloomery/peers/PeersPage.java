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

/** The results of all rules for each peer, in Markdown. */
final class PeersPage {

  private final List<Judgement> judgements;

  PeersPage(List<Judgement> judgements) {
    this.judgements = judgements;
  }

  /** Returns the text of the page. */
  @Override
  public String toString() {
    StringBuilder page = new StringBuilder(HEAD);
    judgements.forEach(
        judgement -> page.append(row(judgement.peer(), judgement.verdicts())).append('\n'));
    judgements.forEach(judgement -> page.append(section(judgement)));
    return page.toString();
  }

  /** Returns the row of a peer in the table. */
  static String row(Peer peer, Map<Rule, Verdict> verdicts) {
    Map<Verdict, Set<Rule>> byVerdict = new EnumMap<>(Verdict.class);
    for (Verdict verdict : Verdict.values()) {
      byVerdict.put(verdict, rules(verdicts, verdict));
    }
    return "| "
        + peer.card().title()
        + " | `"
        + peer.card().artifact()
        + "`"
        + byVerdict.values().stream()
            .map(rules -> " | " + rules.size())
            .collect(Collectors.joining())
        + " | "
        + list(byVerdict.get(Verdict.BROKEN))
        + " |";
  }

  /** Returns the section about one peer. */
  private static String section(Judgement judgement) {
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
      item(section, rule.name(), rule.title() + ". Counterexample: " + example);
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
  private static String label(Verdict verdict) {
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

  private static final String HEAD =
      """
      # Peers: rule by rule

      What each rule of the conformance suite says of other libraries, with the smallest counterexample that it found.

      | Library | Artifact | Kept | Broken | Not promised | Not applicable | Broken rules |
      |---|---|---|---|---|---|---|
      """;
}
