package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Writes {@code docs/peers.md}, or prints a part of it, when asked to. */
class WritePageTest {

  @Test
  @EnabledIfSystemProperty(named = "peers.write", matches = ".*")
  void writesThePage() throws IOException {
    Path docs = Path.of("..", "docs");
    PeersPage.write(docs);
    assertTrue(Files.size(docs.resolve("peers.md")) > 0);
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
