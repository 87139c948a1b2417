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
import io.bloomery.internal.BranchFree;
import io.bloomery.internal.PairKernel;
import io.bloomery.internal.Stripes;
import io.bloomery.internal.WordRange;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A counting Bloom filter: a counter for each position instead of a bit, so that keys can be
 * removed. Counters are exact and never overflow.
 *
 * <p>By definition, a put increments the counters at the positions of a hash, a remove decrements
 * them if none is zero, and a query returns whether none is zero:
 *
 * <pre>{@code
 * for (long position : BlockProbes.positions(hash, words, probesPerWord)) {
 *   if (count[position] == 0) {
 *     return false;
 *   }
 * }
 * return true;
 * }</pre>
 *
 * <p>All positions of a hash are in one block of two words: one to four in each word, fewer at
 * higher rates. Two positions in a word never coincide; of three or four some may, and the counter
 * is then changed once. Which counters are not zero is kept in an array of its own, one bit for
 * each: it is an ordinary Bloom filter, and queries read nothing else.
 *
 * <p>The removal of a key that was never put, but is a false positive, cannot be detected: it
 * decrements counters of other keys, which may then be missed.
 *
 * <p>Queries never wait. Puts and removes in one block exclude each other by the lock of its
 * stripe. A copy, a write, statistics and a merge lock all stripes of the filter, a merge those of
 * both filters.
 *
 * <p>This class has everything that does not depend on the form in which counts are stored. Each
 * form has a subclass with its own update methods, so that the loops of a filter use its arrays
 * without a virtual call.
 *
 * @param <C> the counters
 */
