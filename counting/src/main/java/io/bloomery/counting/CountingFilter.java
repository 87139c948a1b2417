package io.bloomery.counting;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import io.bloomery.internal.Stripes;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of exact, unbounded counters: every put counts, and can be taken back.
 *
 * <p>A key has one to four positions in each of the two words of one block, the fewer the higher
 * the rate. Two never coincide; of three or four those that do are one: put and remove count it
 * once.
 *
 * <p>Removing a key that was never put, but happens to be a false positive, cannot be detected: it
 * takes counts away from keys that share its positions, and those may then be missed.
 *
 * <p>Queries never wait. Puts and removes of one block take turns. While the filter is copied,
 * measured, written or merged, puts and removes wait, in a merge those of both filters.
 */
final class CountingFilter implements RemovableFilter, MergeableFilter {

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  // Words in 1 MiB, a common size of second-level caches.
  static final int CACHED = 1 << 17;

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

  private static final AtomicLong MADE = new AtomicLong();

  private final long made = MADE.getAndIncrement();
  private final FilterSpec spec;
  private final CountingLayout layout;
  private final FilterLimits limits;
  private final int probesPerWord;
  private final long length; // of present: a long, as it is multiplied by
  private final Counters counters;
  private final long[] present;
  private final int[] counts;
  private final @Nullable Stripes stripes; // null when confined

  private CountingFilter(
      FilterSpec spec,
      CountingLayout layout,
      FilterLimits limits,
      Counters counters,
      @Nullable Stripes stripes) {
    this.spec = spec;
    this.layout = layout;
    this.limits = limits;
    this.probesPerWord = layout.probesPerWord();
    this.counters = counters;
    this.present = counters.present();
    this.length = present.length;
    this.counts = counters.counts();
    this.stripes = stripes;
  }

  /** Where counters come from: what spills is kept by stripe, however many threads there are. */
  @FunctionalInterface
  interface Source<E extends Exception> {
    Counters make(int stripes) throws E;
  }

  static <E extends Exception> CountingFilter make(
      FilterSpec spec,
      CountingLayout layout,
      FilterLimits limits,
      ThreadMode mode,
      Source<E> source)
      throws E {
    // One for two KiB of present bits, with whose counts they are three or four: a lock takes 64
    // bytes, and deleting shall cost twice a Bloom filter, not more.
    Stripes stripes = new Stripes((int) (layout.bits() / Long.SIZE / 2));
    Counters counters = source.make(stripes.size());
    return new CountingFilter(
        spec, layout, limits, counters, mode == ThreadMode.SHARED ? stripes : null);
  }

  @Override
  public boolean mightContain(long hash) {
    // Without the fence, a caller's loop that waits for another thread's put is compiled into one
    // that reads the words once and never ends.
    VarHandle.loadLoadFence();
    return test(present, length, probesPerWord, hash);
  }

  /** Returns whether every position of a hash is present. */
  private static boolean test(long[] present, long length, int probesPerWord, long hash) {
    int word = BlockProbes.word(hash, length);
    int other = BlockProbes.other(word);
    // Asked first, so that the number need not be kept while words are read.
    return probesPerWord == BlockProbes.PAIR
        ? BlockProbes.missingOfPair(present[word], present[other], hash) == 0
        : BlockProbes.missing(present[word], present[other], hash, probesPerWord) == 0;
  }

