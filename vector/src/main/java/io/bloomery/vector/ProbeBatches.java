package io.bloomery.vector;

import io.bloomery.internal.Batches;
import io.bloomery.internal.ProbeKernel;
import io.bloomery.internal.ProbePasses;
import io.bloomery.internal.WordProbes;
import java.util.Arrays;

/** The kernel of batches in {@code standard} and {@code partitioned} filters. */
public final class ProbeBatches implements ProbeKernel {

  // What rounds in plain Java take of the time of passes, in the caches.
  private static final double OF_PASSES = 0.5;

  // Calls with shorter loops are compiled to code that takes a tenth more.
  private static final int WARM_UP = 256;

  private static final int PROBES = 7;

  private final Trial trial;

  /**
   * Creates a kernel, for ServiceLoader.
   *
   * @throws UnsupportedOperationException if plain Java is faster in this JVM, or the system
   *     property {@code bloomery.vectors} is {@code false}
   */
  public ProbeBatches() {
    this(Trial.ofThisJvm("standard and partitioned", OF_PASSES, WARM_UP, ProbeBatches::race));
  }

  ProbeBatches(Trial trial) {
    this.trial = trial;
  }

  /** Returns a race in two tables: one that contains few hashes, and one that contains all. */
  static Trial.Race race() {
    long[] few = Trial.words();
    long[] all = new long[few.length];
    Arrays.fill(all, -1);
    ProbePasses inFew = new ProbePasses(few, few.length, 0, PROBES);
    ProbePasses inAll = new ProbePasses(all, all.length, 0, PROBES);
    return (vectors, hashes, from, to, hits) ->
        vectors
            ? ProbeBatch.select(few, few.length, 0, PROBES, hashes, from, to, hits)
                + ProbeBatch.select(all, all.length, 0, PROBES, hashes, from, to, hits)
            : inFew.selectInPasses(hashes, from, to, hits)
                + inAll.selectInPasses(hashes, from, to, hits);
  }

  @Override
  public int select(
      Batches.Queries queries,
      long[] words,
      long range,
      int stride,
      int probes,
      long[] hashes,
      int from,
      int to,
      int[] hits) {
    return probes >= WordProbes.HASH_PROBES && trial.won(to - from)
        ? ProbeBatch.select(words, range, stride, probes, hashes, from, to, hits)
        : Batches.select(queries, hashes, from, to, hits);
  }
}
