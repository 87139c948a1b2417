package io.bloomery.counting;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.MergeableFilter;
import io.bloomery.PayloadOutput;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
import io.bloomery.spi.Fit;
import io.bloomery.spi.Probes;
import io.bloomery.spi.Stripes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Optional;

/**
 * A Bloom filter of exact, unbounded counters: every put counts, and can be taken back.
 *
 * <p>A key has four positions in each of the two words of one block. Positions that coincide are
 * one: put and remove count it once.
 *
 * <p>Removing a key that was never put, but happens to be a false positive, cannot be detected: it
 * takes counts away from keys that share its positions, and those may then be missed.
 *
 * <p>Queries never wait. Puts and removes of one block take turns. While the filter is copied,
 * measured, written or merged, puts and removes wait; a merge copies the other filter first, so
 * that two filters can be merged into each other at the same time.
 */
final class CountingFilter implements RemovableFilter, MergeableFilter {

  // Any odd multiplier that spreads its bits would do: 2^64 divided by the golden ratio. The upper
  // bits of the hash choose the block; unmixed, they would choose bits in it, too.
  private static final long REMIX = 0x9e3779b97f4a7c15L;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final FilterSpec spec;
  private final CountingLayout layout;
  private final long blocks;
  private final Counters counters;
  private final long[] present;
  private final Stripes stripes; // null when confined

  private CountingFilter(
      FilterSpec spec, CountingLayout layout, Counters counters, Stripes stripes) {
    this.spec = spec;
    this.layout = layout;
    this.blocks = layout.blocks();
    this.counters = counters;
    this.present = counters.present();
    this.stripes = stripes;
  }

  /** Where counters come from: what overflows is kept by stripe, however many threads there are. */
  @FunctionalInterface
  interface Source<E extends Exception> {
    Counters make(int stripes) throws E;
  }

  static <E extends Exception> CountingFilter over(
      FilterSpec spec, CountingLayout layout, Source<E> source, ThreadMode mode) throws E {
    Stripes stripes = new Stripes((int) (layout.bits() / Long.SIZE));
    Counters counters = source.make(stripes.size());
    return new CountingFilter(spec, layout, counters, mode == ThreadMode.SHARED ? stripes : null);
  }

  @Override
  public boolean mightContain(long hash) {
    return test(hash) != 0;
  }

  /** Returns 1 if every position of a hash is present, else 0. */
  private int test(long hash) {
    int word = (int) Probes.position(hash, blocks) * 2;
    long pattern = hash * REMIX;
    long first = (long) WORDS.getOpaque(present, word);
    long second = (long) WORDS.getOpaque(present, word + 1);
    // Shifts take the lowest six bits of what they shift by.
    long all = first >>> (pattern >>> 58) & first >>> (pattern >>> 52);
    all &= first >>> (pattern >>> 46) & first >>> (pattern >>> 40);
    all &= second >>> (pattern >>> 34) & second >>> (pattern >>> 28);
    all &= second >>> (pattern >>> 22) & second >>> (pattern >>> 16);
    return (int) all & 1;
  }

  private static long first(long pattern) {
    return 1L << (pattern >>> 58)
        | 1L << (pattern >>> 52)
        | 1L << (pattern >>> 46)
        | 1L << (pattern >>> 40);
  }

  private static long second(long pattern) {
    return 1L << (pattern >>> 34)
        | 1L << (pattern >>> 28)
        | 1L << (pattern >>> 22)
        | 1L << (pattern >>> 16);
  }