  /** Returns the first word of a hash. */
  private int word(long hash) {
    return BlockProbes.word(hash, length);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      if (prefetchPresent(hashes, i, end)) {
        found = selectPrefetched(hashes, i, end, hits, found);
      }
    }
    return found;
  }

  private int selectPrefetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] present = this.present;
    long length = this.length;
    int probesPerWord = this.probesPerWord;
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(present, length, probesPerWord, hashes[i]) ? 1 : 0;
    }
    return found;
  }

  /**
   * Brings what queries of a batch will read into the cache, unless all of it fits there: loads
   * that wait for nothing, many of them at a time.
   *
   * @return false if not one bit is set in those words, so that no hash is contained
   */
  private boolean prefetchPresent(long[] hashes, int from, int to) {
    long[] present = this.present;
    if (present.length <= CACHED) {
      return true;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      // Never across two cache lines; so one word is enough, but one that says something.
      any |= (long) WORDS.getOpaque(present, word(hashes[i]));
    }
    return any != 0;
  }

  /** Does the same for puts and removes, which read and write the counts too. */
  private void prefetchBlocks(long[] hashes, int from, int to) {
    long[] present = this.present;
    int[] counts = this.counts;
    if (present.length <= CACHED) {
      return;
    }
    long length = this.length;
    int size = layout.countInts();
    long all = -1;
    for (int i = from; i < to; i++) {
      int word = BlockProbes.word(hashes[i], length);
      int at = block(word) * size;
      all &= (long) WORDS.getOpaque(present, word);
      // Some blocks' counts lie across two cache lines.
      all &= (int) INTS.getOpaque(counts, at) & (int) INTS.getOpaque(counts, at + size - 1);
    }
    if (all == -1) {
      // What is read must be of use, or the compiler leaves the loads out. A fence is, and never
      // comes to pass but where all these keys are of blocks with more keys than bits.
      VarHandle.acquireFence();
    }
  }

  private static int block(int word) {
    return word / CountingLayout.BLOCK_WORDS;
  }

  private long first(long hash) {
    return BlockProbes.first(hash, probesPerWord);
  }

  private long second(long hash) {
    return BlockProbes.second(hash, probesPerWord);
  }

  @Override
  public boolean put(long hash) {
    int word = word(hash);
    if (stripes == null) {
      return counters.add(word, first(hash), second(hash));
    }
    int stripe = stripes.lock(block(word));
    try {
      return counters.add(word, first(hash), second(hash));
    } finally {
      stripes.unlock(stripe);
    }
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      prefetchBlocks(hashes, i, end);
      for (int j = i; j < end; j++) {
        try {
          added += put(hashes[j]) ? 1 : 0;
        } catch (FilterFullException e) {
          throw new FilterFullException(Batches.full(j - from, to - from, e), e);
        }
      }
    }
    return added;
  }

  @Override
  public boolean remove(long hash) {
    int word = word(hash);
    if (stripes == null) {
      return counters.remove(word, first(hash), second(hash));
    }
    if (!mightContain(hash)) {
      return false; // without a lock: nothing is written
    }
    int stripe = stripes.lock(block(word));
    try {
      return counters.remove(word, first(hash), second(hash));
    } finally {
      stripes.unlock(stripe);
    }
  }

  @Override
  public int removeAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int removed = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BATCH, to - i);
      prefetchBlocks(hashes, i, end);
      for (int j = i; j < end; j++) {
        removed += remove(hashes[j]) ? 1 : 0;
      }
    }
    return removed;
  }

  @Override
  public long approximateCount(long hash) {
    if (!mightContain(hash)) {
      return 0;
    }
    int word = word(hash);
    if (stripes == null) {
      return counters.min(word, first(hash), second(hash));
    }
    int stripe = stripes.lock(block(word));
    try {
      return counters.min(word, first(hash), second(hash));
    } finally {
      stripes.unlock(stripe);
    }
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public FilterLimits limits() {
    return limits;
  }

  @Override
  public FilterDescription description() {
    return layout.description();
  }

  @Override
  public String variant() {
    return CountingProvider.VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return layout.toLayout();
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
    blockWriters();
    try {
      return BlockStats.of(spec, i -> present[(int) i], layout);
    } finally {
      releaseWriters();
    }
  }

  @Override
  public CountingFilter copy() {
    return make(spec, layout, limits, mode(), stripes -> snapshot());
  }

  private ThreadMode mode() {
    return stripes == null ? ThreadMode.CONFINED : ThreadMode.SHARED;
  }

  private Counters snapshot() {
    blockWriters();
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
    blockWriters();
    try {
      return counters.payloadSize();
    } finally {
      releaseWriters();
    }
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    blockWriters();
    try {
      CounterFormat.write(counters, out);
    } finally {
      releaseWriters();
    }
  }

  private void blockWriters() {
    if (stripes != null) {
      stripes.lockAll();
    }
  }

  private void releaseWriters() {
    if (stripes != null) {
      stripes.unlockAll();
    }
  }

  /**
   * Adds the counts of {@code other}, exactly: what was put here i times and there j times can be
   * removed i + j times. Puts and removes of both filters wait.
   *
   * @throws IllegalArgumentException if {@link #incompatibility} gives a reason; nothing has
   *     changed
   * @throws FilterFullException if a count would exceed 2^62, or a limit or the heap leaves no
   *     room; nothing has changed
   */
  @Override
  public void putAll(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters cannot be merged: " + reason);
            });
    CountingFilter from = (CountingFilter) other;
    // Both in the same order whichever way they are merged, or two merges could wait for each
    // other.
    CountingFilter older = made < from.made ? this : from;
    CountingFilter newer = older == this ? from : this;
    older.blockWriters();
    try {
      newer.blockWriters();
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
  public Optional<String> incompatibility(Filter other) {
    if (other == this) {
      return Optional.of(
          "the other must not be this filter itself, which would double every count;"
              + " if that is wanted, merge a copy of it");
    }
    return MergeableFilter.super.incompatibility(other);
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec;
  }
}
