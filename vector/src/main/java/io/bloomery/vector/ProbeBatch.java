package io.bloomery.vector;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.MULTIPLIER;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.RIGHT_ROTATION;
import static io.bloomery.internal.WordProbes.WORD_MASK;
import static io.bloomery.internal.WordProbes.product;
import static io.bloomery.vector.Lanes.HASHES;
import static io.bloomery.vector.Lanes.INDICES;

import io.bloomery.internal.WordProbes;
import java.lang.invoke.VarHandle;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.LongVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;

/** Queries by {@link io.bloomery.internal.WordProbes}, eight hashes at a time. */
final class ProbeBatch {
  // decisions.md#batches-of-other-variants-use-vectors-in-the-caches-after-a-trial

  // In the first hashes, how many are contained shows; then few rounds end with fewer than eight.
  private static final int SAMPLE = 32;
  private static final int SIZE = 512;

  // All probes at once if more are contained: that many do not pay for the rounds. Beyond the
  // second-level cache, the reads that rounds save are worth more.
  private static final double MANY = 0.4;
  private static final double MANY_BEYOND = 0.8;
  private static final int SECOND_LEVEL_WORDS = 1 << 18;

  private static final int HALF_OF_HASH = 2;

  private static final VectorShuffle<Integer>[] TO_FRONT = Lanes.shuffles();

  private ProbeBatch() {}

  /**
   * Selects as {@link io.bloomery.internal.ProbeKernel} does: asks two probes, two more of those
   * that remain, and then all others; or all at once.
   *
   * @param probes at least 4
   */
  static int select(
      long[] words,
      long range,
      int stride,
      int probes,
      long[] hashes,
      int from,
      int to,
      int[] hits) {
    VarHandle.loadLoadFence(); // makes puts of other threads visible to a caller that spins
    int found = 0;
    int size = SAMPLE;
    boolean atOnce = false;
    double many = words.length < SECOND_LEVEL_WORDS ? MANY : MANY_BEYOND;
    for (int start = from, end; start < to; start = end) {
      end = start + Math.min(size, to - start);
      int all = found + end - start;
      int left;
      if (atOnce) {
        left = keep(words, range, stride, 0, probes, hashes, start, hits, found, all);
      } else {
        left = keep(words, range, stride, 0, HALF_OF_HASH, hashes, start, hits, found, all);
        left =
            keep(words, range, stride, HALF_OF_HASH, HASH_PROBES, hashes, start, hits, found, left);
        left = keep(words, range, stride, HASH_PROBES, probes, hashes, start, hits, found, left);
      }
      atOnce = left - found > many * (end - start);
      found = left;
      size = SIZE;
    }
    return found;
  }

