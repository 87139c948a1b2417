package io.bloomery.peers;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each adapter hands over what it is given, and reads what it wrote; all else the rules check when
 * their page is written.
 */
class PeerTest {

  private static final FilterSpec SPEC = FilterSpec.of(1_000, 0.01);
  private static final int KEYS = 500;

  static List<Peer> peers() {
    return Peers.all().stream().filter(Peer::runsHere).toList();
  }

  private static long[] hashes(long seed) {
    return new SplittableRandom(seed).longs(KEYS).toArray();
  }

  private static Filter filled(Peer peer) {
    Filter filter = peer.create(SPEC, ThreadMode.SHARED);
    for (long hash : hashes(1)) {
      filter.put(hash);
    }
    return filter;
  }

  private static void checkContains(Filter filter) {
    for (long hash : hashes(1)) {
      assertTrue(filter.mightContain(hash), () -> hash + " in " + filter);
    }
  }

  static List<Peer> peersWithoutThreads() {
    return peers().stream().filter(peer -> !peer.promises().threadSafe()).toList();
  }

  @ParameterizedTest
  @MethodSource("peersWithoutThreads")
  void losesNothingThatTwoThreadsPutIntoWhatPromisesNothingAboutThreads(Peer peer)
      throws InterruptedException {
    int count = 10_000;
    Filter filter = peer.create(FilterSpec.of(2L * count, 0.01), ThreadMode.SHARED);
    long[] here = new SplittableRandom(3).longs(count).toArray();
    long[] there = new SplittableRandom(4).longs(count).toArray();
    Thread other = new Thread(() -> filter.putAll(there, 0, count));
    other.start();
    filter.putAll(here, 0, count);
    other.join();
    for (int i = 0; i < count; i++) {
      assertTrue(filter.mightContain(here[i]), filter::toString);
      assertTrue(filter.mightContain(there[i]), filter::toString);
    }
  }

  @ParameterizedTest
  @MethodSource("peers")
  void readsWhatItWrote(Peer peer) throws IOException {
    Filter filter = filled(peer);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    Filter read =
        Bloomery.with(peer)
            .files()
            .read(new ByteArrayInputStream(out.toByteArray()), OpenOptions.shared());
    checkContains(read);
    assertEquals(filter.layout(), read.layout());
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    FilterFiles.write(read, again);
    assertArrayEquals(out.toByteArray(), again.toByteArray());
  }
}
