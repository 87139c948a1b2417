package io.bloomery.vector;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import jdk.incubator.vector.LongVector;

/**
 * Whether batches of some filters use vectors in this JVM. Plain Java answers at first. After so
 * many hashes that it can pay, a thread of its own lets vectors be compiled, as they take thousands
 * of times as long before, and measures both: reads from eight places are slow on some processors.
 */
final class Trial {

  private static final Logger LOG = System.getLogger("io.bloomery.vector");

  // Java 17 has no intrinsics for masks, and vectors take eight times as long as plain Java.
  private static final int FIRST_JAVA = 21;

  // From a quarter to half a second of queries in the cache. The trial takes 0.3 s, and as much of
  // the compiler's time.
  private static final int HASHES_BEFORE = 1 << 27;

  private static final int WORDS = 1 << 14; // of a second-level cache
  private static final int HASHES = 1 << 10;
  private static final int WARM_UPS = 1_000;
  private static final int PAIRS = 201; // one millisecond

  // On a busy processor the compiler may end after the calls that made it begin.
  private static final int UNCOMPILED = 20; // times as long as plain Java
  private static final int MEASUREMENTS = 20;
  private static final long PAUSE_MILLIS = 100;

  /** A batch in two implementations. */
  interface Race {

    /** Selects by one of them, as {@code FilterView.select} does. */
    int select(boolean vectors, long[] hashes, int from, int to, int[] hits);
  }

  private final String filters;
  private final double share;
  private final int warmUp;
  private final Supplier<Race> race;

  // Plain, as a lost or repeated count does no harm, and either answer is right at any time.
  private int hashesBefore;
  private boolean won;

  private boolean begun;

  /**
   * Creates a trial that is to come.
   *
   * @param filters which filters it is about, for the log
   * @param share the share of the time of plain Java in the race that filters take without vectors
   * @param warmUp the hashes of a call before the race: the compiler goes by counts of calls and
   *     loops
   * @param hashesBefore the number of hashes asked in batches before it, or 0 for no trial
   */
  Trial(String filters, double share, int warmUp, Supplier<Race> race, int hashesBefore) {
    this.filters = filters;
    this.share = share;
    this.warmUp = warmUp;
    this.race = race;
    this.hashesBefore = hashesBefore;
  }

  /**
   * Returns the trial of this JVM, which is to come only if vectors can be faster.
   *
   * @throws UnsupportedOperationException as {@link Lanes#require}
   */
  static Trial ofThisJvm(String filters, double share, int warmUp, Supplier<Race> race) {
    Lanes.require();
    Optional<String> slower =
        whySlower(Runtime.version().feature(), LongVector.SPECIES_PREFERRED.length());
    LOG.log(
        Level.DEBUG,
        "batches of {0} filters run without vectors{1}",
        filters,
        slower
            .map(reason -> ": " + reason)
            .orElse(" until " + HASHES_BEFORE + " hashes were asked and both are measured"));
    return new Trial(filters, share, warmUp, race, slower.isPresent() ? 0 : HASHES_BEFORE);
  }

  /** Returns why no trial is needed to know that vectors of so many longs are slower. */
  static Optional<String> whySlower(int java, int longs) {
    if (java < FIRST_JAVA) {
      return Optional.of("they are slower before Java " + FIRST_JAVA + ", and this is " + java);
    }
    return longs < Lanes.COUNT
        ? Optional.of(
            "they are slower with fewer than "
                + Lanes.COUNT
                + " longs than with none, and have "
                + longs)
        : Optional.empty();
  }

  /** Returns whether to use vectors for the next batch, of so many hashes. */
  boolean won(int hashes) {
    int left = hashesBefore;
    if (left > 0) {
      hashesBefore = Math.max(0, left - hashes);
      if (left <= hashes) {
        begin();
      }
    }
    return won;
  }

  private synchronized void begin() {
    if (begun) {
      return;
    }
    begun = true;
    Thread thread = new Thread(null, () -> end(isFaster()), "bloomery-vector-trial", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    try {
      thread.start();
    } catch (OutOfMemoryError e) {
      // No more threads can be created: plain Java goes on.
      return;
    }
  }

  /** Ends this trial. */
  void end(boolean vectorsWon) {
    won = vectorsWon;
  }

  /** Returns words of a table, half of whose bits are set. */
  static long[] words() {
    return new SplittableRandom(1).longs(WORDS).toArray();
  }

  /** Returns whether vectors take at least a tenth less time than filters without. */
  boolean isFaster() {
    Race race = this.race.get();
    long[] hashes = new SplittableRandom(2).longs(HASHES).toArray();
    int[] hits = new int[HASHES];
    // Plain Java in long calls too, as they are what is timed.
    for (int i = 0; i < WARM_UPS; i++) {
      time(race, true, hashes, warmUp, hits);
      time(race, false, hashes, warmUp, hits);
      time(race, false, hashes, HASHES, hits);
    }
    long median = 0;
    long ofPlain = 0;
    for (int i = 0; i < MEASUREMENTS; i++) {
      long[] vectors = new long[PAIRS];
      long[] plain = new long[PAIRS];
      for (int pair = 0; pair < PAIRS; pair++) {
        vectors[pair] = time(race, true, hashes, HASHES, hits);
        plain[pair] = time(race, false, hashes, HASHES, hits);
      }
      Arrays.sort(vectors);
      Arrays.sort(plain);
      median = vectors[PAIRS / 2];
      ofPlain = (long) (share * plain[PAIRS / 2]);
      if (median / UNCOMPILED <= ofPlain || !pause()) {
        break;
      }
    }
    boolean faster = median < ofPlain - ofPlain / 10;
    LOG.log(
        Level.DEBUG,
        "batches of {0} filters run {1}: {2} hashes take {3} ns with vectors, {4} without",
        filters,
        faster ? "with vectors of " + Lanes.COUNT + " longs" : "without vectors",
        HASHES,
        median,
        ofPlain);
    return faster;
  }

  /** Gives a processor to the compiler; returns false if this thread is interrupted. */
  private static boolean pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static long time(Race race, boolean vectors, long[] hashes, int batch, int[] hits) {
    long start = System.nanoTime();
    for (int i = 0; i < HASHES; i += batch) {
      race.select(vectors, hashes, i, i + batch, hits);
    }
    return System.nanoTime() - start;
  }
}
