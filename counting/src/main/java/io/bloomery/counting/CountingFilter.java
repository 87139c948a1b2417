package io.bloomery.counting;

import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.MergeableFilter;
import io.bloomery.PayloadOutput;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
import io.bloomery.spi.Fit;
import io.bloomery.spi.Stripes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A Bloom filter of exact, unbounded counters: every put counts, and can be taken back.
 *
 * <p>A key has two to four positions in each of the two words of one block, the fewer the higher
 * the rate. Positions that coincide are one: put and remove count it once.
 *
 * <p>Removing a key that was never put, but happens to be a false positive, cannot be detected: it
 * takes counts away from keys that share its positions, and those may then be missed.
 *
 * <p>Queries never wait. Puts and removes of one block take turns. While the filter is copied,
 * measured, written or merged, puts and removes wait, in a merge those of both filters.
 */
final class CountingFilter implements RemovableFilter, MergeableFilter {

  // Lower bits of a hash, of which 24 choose positions in the block that the others have chosen.
  private static final int UNUSED_BY_BLOCK = 30;

  // Where more than two positions a word are wanted, their bits come from the upper end of a
  // product, which depends on all bits. Any odd multiplier that spreads them would do: 2^64 divided
  // by the golden ratio.
  private static final long REMIX = 0x9e3779b97f4a7c15L;
  private static final int THIRD_SHIFT = 58;

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  // Words in 1 MiB, a common size of second-level caches.
  static final int CACHED = 1 << 17;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private static final AtomicLong MADE = new AtomicLong();

  private final long made = MADE.getAndIncrement();
  private final FilterSpec spec;
  private final CountingLayout layout;
  private final long blocks;
  private final int lastShift;
  private final Counters counters;
  private final long[] present;
  private final long[] counts;
  private final Stripes stripes; // null when confined

  private CountingFilter(
      FilterSpec spec, CountingLayout layout, Counters counters, Stripes stripes) {
    this.spec = spec;
    this.layout = layout;
    this.blocks = layout.blocks();
    this.lastShift = lastShift(layout);
    this.counters = counters;
    this.present = counters.present();
    this.counts = counters.counts();
    this.stripes = stripes;
  }

  /** Returns how far the product is shifted for a key's last position in a word. */
  static int lastShift(CountingLayout layout) {
    return THIRD_SHIFT - 6 * (layout.probesPerWord() - 3);
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
    // Without the fence, a caller's loop that waits for another thread's put is compiled into one
    // that reads the words once and never ends.
    VarHandle.loadLoadFence();
    return test(present, blocks, lastShift, hash);
  }

  /** Returns the block of a hash: its upper 34 bits, as a fraction of 2^34, of all blocks. */
  static int block(long hash, long blocks) {
    return (int) (((hash >>> UNUSED_BY_BLOCK) * blocks) >>> (Long.SIZE - UNUSED_BY_BLOCK));
  }

  /** Returns whether every position of a hash is present. */
  private static boolean test(long[] present, long blocks, int lastShift, long hash) {
    int word = block(hash, blocks) * CountingLayout.BLOCK_WORDS;
    long missing = first(hash, lastShift) & ~present[word];
    missing |= second(hash, lastShift) & ~present[word + 1];
    return missing == 0;
  }

  /** Returns the positions of a hash in the first word of its block. */
  static long first(long hash, int lastShift) {
    // Shifts take the lowest six bits of what they shift by.
    long mask = 1L << hash | 1L << (hash >>> 6);
    return lastShift > THIRD_SHIFT ? mask : mask | further(hash * REMIX, lastShift);
  }

  static long second(long hash, int lastShift) {
    long mask = 1L << (hash >>> 12) | 1L << (hash >>> 18);
    return lastShift > THIRD_SHIFT ? mask : mask | further((hash * REMIX) << 12, lastShift);
  }

  /** Returns the positions in a word beyond two. */
  private static long further(long product, int lastShift) {
    long mask = 0;
    for (int shift = THIRD_SHIFT; shift >= lastShift; shift -= 6) {
      mask |= 1L << (product >>> shift);
    }
    return mask;
  }

