package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.Rule;
import io.bloomery.peers.Judge.Judgement;
import io.bloomery.peers.Judge.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds {@code docs/peers.md} against the libraries. */
class PeersPageTest {

  /** Rules on threads, which can come out differently on each run where nothing is promised. */
  private static final Set<Rule> RACES =
      Set.of(
          Rule.R40, Rule.R41, Rule.R42, Rule.R43, Rule.R44, Rule.R56, Rule.R57, Rule.R58, Rule.R62,
          Rule.R68, Rule.R69, Rule.R70, Rule.R73);

  private static final String ADVICE =
      "write the page anew: " + PeersPage.COMMAND + " -Dpeers.write";

  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("..", "docs", "peers.md"));
  }

  static List<Peer> peers() {
    return Peers.all();
  }

  @Test
  void agreesWithARun() {
    checkAgrees("collections");
  }

  // A quarter of a minute each, to find that a rule or a library has changed.
  @ParameterizedTest
  @Tag("nightly")
  @ValueSource(strings = {"lucene", "parquet", "hive", "orc"})
  void agreesWithALongerRun(String name) {
    checkAgrees(name);
  }

  private static void checkAgrees(String name) {
    Judgement judgement = Judge.judge(Peers.named(name));
    Map<Rule, Verdict> run = judgement.verdicts();
    Map<Rule, Verdict> written = PageVerdicts.read(page, judgement.peer());
    run.keySet().removeAll(RACES);
    written.keySet().removeAll(RACES);
    assertEquals(run, written, ADVICE);
  }

  @ParameterizedTest
  @MethodSource("peers")
  void namesEachLibraryWithItsVersion(Peer peer) {
    assertTrue(page.contains("\n## " + peer.card().title() + "\n"), ADVICE);
    assertTrue(page.contains("- **Artifact:** `" + peer.card().artifact() + "`"), ADVICE);
    assertTrue(page.contains("- **Hashes:** " + peer.card().hashes() + "\n"), ADVICE);
    assertTrue(page.contains("- **Sizing:** " + peer.card().sizing() + "\n"), ADVICE);
  }

  @ParameterizedTest
  @MethodSource("peers")
  void countsWhatItLists(Peer peer) {
    String row = PeersPage.row(peer, PageVerdicts.read(page, peer));
    assertTrue(page.contains("\n" + row + "\n"), () -> row + " must be on the page; " + ADVICE);
  }

  @ParameterizedTest
  @MethodSource("peers")
  void countsNothingThatWasNeverPromised(Peer peer) {
    PageVerdicts.read(page, peer)
        .forEach(
            (rule, verdict) -> {
              boolean counted = verdict == Verdict.KEPT || verdict == Verdict.BROKEN;
              assertTrue(
                  !counted || peer.promises().reason(rule).isEmpty(), () -> rule + "; " + ADVICE);
            });
  }

  @Test
  void hasARowForEachRuleThatIsNotOfTheAdapter() {
    int rules = Rule.values().length - Promises.OF_THE_ADAPTER.size();
    for (Peer peer : Peers.all()) {
      assertEquals(rules, PageVerdicts.read(page, peer).size(), peer.variant() + "; " + ADVICE);
    }
  }
}
