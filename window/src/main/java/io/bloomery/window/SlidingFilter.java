package io.bloomery.window;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A sliding Bloom filter of 64-bit hashes, with the guarantees of {@link SlidingBloomFilter}, which
 * is based on it. It is for callers with uniform hashes of their own, and not a {@link Filter},
 * since it forgets.
 *
 * <p>It consists of three generations, each a filter: keys are put into the youngest, and the
 * oldest is forgotten as a whole when the next one begins. A key that is put again is put into the
 * youngest too, and so stays remembered; one that {@link #putIfAbsent} finds stays where it is, and
 * is forgotten with its generation.
 *
 * <p>In a window of the last N keys, the youngest is closed when it has N/2 keys that no generation
 * remembered before (rounded up and down in turns), or N distinct keys in all. A key is put into
 * the youngest generation, and forgotten when the next two generations are closed. If one of these
 * was closed by N distinct keys, these were put later; if not, N keys were put that no generation
 * remembered, which are distinct. In both cases at least N others were put: a key among the last N
 * distinct ones is always remembered. Since three generations have at most 1.5 N keys that were not
 * remembered before, a key is forgotten after that many of them.
 *
 * <p>In a window of a time T, the youngest is closed when it is T/2 old. A key is forgotten after
 * two to three of these times.
 *
 * <p>A query for a key that is not remembered reads three filters, each with a third of the rate.
 *
 * <p>Queries take no lock. What is remembered is an immutable list of generations, and a change
 * replaces it: first by one without those that are forgotten, whose filters nobody reads from then
 * on, then, when one of these filters has been cleared, by one in which that is the youngest. A
 * query whose list was replaced while it read may have read a filter while it was cleared, or after
 * it was filled with other keys, and begins again with the list that is there now; an answer that
 * counts is thus that of all generations of one list. Nor does a query change the list in a window
 * of a time: where one or more steps are due, it leaves out as many of the oldest generations, as
 * the list will when the next put or save, which hold the lock of changes, has made them. Until
 * then the youngest gets no key: every put makes the steps first that are due.
 */
public final class SlidingFilter implements FilterView {

  /** How often statistics are read again, because a generation was forgotten meanwhile. */
  private static final int ATTEMPTS = 3;

  private final FilterSpec spec;
  private final Extent extent;
  private final WindowClock clock;
  private final Durability durability;
  private final String variant;
  private final long sizeInBits;
  private final long sizeInBytes;

  /** The lock for all changes: puts exclude each other, and counts are exact. */
  private final ReentrantLock changes = new ReentrantLock();

  private final Deque<Generation> unused = new ArrayDeque<>(); // forgotten, and not cleared yet
  private final Fullest fullest;
  private volatile Generations generations;
  private volatile long forgotten;

  /**
   * Creates a window of generations, which it owns from now on.
   *
   * @param spec the requested number of keys and rate of the whole window
   * @param youngestFirst the generations
   * @param age the age of the youngest in nanoseconds; 0 in a window that counts keys
   * @param durability that of the generations
   */
  SlidingFilter(
      FilterSpec spec,
      Extent extent,
      List<Generation> youngestFirst,
      boolean isOdd,
      long age,
      WindowClock clock,
      Durability durability) {
    this.spec = spec;
    this.extent = extent;
    this.clock = clock;
    this.durability = durability;
    StoredFilter youngest = youngestFirst.get(0).filter;
    variant = youngest.variant();
    sizeInBits = Extent.GENERATIONS * youngest.stats().sizeInBits();
    sizeInBytes = Extent.GENERATIONS * youngest.payloadSize();
    // A window in a file is not read when it is opened.
    fullest =
        durability == Durability.NONE
            ? new Fullest(youngestFirst, this::whole)
            : new Fullest(this::whole);
    generations = Generations.of(youngestFirst, extent.isByTime() ? clock.tick() - age : 0, isOdd);
  }

  /**
   * Rejects a filter whose size depends on its content.
   *
   * @throws IllegalArgumentException if the size of the filter is not fixed
   */
  static void checkVariant(Filter filter) {
    if (!hasFixedSize(filter)) {
      throw new IllegalArgumentException(refusal(filter));
    }
  }

  static boolean hasFixedSize(Filter filter) {
    return !(filter instanceof RemovableFilter) && !filter.stats().grows();
  }

  /** Returns why a filter without a fixed size cannot be a part of a window. */
  static String refusal(Filter filter) {
    return "a window needs a variant whose filters neither grow nor count, so that its memory does"
        + " not depend on what comes, but was told '"
        + filter.variant()
        + "'; say variant(\"standard\"), or say nothing";
  }

  /**
   * Puts a hash.
   *
   * @return true if the hash was certainly not remembered; of concurrent puts of one hash at most
   *     one returns true, exactly one if the hash is not a false positive of others
   */
  public boolean put(long hash) {
    try {
      // Where the youngest has it, its age is reset without a change. Most keys that are put again
      // soon are there.
      return !isInYoungest(hash) && change(hash, true);
    } catch (InternalError e) {
      throw durability.fault(e);
    }
  }

  /**
   * Puts a hash unless it is remembered. A hash that is remembered keeps its age, so that it is
   * forgotten however often it comes, while {@link #put} would remember it for longer.
   *
   * @return true if the hash was certainly not remembered, and was put; of concurrent calls for one
   *     hash at most one returns true, exactly one if the hash is not a false positive of others
   */
  public boolean putIfAbsent(long hash) {
    try {
      return !mightContain(hash) && change(hash, false);
    } catch (InternalError e) {
      throw durability.fault(e);
    }
  }

  /**
   * Puts a hash under the lock of changes.
   *
   * @param renews whether a hash that an older generation remembers is put into the youngest too
   */
  private boolean change(long hash, boolean renews) {
    boolean isNew = false;
    Generation closed;
    changes.lock();
    try {
      closed = moveOn();
      Generations now = generations;
      Generation youngest = Objects.requireNonNull(now.get(0));
      boolean isKnown = now.mightContain(hash, 1, Extent.GENERATIONS);
      if ((renews || !isKnown) && youngest.put(hash)) {
        isNew = !isKnown;
        youngest.count(isNew);
        if (isFull(youngest, now.isOdd())) {
          closed = begin(1, 0);
        }
      }
    } finally {
      changes.unlock();
    }
    measure(closed);
    return isNew;
  }

  private boolean isFull(Generation youngest, boolean isOdd) {
    return !extent.isByTime()
        && (youngest.taken >= extent.keys() || youngest.unknown >= extent.newKeysOf(isOdd));
  }

  /**
   * Returns whether the youngest contains a hash; false if a concurrent change leaves this
   * undecided.
   */
  private boolean isInYoungest(long hash) {
    Generations seen = generations;
    if (dueSteps(seen) > 0) {
      return false;
    }
    boolean found;
    try {
      found = seen.mightContain(hash, 0, 1);
    } catch (RuntimeException e) {
      // Caused by a concurrent clear; any other exception is thrown again under the lock.
      return false;
    }
    return found && isCurrent(seen);
  }

  /** Returns whether what was read of the filters of a list before this call is of that list. */
  private boolean isCurrent(Generations seen) {
    VarHandle.acquireFence(); // nothing of the filters is read after this
    return generations == seen;
  }

  /** Returns how many generations are to begin by now, at most as many as there are. */
  private int dueSteps(Generations seen) {
    if (!extent.isByTime()) {
      return 0;
    }
    long age = clock.tick() - seen.began();
    return age < extent.step() ? 0 : (int) Math.min(age / extent.step(), Extent.GENERATIONS);
  }

  /**
   * Makes the steps that are due; the caller must hold the lock of changes.
   *
   * @return the generation that was the youngest and is not any more, to be measured without the
   *     lock, or null
   */
  private @Nullable Generation moveOn() {
    Generations now = generations;
    if (now.get(0) == null) {
      beginYoungest(); // it failed before
    }
    if (!extent.isByTime()) {
      // It failed before, or a process ended just before it.
      return isFull(Objects.requireNonNull(generations.get(0)), now.isOdd()) ? begin(1, 0) : null;
    }
    long steps = (clock.tick() - now.began()) / extent.step();
    return steps <= 0
        ? null
        : begin((int) Math.min(steps, Extent.GENERATIONS), now.began() + steps * extent.step());
  }

  /** Forgets the oldest generations, and begins as many; returns the one that was the youngest. */
  private @Nullable Generation begin(int steps, long begins) {
    Generations before = generations;
    int left = Extent.GENERATIONS - steps;
    Generations after = before.after(steps, begins);
    durability.keep(before, after);
    fullest.begin(before.list(0, Extent.GENERATIONS));
    generations = after;
    // The one that was the youngest is cleared last, so that it can be measured before.
    List<Generation> youngestFirst = before.list(left, Extent.GENERATIONS);
    Collections.reverse(youngestFirst);
    unused.addAll(youngestFirst);
    long forgottenBefore = forgotten;
    forgotten = forgottenBefore + steps;
    beginYoungest();
    return before.get(0);
  }

  private void beginYoungest() {
    beginEmpty(0);
  }

  private void beginEmpty(int age) {
    Generation next = unused.element();
    fullest.end(next);
    VarHandle.fullFence(); // a query that reads what follows finds the list replaced
    Generations before = generations;
    Generations after = before.with(age, next.cleared());
    durability.keep(before, after);
    unused.remove();
    generations = after;
  }

  private void measure(@Nullable Generation closed) {
    if (closed != null) {
      fullest.measure(closed);
    }
  }

  /** Returns false only if the hash is certainly not remembered; a query does not reset its age. */
  @Override
  public boolean mightContain(long hash) {
    while (true) {
      Generations seen = generations;
      try {
        boolean found = seen.mightContain(hash, 0, Extent.GENERATIONS - dueSteps(seen));
        if (isCurrent(seen)) {
          return found;
        }
      } catch (RuntimeException e) {
        if (isCurrent(seen)) {
          throw e;
        }
      } catch (InternalError e) {
        throw durability.fault(e);
      }
    }
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return batch(() -> FilterView.super.select(hashes, from, to, hits));
  }

  /** Returns what a batch of queries returns, unless the file could not be read meanwhile. */
  <T> T batch(Supplier<T> queries) {
    try {
      try {
        return queries.get();
      } finally {
        durability.raise();
      }
    } catch (InternalError e) {
      throw durability.fault(e);
    }
  }

  /**
   * Returns the current statistics of the window. Takes time proportional to its size, or a few
   * times as long while generations are forgotten.
   *
   * <p>The rate is that of all three generations. The number of keys is that of the fullest, which
   * is created for the expected keys of {@link #spec}: {@link FilterStats#isOverfull} means that
   * more keys were put within the time of a window than were expected, and the rate is therefore
   * higher. A window that counts keys is never overfull.
   */
  @Override
  public FilterStats stats() {
    moveOnIfDue();
    for (int i = 0; i < ATTEMPTS; i++) {
      Generations seen = generations;
      try {
        FilterStats stats = stats(seen);
        if (isCurrent(seen)) {
          return stats;
        }
      } catch (RuntimeException e) {
        if (isCurrent(seen)) {
          throw e;
        }
      }
    }
    changes.lock();
    try {
      return stats(generations);
    } finally {
      changes.unlock();
    }
  }

  /** Makes the steps that are due, unless a save or a put keeps others from it. */
  private void moveOnIfDue() {
    if (dueSteps(generations) > 0 && changes.tryLock()) {
      Generation closed;
      try {
        closed = moveOn();
      } finally {
        changes.unlock();
      }
      measure(closed);
    }
  }

  private FilterStats stats(Generations seen) {
    return whole(
        seen.list(0, Extent.GENERATIONS - dueSteps(seen)).stream()
            .map(generation -> generation.filter.stats())
            .toList());
  }

  /** Returns the statistics of a window, from those of its generations without empty ones. */
  private FilterStats whole(List<FilterStats> all) {
    long setBits = 0;
    double logAbsent = 0; // a product of probabilities near 1 would round away rates far below 1
    OptionalLong most = OptionalLong.of(0);
    for (FilterStats stats : all) {
      setBits += stats.setBits();
      logAbsent += Math.log1p(-stats.falsePositiveRate());
      if (most.isPresent()) {
        OptionalLong keys = stats.approximateKeys();
        most = keys.isEmpty() || keys.getAsLong() > most.getAsLong() ? keys : most;
      }
    }
    return FilterStats.of(spec)
        .sizeInBits(sizeInBits)
        .setBits(setBits)
        .falsePositiveRate(Math.abs(Math.expm1(logAbsent))) // 0 of an empty window, not -0
        .approximateKeys(most)
        .build();
  }

  /**
   * Returns the statistics of the window just before a put, a save or a look at {@link #stats} last
   * made it forget a generation, when its rate is highest; if none has, those of the beginning, or
   * of now in a window that lives in its file. They are known when that call returns. Takes
   * constant time if one has.
   */
  public FilterStats statsBeforeForgetting() {
    return fullest.stats().orElseGet(this::stats);
  }

  /**
   * Returns the number of generations that puts, saves and looks at {@link #stats} have made this
   * window forget since it was created or opened.
   */
  public long forgottenGenerations() {
    return forgotten;
  }

  /**
   * Returns how many keys can be put, at least one, until a put may make this window forget a
   * generation: {@link Long#MAX_VALUE} if only time does. Puts of other threads count, too.
   */
  public long putsBeforeForgetting() {
    if (extent.isByTime()) {
      return Long.MAX_VALUE;
    }
    long puts;
    Generation closed;
    changes.lock();
    try {
      closed = moveOn();
      Generation youngest = Objects.requireNonNull(generations.get(0));
      puts =
          Math.min(
              extent.keys() - youngest.taken,
              extent.newKeysOf(generations.isOdd()) - youngest.unknown);
    } finally {
      changes.unlock();
    }
    measure(closed);
    return puts;
  }

  /**
   * Returns the statistics of the three generations, the youngest first. Takes as long as {@link
   * #stats}; puts wait meanwhile, and queries do not.
   */
  public List<GenerationStats> generations() {
    List<GenerationStats> all = new ArrayList<>();
    Generation closed;
    changes.lock();
    try {
      closed = moveOn();
      for (Generation generation : youngestFirst(closed)) {
        all.add(
            new GenerationStats(generation.taken, generation.unknown, generation.filter.stats()));
      }
    } finally {
      changes.unlock();
    }
    measure(closed);
    return List.copyOf(all);
  }

  /**
   * Returns three generations, some of them empty; the caller must hold the lock of changes.
   *
   * @param closed the generation to be measured, or null; done here if it is cleared here
   */
  private List<Generation> youngestFirst(@Nullable Generation closed) {
    if (closed != null && unused.contains(closed)) {
      measure(closed);
    }
    for (int age = 1; age < Extent.GENERATIONS; age++) {
      if (generations.get(age) == null) {
        beginEmpty(age);
      }
    }
    return generations.list(0, Extent.GENERATIONS);
  }

  /** Work on generations. */
  interface Work {

    /** Performs the work. */
    void run(Generations now) throws IOException;
  }

  /** Makes the steps that are due, and then performs work, while nothing changes. */
  void settled(Work work) throws IOException {
    Generation closed;
    changes.lock();
    try {
      closed = moveOn();
      youngestFirst(closed);
      work.run(generations);
    } finally {
      changes.unlock();
    }
    measure(closed);
  }

  /** Returns the requested number of keys and rate of the whole window. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the time for which keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return extent.time();
  }

  /** Returns the variant of its three filters. */
  public String variant() {
    return variant;
  }

  /** Returns the size of its three filters in bytes, which never changes. */
  public long sizeInBytes() {
    return sizeInBytes;
  }

  /**
   * Saves this window to a file, with the guarantees and errors of {@link SlidingBloomFilter#save}.
   */
  public void save(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    SlidingFile.save(this, path);
  }

  /** Writes a consistent snapshot of this window: puts wait meanwhile, and queries do not. */
  void writeTo(OutputStream out) throws IOException {
    Generation closed;
    changes.lock();
    try {
      closed = moveOn();
      List<Generation> youngestFirst = youngestFirst(closed);
      Generations now = generations;
      // If the ticker went back, no time has passed.
      long age = extent.isByTime() ? Math.max(0, clock.tick() - now.began()) : 0;
      SlidingHeader header =
          SlidingHeader.of(
              spec.expectedKeys(),
              spec.falsePositiveRate(),
              extent.nanos(),
              now.isOdd(),
              clock.wallNanos(),
              Math.min(age, Math.max(0, extent.step() - 1)),
              youngestFirst);
      SlidingFile.write(header, youngestFirst, out);
    } finally {
      changes.unlock();
    }
    measure(closed);
  }

  /** Returns a description of the window. */
  @Override
  public String toString() {
    return "the last "
        + time().map(time -> time + ", for ").orElse("")
        + spec
        + ", in three "
        + variant()
        + " filters";
  }
}