  /** Returns where a hash is counted, equally often in each word of its block. */
  static long[] positions(long hash, long blocks, int probesPerWord) {
    // As in block, but for more blocks than an array has room for.
    long block = Math.multiplyHigh((hash >>> UNUSED_BY_BLOCK) << 10, blocks << 20);
    long start = block * CountingLayout.BLOCK_BITS;
    long[] positions = new long[CountingLayout.BLOCK_WORDS * probesPerWord];
    for (int i = 0; i < positions.length; i++) {
      int word = i / probesPerWord;
      int inWord = i % probesPerWord;
      long field =
          inWord < 2
              ? hash >>> (12 * word + 6 * inWord)
              : (hash * REMIX) >>> (THIRD_SHIFT - 12 * word - 6 * (inWord - 2));
      positions[i] = start + (long) word * Long.SIZE + Math.floorMod(field, Long.SIZE);
    }
    return positions;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      if (fetchPresent(hashes, i, end)) {
        found = selectFetched(hashes, i, end, hits, found);
      }
    }
    return found;
  }

  private int selectFetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] present = this.present;
    long blocks = this.blocks;
    int lastShift = this.lastShift;
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(present, blocks, lastShift, hashes[i]) ? 1 : 0;
    }
    return found;
  }

  /**
   * Brings what queries of a batch will read into the cache, unless all of it fits there: loads
   * that wait for nothing, many of them at a time.
   *
   * @return false if not one bit is set in those words, so that no hash is contained
   */
  private boolean fetchPresent(long[] hashes, int from, int to) {
    long[] present = this.present;
    long blocks = this.blocks;
    if (present.length <= CACHED) {
      return true;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      // Never across two cache lines; so one word is enough, but one that says something.
      any |= (long) WORDS.getOpaque(present, block(hashes[i], blocks) * CountingLayout.BLOCK_WORDS);
    }
    return any != 0;
  }

  /** Does the same for puts and removes, which read and write the counts too. */
  private void fetchCounts(long[] hashes, int from, int to) {
    long[] counts = this.counts;
    long blocks = this.blocks;
    if (counts.length <= CACHED) {
      return;
    }
    for (int i = from; i < to; i++) {
      int low = block(hashes[i], blocks) * Counters.COUNT_WORDS;
      // Every other block lies across two cache lines.
      WORDS.getOpaque(counts, low);
      WORDS.getOpaque(counts, low + Counters.COUNT_WORDS - 1);
    }
  }

  @Override
  public boolean put(long hash) {
    int block = block(hash, blocks);
    if (stripes == null) {
      return counters.add(block, first(hash, lastShift), second(hash, lastShift));
    }
    int stripe = stripes.claim(block);
    try {
      return counters.add(block, first(hash, lastShift), second(hash, lastShift));
    } finally {
      stripes.release(stripe);
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      fetchPresent(hashes, i, end);
      fetchCounts(hashes, i, end);
      for (int j = i; j < end; j++) {
        try {
          added += put(hashes[j]) ? 1 : 0;
        } catch (FilterFullException e) {
          throw e.inBatch(j - from, to - from);
        }
      }
    }
    return added;
  }

  @Override
  public boolean remove(long hash) {
    int block = block(hash, blocks);
    if (stripes == null) {
      return counters.remove(block, first(hash, lastShift), second(hash, lastShift));
    }
    if (!mightContain(hash)) {
      return false; // without a claim: nothing is written
    }
    int stripe = stripes.claim(block);
    try {
      return counters.remove(block, first(hash, lastShift), second(hash, lastShift));
    } finally {
      stripes.release(stripe);
    }
  }

  @Override
  public long approximateCount(long hash) {
    if (!mightContain(hash)) {
      return 0;
    }
    int block = block(hash, blocks);
    if (stripes == null) {
      return counters.least(block, first(hash, lastShift), second(hash, lastShift));
    }
    int stripe = stripes.claim(block);
    try {
      return counters.least(block, first(hash, lastShift), second(hash, lastShift));
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
   * sqrt(blocks) * sqrt(128 (e^c - c - 1)) / k} keys where {@code k} are the probes of a key and
   * {@code c = k n / (128 blocks)}: below 1 % of n from n = 1,000 at a rate of 1 %. It is too low
   * where many blocks are full.
   */
  @Override
  public FilterStats stats() {
    holdWriters();
    try {
      return BlockStats.of(i -> present[(int) i], layout);
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
   * removed i + j times. Puts and removes of both filters wait.
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
    CountingFilter from = (CountingFilter) other;
    // Both in the same order whichever way they are merged, or two merges could wait for each
    // other.
    CountingFilter older = made < from.made ? this : from;
    CountingFilter newer = older == this ? from : this;
    older.holdWriters();
    try {
      newer.holdWriters();
      try {
        counters.addAll(from.counters);
      } finally {
        newer.releaseWriters();
      }
    } finally {
      older.releaseWriters();
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
