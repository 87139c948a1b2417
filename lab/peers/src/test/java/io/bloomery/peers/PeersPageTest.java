package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.Rule;
import io.bloomery.peers.Judge.Judgement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares {@code docs/peers.md} with the libraries. */
class PeersPageTest {

  private static final Pattern RULE = Pattern.compile("R\\d\\d");
  private static final String ADVICE =
      "; correct docs/peers.md by what this writes to lab/peers/target/peers-rules.md: mvn -q test"
          + " -pl lab/peers -am -Dtest=PeersPageTest#writesThePage -DfailIfNoTests=false"
          + " -Dsurefire.failIfNoSpecifiedTests=false -Dpeers.write";

  private static final String WRITE = "peers.write";

  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("..", "..", "docs", "peers.md"));
  }

  static List<Peer> peers() {
    return Peers.all();
  }

  /** Writes the results of all libraries, or of the one that is named. */
  @Test
  @EnabledIfSystemProperty(named = WRITE, matches = ".*")
  void writesThePage() throws IOException {
    String name = System.getProperty(WRITE);
    List<Peer> peers =
        name.isEmpty() || name.equals("true") ? Peers.all() : List.of(Peers.named(name));
    List<Judgement> judgements = peers.stream().map(Judge::judgeThoroughly).toList();
    Files.writeString(Path.of("target", "peers-rules.md"), new PeersPage(judgements).toString());
  }

  // A quarter of a minute each, to find that a rule or a library has changed. The verdicts of a
  // library that promises thread safety may differ from run to run, and are not compared.
  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"collections", "lucene", "parquet", "hive", "orc"})
  void agreesWithARun(String name) {
    checkAgrees(name);
  }

  private static void checkAgrees(String name) {
    Judgement judgement = Judge.judge(Peers.named(name));
    assertEquals(
        PeersPage.row(judgement.peer(), judgement.verdicts()), row(judgement.peer()), ADVICE);
  }

  /** Returns the row of the page about a peer. */
  private static String row(Peer peer) {
    String start = "| " + peer.card().title() + " | `" + peer.card().artifact() + "` |";
    return page.lines()
        .filter(line -> line.startsWith(start))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row begins with " + start + ADVICE));
  }

  @ParameterizedTest
  @MethodSource("peers")
  void countsEveryRuleThatIsNotOfTheAdapter(Peer peer) {
    String row = row(peer);
    Matcher counts =
        Pattern.compile("\\| (\\d+) \\| (\\d+) \\| (\\d+) \\| (\\d+) \\| ([^|]+) \\|$")
            .matcher(row);
    assertTrue(counts.find(), row);
    int sum = 0;
    for (int i = 1; i <= 4; i++) {
      sum += Integer.parseInt(counts.group(i));
    }
    assertEquals(Rule.values().length - Promises.OF_THE_ADAPTER.size(), sum, row + ADVICE);
    List<Rule> broken = rules(counts.group(5)).toList();
    assertEquals(Integer.parseInt(counts.group(2)), broken.size(), row);
    for (Rule rule : broken) {
      assertTrue(peer.promises().reason(rule).isEmpty(), () -> rule + " in " + row + ADVICE);
      String sentence = "- " + rule + ": " + rule.title();
      assertTrue(page.contains("\n" + sentence), () -> sentence + " must be on the page");
    }
  }

  @Test
  void namesTheRulesThatDependOnTheAdapterAlone() {
    String list =
        Promises.OF_THE_ADAPTER.stream().map(Rule::name).collect(Collectors.joining(", "));
    assertTrue(page.contains(list), "the page must have " + list);
  }

  private static Stream<Rule> rules(String text) {
    return RULE.matcher(text).results().map(found -> Rule.valueOf(found.group()));
  }
}