  /**
   * Keeps those of the hits from {@code found} to {@code end} that have the bits of some probes.
   *
   * @param first 0, or 2 or 4 if the hits are those of an earlier round
   * @param index the index of the first hash if {@code first} is 0: the hits are to be those from
   *     there on
   */
  // One method, for the reason in VectorKernel.
  private static int keep(
      long[] words,
      long range,
      int stride,
      int first,
      int last,
      long[] hashes,
      int index,
      int[] hits,
      int found,
      int end) {
    boolean begins = first == 0;
    LongVector factor = Lanes.factor(range);
    int shift = index - found;
    int halves = (Math.min(last, HASH_PROBES) - first) / HALF_OF_HASH;
    int left = found;
    int at = found;
    for (; at <= end - Lanes.COUNT; at += Lanes.COUNT) {
      LongVector hash;
      IntVector indices;
      if (begins) {
        hash = LongVector.fromArray(HASHES, hashes, shift + at);
        indices = IntVector.zero(INDICES);
      } else {
        hash = LongVector.fromArray(HASHES, hashes, 0, hits, at);
        indices = IntVector.fromArray(INDICES, hits, at);
      }
      LongVector bits = LongVector.broadcast(HASHES, 1);
      int offset = first * stride;
      LongVector probe = hash.lanewise(VectorOperators.ROL, (long) HASH_ROTATION * first);
      // Loops of constant length are unrolled. The places of indices that are read already are
      // those of the indices for gathers.
      for (int half = 0; half < halves; half++) {
        for (int i = 0; i < HALF_OF_HASH; i++) {
          ((IntVector)
                  probe
                      .and(WORD_MASK)
                      .mul(factor)
                      .lanewise(VectorOperators.LSHR, Integer.SIZE)
                      .convertShape(VectorOperators.L2I, INDICES, 0))
              .intoArray(hits, at);
          probe = probe.lanewise(VectorOperators.ROL, HASH_ROTATION);
          bits =
              LongVector.fromArray(HASHES, words, offset, hits, at)
                  .lanewise(VectorOperators.LSHR, probe)
                  .and(bits);
          offset += stride;
        }
      }
      LongVector product = hash;
      int next = HASH_PROBES;
      for (; next + PROBES_PER_PRODUCT <= last; next += PROBES_PER_PRODUCT) {
        product = product.mul(MULTIPLIER).lanewise(VectorOperators.ROR, RIGHT_ROTATION);
        probe = product;
        for (int i = 0; i < PROBES_PER_PRODUCT; i++) {
          ((IntVector)
                  probe
                      .and(WORD_MASK)
                      .mul(factor)
                      .lanewise(VectorOperators.LSHR, Integer.SIZE)
                      .convertShape(VectorOperators.L2I, INDICES, 0))
              .intoArray(hits, at);
          probe = probe.lanewise(VectorOperators.ROL, PRODUCT_ROTATION);
          bits =
              LongVector.fromArray(HASHES, words, offset, hits, at)
                  .lanewise(VectorOperators.LSHR, probe)
                  .and(bits);
          offset += stride;
        }
      }
      if (next < last) {
        probe = product.mul(MULTIPLIER).lanewise(VectorOperators.ROR, RIGHT_ROTATION);
        for (; next < last; next++) {
          ((IntVector)
                  probe
                      .and(WORD_MASK)
                      .mul(factor)
                      .lanewise(VectorOperators.LSHR, Integer.SIZE)
                      .convertShape(VectorOperators.L2I, INDICES, 0))
              .intoArray(hits, at);
          probe = probe.lanewise(VectorOperators.ROL, PRODUCT_ROTATION);
          bits =
              LongVector.fromArray(HASHES, words, offset, hits, at)
                  .lanewise(VectorOperators.LSHR, probe)
                  .and(bits);
          offset += stride;
        }
      }
      int set = (int) bits.compare(VectorOperators.NE, 0).toLong();
      if (begins) {
        IntVector.fromArray(INDICES, Lanes.ORDER, set * Lanes.COUNT)
            .add(shift + at)
            .intoArray(hits, left);
      } else {
        indices.rearrange(TO_FRONT[set]).intoArray(hits, left);
      }
      left += Integer.bitCount(set);
    }
    for (; at < end; at++) {
      int i = begins ? shift + at : hits[at];
      hits[left] = i;
      left += test(words, range, stride, last, hashes[i]);
    }
    return left;
  }

  /** Returns 1 if the bits of the first probes of a hash are set, else 0. */
  private static int test(long[] words, long range, int stride, int probes, long hash) {
    long bits = 1;
    long product = hash;
    long probe = hash;
    int offset = 0;
    for (int i = 0; i < probes; i++) {
      if (i >= HASH_PROBES && (i - HASH_PROBES) % PROBES_PER_PRODUCT == 0) {
        product = product(product);
        probe = product;
      }
      int place = offset + WordProbes.wordOfArray(probe, range);
      probe = Long.rotateLeft(probe, i < HASH_PROBES ? HASH_ROTATION : PRODUCT_ROTATION);
      bits &= words[place] >>> probe;
      offset += stride;
    }
    return (int) bits;
  }
}
