package io.bloomery.proof.schedule;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Puts of three threads into a shared filter of one key, which grows under them. */
public final class GrowthSchedules {

  private static final int PUTS = 8;
  private static final int THREADS = 3;

  private GrowthSchedules() {}

  /** No put is lost, and what a thread has put it finds at once, in each variant that grows. */
  public static void putsAtGrowth() throws Exception {
    for (FilterProvider provider : FilterProviders.installed().all()) {
      Filter filter = provider.create(FilterSpec.of(1, 0.01), ThreadMode.SHARED);
      if (filter.stats().grows()) {
        putInThreads(filter);
      }
    }
  }

  private static void putInThreads(Filter filter) throws Exception {
    long[] hashes = new SplittableRandom(1).longs(THREADS * PUTS).toArray();
    Thread[] threads = new Thread[THREADS];
    for (int i = 0; i < THREADS; i++) {
      int from = i * PUTS;
      threads[i] =
          Schedule.start(
              () -> {
                for (int j = from; j < from + PUTS; j++) {
                  filter.put(hashes[j]);
                  Schedule.check(filter.mightContain(hashes[j]), "found after the put");
                }
              });
    }
    for (Thread thread : threads) {
      thread.join();
    }
    Schedule.check(LongStream.of(hashes).allMatch(filter::mightContain), "found after all puts");
  }
}
