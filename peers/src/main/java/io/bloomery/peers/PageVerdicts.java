package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.peers.Judge.Verdict;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses the verdicts on a peer from the text of the page. */
final class PageVerdicts {

  private static final Pattern ENTRY = Pattern.compile("- \\*\\*(.+?):\\*\\*(.*)");
  private static final Pattern ITEM = Pattern.compile("  - ([^:]+):.*");
  private static final Pattern NUMBER = Pattern.compile("R\\d+");

  private PageVerdicts() {}

  static Map<Rule, Verdict> read(String page, Peer peer) {
    String name = "- **Name:** `" + peer.card().name() + "`";
    List<String> lines = page.lines().toList();
    int start = lines.indexOf(name);
    if (start < 0) {
      throw new NoSuchElementException("no line of the page is '" + name + "'");
    }
    Map<Rule, Verdict> verdicts = new TreeMap<>();
    String label = "";
    for (String line : lines.subList(start, lines.size())) {
      if (line.isEmpty()) {
        break;
      }
      Matcher entry = ENTRY.matcher(line);
      Matcher item = ITEM.matcher(line);
      if (entry.matches()) {
        label = entry.group(1);
        add(entry.group(2), label, verdicts);
      } else if (item.matches()) {
        add(item.group(1), label, verdicts);
      }
    }
    return verdicts;
  }

  private static void add(String rules, String label, Map<Rule, Verdict> verdicts) {
    for (Verdict verdict : Verdict.values()) {
      if (label.equals(PeersPage.label(verdict))) {
        NUMBER
            .matcher(rules)
            .results()
            .forEach(rule -> verdicts.put(Rule.valueOf(rule.group()), verdict));
      }
    }
  }
}
