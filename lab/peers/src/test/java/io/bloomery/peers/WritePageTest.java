package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Writes the results of all peers, or of one of them, when asked to. */
class WritePageTest {

  private static final String WRITE = "peers.write";

  @Test
  @EnabledIfSystemProperty(named = WRITE, matches = ".*")
  void writesThePage() throws IOException {
    String name = System.getProperty(WRITE);
    List<Peer> peers =
        name.isEmpty() || name.equals("true") ? Peers.all() : List.of(Peers.named(name));
    Path file = Path.of("target", "peers-rules.md");
    Files.writeString(
        file, new PeersPage(peers.stream().map(Judge::judgeThoroughly).toList()).toString());
    assertTrue(Files.size(file) > 0);
  }
}
