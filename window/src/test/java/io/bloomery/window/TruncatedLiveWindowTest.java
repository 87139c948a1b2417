package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A live window whose file another program cuts off, in a process that this may end. */
class TruncatedLiveWindowTest {

  @TempDir Path folder;

  /** Prints what calls throw whose file is truncated, and then the others that there were. */
  public static void main(String[] arguments) throws IOException {
    Path file = Path.of(arguments[0]);
    LiveSlidingBloomFilter<Long> live =
        SlidingBloomFilter.builder(Bloomery.longs().expect(300_000).fpp(1e-4)).openOrCreate(file);
    LongStream.range(0, 100_000).forEach(live::put); // compiled
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(1 << 15);
    }
    long[] hashes = new SplittableRandom(1).longs(100).toArray();
    int[] hits = new int[hashes.length];
    List<Long> keys = LongStream.range(0, 100).boxed().toList();
    for (LongConsumer call :
        List.<LongConsumer>of(
            key -> live.put(key),
            key -> live.putIfAbsent(key),
            key -> live.filter().select(hashes, 0, hashes.length, hits),
            key -> live.select(keys))) {
      Set<String> thrown = new TreeSet<>();
      for (long key = 1_000_000; key < 1_000_100; key++) {
        try {
          call.accept(key);
        } catch (FilterUnavailableException | UncheckedIOException e) {
          thrown.add(e.getMessage().replaceAll(".*(must keep .* disk, while).*", "$1"));
        } catch (Throwable e) {
          thrown.add(e.toString());
        }
      }
      System.out.println(thrown);
    }
  }

  @Test
  void putsAndBatchesOfATruncatedFileSayWhatIsWrong() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                TruncatedLiveWindowTest.class.getName(),
                folder.resolve("a.live").toString())
            .redirectErrorStream(true)
            .start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("[must keep its length, and its room on the disk, while]\n".repeat(4), out);
  }
}
