package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.peers.Judge.Judgement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Writes {@code docs/peers.md}, or prints a part of it, when asked to. */
class WritePageTest {

  @Test
  @EnabledIfSystemProperty(named = "peers.write", matches = ".*")
  void writesThePage() throws IOException {
    List<Judgement> judgements = Peers.all().stream().map(Judge::judgeThoroughly).toList();
    Path file = Path.of("..", "docs", "peers.md");
    Files.writeString(file, new PeersPage(judgements).toString());
    assertTrue(Files.size(file) > 0);
  }

  @Test
  @EnabledIfSystemProperty(named = "peers", matches = ".+")
  void printsOnePart() {
    Peer peer = Peers.named(System.getProperty("peers"));
    String section = PeersPage.section(Judge.judgeThoroughly(peer));
    System.out.println(section);
    assertTrue(section.contains(peer.card().artifact()));
  }
}
