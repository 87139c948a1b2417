package io.bloomery.vector;

import io.bloomery.blocked.BlockedKernel;
import java.lang.System.Logger.Level;
import java.util.Arrays;
import java.util.SplittableRandom;
import jdk.incubator.vector.LongVector;

/**
 * Whether batches use {@link TwoWordBatch} in this JVM. Plain Java answers at first. After so many
 * hashes that it can pay, a thread of its own lets vectors be compiled, as they take thousands of
 * times as long before, and measures both: reads from eight places are slow on some processors.
 */
final class Trial {

  // Java 17 has no intrinsics for masks, and vectors take eight times as long as plain Java.
  private static final int FIRST_JAVA = 21;

  // A quarter of a second of queries in the cache. The trial takes 0.3 s, and as much of the
  // compiler's time.
  private static final int HASHES_BEFORE = 1 << 27;

  private static final BlockedKernel PLAIN = BlockedKernel.plain();

  private static final int WORDS = 1 << 14; // of a second-level cache
  private static final int HASHES = 1 << 10;
  private static final int WARM_UPS = 1_000;
  private static final int PAIRS = 201; // one millisecond

  // Plain, as a lost or repeated count does no harm, and either answer is right at any time.
  private int hashesBefore;
  private boolean won;

  private boolean begun;

  /**
   * Creates a trial that is to come.
   *
   * @param hashesBefore the number of hashes asked in batches before it, or 0 for no trial
   */
  Trial(int hashesBefore) {
    this.hashesBefore = hashesBefore;
  }

  /** Returns the trial of this JVM, which is to come only if vectors can be faster. */
  static Trial ofThisJvm() {
    boolean possible =
        Runtime.version().feature() >= FIRST_JAVA
            && LongVector.SPECIES_PREFERRED.length() >= TwoWordBatch.LANES;
    return new Trial(possible ? HASHES_BEFORE : 0);
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

  /** Returns whether vectors take at least a tenth less time than plain Java. */
  private static boolean isFaster() {
    SplittableRandom random = new SplittableRandom(1);
    long[] words = random.longs(WORDS).toArray();
    long[] hashes = random.longs(HASHES).toArray();
    int[] hits = new int[HASHES];
    // Short calls, as the compiler counts calls.
    for (int i = 0; i < WARM_UPS; i++) {
      long vectors = time(true, words, hashes, TwoWordBatch.LANES, hits);
      if (vectors < 2 * time(false, words, hashes, TwoWordBatch.LANES, hits)) {
        break;
      }
    }
    long[] vectors = new long[PAIRS];
    long[] plain = new long[PAIRS];
    for (int i = 0; i < PAIRS; i++) {
      vectors[i] = time(true, words, hashes, HASHES, hits);
      plain[i] = time(false, words, hashes, HASHES, hits);
    }
    Arrays.sort(vectors);
    Arrays.sort(plain);
    long median = vectors[PAIRS / 2];
    long ofPlain = plain[PAIRS / 2];
    boolean faster = median < ofPlain - ofPlain / 10;
    System.getLogger("io.bloomery.vector")
        .log(
            Level.DEBUG,
            "batches of blocked filters run {0} vectors: {1} hashes take {2} ns with, {3} without",
            faster ? "with" : "without",
            HASHES,
            median,
            ofPlain);
    return faster;
  }

  private static long time(boolean vectors, long[] words, long[] hashes, int batch, int[] hits) {
    long start = System.nanoTime();
    for (int i = 0; i < HASHES; i += batch) {
      if (vectors) {
        TwoWordBatch.select(words, hashes, i, i + batch, hits, 0);
      } else {
        PLAIN.selectTwoWords(words, hashes, i, i + batch, hits, 0);
      }
    }
    return System.nanoTime() - start;
  }
}