  /** Returns where a hash is counted, four positions in each word of its block. */
  static long[] positions(long hash, long blocks) {
    long start = Probes.position(hash, blocks) * CountingLayout.BLOCK_BITS;
    long[] positions = new long[CountingLayout.PROBES];
    for (int i = 0; i < positions.length; i++) {
      long pattern = (hash * REMIX) >>> (58 - 6 * i);
      long word = i / CountingLayout.PROBES_PER_WORD;
      positions[i] = start + word * Long.SIZE + pattern % Long.SIZE;
    }
    return positions;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(hashes[i]);
    }
    return found;
  }

  @Override
  public boolean put(long hash) {
    int block = (int) Probes.position(hash, blocks);
    long pattern = hash * REMIX;
    if (stripes == null) {
      return counters.add(block, first(pattern), second(pattern));
    }
    int stripe = stripes.claim(block);
    try {
      return counters.add(block, first(pattern), second(pattern));
    } finally {
      stripes.release(stripe);
    }
  }

  @Override
  public boolean remove(long hash) {
    if (!mightContain(hash)) {
      return false; // without a claim: nothing is written
    }
    int block = (int) Probes.position(hash, blocks);
    long pattern = hash * REMIX;
    if (stripes == null) {
      return counters.remove(block, first(pattern), second(pattern));
    }
    int stripe = stripes.claim(block);
    try {
      return counters.remove(block, first(pattern), second(pattern));
    } finally {
      stripes.release(stripe);
    }
  }

  @Override
  public long approximateCount(long hash) {
    if (!mightContain(hash)) {
      return 0;
    }
    int block = (int) Probes.position(hash, blocks);
    long pattern = hash * REMIX;
    if (stripes == null) {
      return counters.least(block, first(pattern), second(pattern));
    }
    int stripe = stripes.claim(block);
    try {
      return counters.least(block, first(pattern), second(pattern));
    } finally {
      stripes.release(stripe);
    }
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public String variant() {
    return CountingProvider.VARIANT;
  }

  @Override
  public Map<String, Long> layout() {
    return layout.toMap();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The rate is the mean over the blocks of the share of hashes that each would answer with yes,
   * and {@code approximateKeys} the sum of their estimates, with a standard error of {@code
   * sqrt(blocks) * sqrt(128 (e^c - c - 1)) / 8} keys where {@code c = n/16/blocks}: below 1 % of n
   * from n = 1,000 at a rate of 1 %. It is too low where many blocks are full.
   */
  @Override
  public FilterStats stats() {
    holdWriters();
    try {
      return BlockStats.of(present);
    } finally {
      releaseWriters();
    }
  }

  @Override
  public CountingFilter copy() {
    return over(spec, layout, stripes -> snapshot(), mode());
  }

  private ThreadMode mode() {
    return stripes == null ? ThreadMode.CONFINED : ThreadMode.SHARED;
  }

  private Counters snapshot() {
    holdWriters();
    try {
      return counters.copy();
    } finally {
      releaseWriters();
    }
  }

  @Override
  public void clear() {
    counters.clear();
  }

  @Override
  public long payloadSize() {
    holdWriters();
    try {
      return counters.payloadSize();
    } finally {
      releaseWriters();
    }
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    holdWriters();
    try {
      counters.write(out);
    } finally {
      releaseWriters();
    }
  }

  private void holdWriters() {
    if (stripes != null) {
      stripes.claimAll();
    }
  }

  private void releaseWriters() {
    if (stripes != null) {
      stripes.releaseAll();
    }
  }

  /**
   * Adds the counts of {@code other}, exactly: what was put here i times and there j times can be
   * removed i + j times. Takes as much memory again as {@code other} for the time of the call.
   *
   * @throws IllegalArgumentException if {@link #mismatch} gives a reason, or if a count could
   *     exceed 2^62; nothing has changed
   */
  @Override
  public void putAll(Filter other) {
    mismatch(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters do not fit: " + reason);
            });
    // Never two filters held at once: two merges in opposite directions could wait for each other.
    Counters theirs = ((CountingFilter) other).snapshot();
    holdWriters();
    try {
      counters.addAll(theirs);
    } finally {
      releaseWriters();
    }
  }

  @Override
  public Optional<String> mismatch(Filter other) {
    if (other == this) {
      return Optional.of(
          "the other must not be this filter itself, which would double every count;"
              + " if that is wanted, merge a copy of it");
    }
    return Fit.mismatch(this, other);
  }

  @Override
  public String toString() {
    return variant() + layout + " for " + spec;
  }
}