abstract sealed class CounterBlockFilter<C extends BlockCounters<C>>
    implements RemovableFilter, MergeableFilter, Batches.Each
    permits CountingFilter, FastCountingFilter {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  // A constant, so that the compiler knows its class and can inline it.
  private static final @Nullable PairKernel KERNEL = PairKernel.installed().orElse(null);

  private static final AtomicLong MADE = new AtomicLong();

  private final long made = MADE.getAndIncrement();
  private final FilterSpec spec;
  private final CountingLayout layout;
  private final FilterLimits limits;
  final int probesPerWord;
  final long length; // of present: a long, to avoid a conversion per query
  private final C content;
  final long[] present;
  final @Nullable Stripes stripes; // null when confined

  CounterBlockFilter(FilterSpec spec, FilterLimits limits, C content, @Nullable Stripes stripes) {
    this.spec = spec;
    this.layout = content.layout();
    this.limits = limits;
    this.probesPerWord = layout.probesPerWord();
    this.content = content;
    this.present = content.present();
    this.length = present.length;
    this.stripes = stripes;
  }

  /** A source of counters, given the number of stripes, by which spilled blocks are stored. */
  @FunctionalInterface
  interface Source<C, E extends Exception> {
    C make(int stripes) throws E;
  }

  /** Returns the locks of a filter. */
  static Stripes stripes(CountingLayout layout) {
    // One for 2 KiB of present bits, which with their counts take 3 to 4 KiB: a lock takes 64
    // bytes, and a filter with removal shall take no more than twice a plain one.
    return new Stripes((int) (layout.bits() / Long.SIZE / 2));
  }

  @Override
  public boolean mightContain(long hash) {
    // Makes puts of other threads visible to a caller that spins:
    // decisions.md#plain-reads-behind-one-fence-not-opaque-reads
    VarHandle.loadLoadFence();
    return test(present, length, probesPerWord, hash) != 0;
  }

  /** Returns 1 if every position of a hash is present, else 0. */
  private static int test(long[] present, long length, int probesPerWord, long hash) {
    int word = BlockProbes.word(hash, length);
    int other = BlockProbes.other(word);
    // The comparison is made first: its operand then takes no register while words are read.
    return probesPerWord == BlockProbes.PAIR
        ? BranchFree.oneIfZero(BlockProbes.missingOfPair(present[word], present[other], hash))
        : BranchFree.oneIfZero(
            BlockProbes.missing(present[word], present[other], hash, probesPerWord));
  }

  /** Returns the first word of a hash. */
  int word(long hash) {
    return BlockProbes.word(hash, length);
  }

  static int block(int word) {
    return word / CountingLayout.BLOCK_WORDS;
  }

  long first(long hash) {
    return BlockProbes.first(hash, probesPerWord);
  }

  long second(long hash) {
    return BlockProbes.second(hash, probesPerWord);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    if (KERNEL != null && probesPerWord == BlockProbes.PAIR) {
      return KERNEL.select(this, present, hashes, from, to, hits, 0);
    }
    return selectEach(hashes, from, to, hits, 0);
  }

  @Override
  public int selectEach(long[] hashes, int from, int to, int[] hits, int found) {
    int next = found;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      if (prefetchPresent(hashes, i, end)) {
        next = selectPrefetched(hashes, i, end, hits, next);
      }
    }
    return next;
  }

  private int selectPrefetched(long[] hashes, int from, int to, int[] hits, int found) {
    long[] present = this.present;
    long length = this.length;
    int probesPerWord = this.probesPerWord;
    VarHandle.loadLoadFence(); // as in mightContain
    for (int i = from; i < to; i++) {
      hits[found] = i;
      found += test(present, length, probesPerWord, hashes[i]);
    }
    return found;
  }

  /**
   * Prefetches the words that queries of a batch will read, unless all of them fit in the cache:
   * the loads are independent, so that many cache misses overlap.
   *
   * @return false if no bit is set in the words read, so that no hash is contained
   */
  private boolean prefetchPresent(long[] hashes, int from, int to) {
    long[] present = this.present;
    if (present.length <= Batches.CACHED_WORDS) {
      return true;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      // A block never lies in two cache lines, so that one word is enough. The result requires that
      // it has positions of the hash.
      any |= (long) WORDS.getOpaque(present, word(hashes[i]));
    }
    return any != 0;
  }

  @Override
  public long approximateCount(long hash) {
    if (!mightContain(hash)) {
      return 0;
    }
    int word = word(hash);
    if (stripes == null) {
      return content.min(word, first(hash), second(hash));
    }
    int stripe = stripes.lock(block(word));
    try {
      return content.min(word, first(hash), second(hash));
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
  public FilterLayout layout() {
    return layout.toLayout();
  }

  /**
   * {@inheritDoc}
   *
   * <p>The rate is the mean of the false positive rates of the blocks, and {@code approximateKeys}
   * the sum of their estimates, with a standard error of {@code sqrt(blocks) * sqrt(128 (e^c - c -
   * 1)) / k} keys, where {@code k} is the number of probes and {@code c = k n / (128 blocks)}:
   * below 1 % of n from n = 1,000 at a rate of 1 %. It is too low if many blocks are full.
   */
  @Override
  public FilterStats stats() {
    blockWriters();
    try {
      return BlockStats.of(spec, WordRange.of(present), layout);
    } finally {
      releaseWriters();
    }
  }

  ThreadMode mode() {
    return stripes == null ? ThreadMode.CONFINED : ThreadMode.SHARED;
  }

  /** Returns a copy of the counters, with writers blocked. */
  C snapshot() {
    blockWriters();
    try {
      return content.copy();
    } finally {
      releaseWriters();
    }
  }

  @Override
  public void clear() {
    content.clear();
  }

  @Override
  public long payloadSize() {
    blockWriters();
    try {
      return content.payloadSize();
    } finally {
      releaseWriters();
    }
  }

  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    blockWriters();
    try {
      CounterFormat.write(content, out);
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
   * Adds the counts of {@code other}, exactly: a key put i times here and j times there can be
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
    CounterBlockFilter<C> from = same(other);
    // Always in the same order, or two merges in opposite directions could deadlock.
    CounterBlockFilter<C> older = made < from.made ? this : from;
    CounterBlockFilter<C> newer = older == this ? from : this;
    older.blockWriters();
    try {
      newer.blockWriters();
      try {
        content.addAll(from.content);
      } finally {
        newer.releaseWriters();
      }
    } finally {
      older.releaseWriters();
    }
  }

  @Override
  public abstract CounterBlockFilter<C> copy();

  /** Returns a filter that can be merged into this one, with its type. */
  abstract CounterBlockFilter<C> same(Filter other);

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
