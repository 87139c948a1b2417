package io.bloomery.file;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** A JVM of its own that asks a mapped filter, compiled, whose file is truncated meanwhile. */
final class TruncatedMapProcess {

  private static final int BATCH = 1_000;
  private static final int WARM_UP = 3_000;

  private TruncatedMapProcess() {}

  /** Saves a filter, maps and truncates it, and says what it answers then. */
  public static void main(String[] arguments) throws IOException {
    Path path = Path.of(arguments[0]);
    FilterProvider provider = new MappingProvider();
    Filter filter = provider.create(FilterSpec.of(2_000_000, 0.01), ThreadMode.CONFINED);
    long[] hashes = new SplittableRandom(1).longs(BATCH).toArray();
    for (long hash : hashes) {
      filter.put(hash);
    }
    FilterFiles.save(filter, path);
    try (MappedFilter mapped = Bloomery.with(provider).files().map(path)) {
      int[] hits = new int[BATCH];
      for (int i = 0; i < WARM_UP; i++) {
        mapped.select(hashes, 0, BATCH, hits);
      }
      mapped.stats();
      mapped.verify();
      try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE)) {
        channel.truncate(4096);
      }
      for (int i = 0; i < 3; i++) {
        say("select", () -> mapped.select(hashes, 0, BATCH, hits));
        say("stats", mapped::stats);
        say("verify", mapped::verify);
      }
    }
    System.out.println("end");
  }

  private static void say(String what, Supplier<Object> question) {
    try {
      System.out.println(what + " answers " + question.get());
    } catch (FilterUnavailableException e) {
      System.out.println(what + " " + e.getMessage().replaceAll("the file .* must", "must"));
    }
  }
}
