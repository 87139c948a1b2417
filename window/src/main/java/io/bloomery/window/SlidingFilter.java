package io.bloomery.window;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.RemovableFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;

/**
 * A sliding Bloom filter of 64-bit hashes, with the guarantees of {@link SlidingBloomFilter}, which
 * is based on it. It is for callers with uniform hashes of their own, and not a {@link Filter},
 * since it forgets.
 *
 * <p>It consists of three generations, each a filter: keys are put into the youngest, and the
 * oldest is forgotten as a whole when the next one begins. A key that is put again is put into the
 * youngest too, and so stays remembered.
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
 */
public final class SlidingFilter implements FilterView {

  private final FilterSpec spec;
  private final Extent extent;
  private final WindowClock clock;

  /** The lock for all changes: puts exclude each other, and counts are exact. */
  private final ReentrantLock changes = new ReentrantLock();

  /** Write-locked while a generation is forgotten. A query that overlaps with it is repeated. */
  private final StampedLock forgetting = new StampedLock();

  private final Generation[] generations;
  private int youngest;
  private boolean isOdd; // whether an odd number of generations was begun before the youngest
  private volatile long began; // when the youngest began, by the ticker
  private volatile long forgotten;
  private volatile FilterStats fullest;

  /**
   * Creates a window of generations, which it owns from now on.
   *
   * @param spec the requested number of keys and rate of the whole window
   * @param youngestFirst the generations
   * @param age the age of the youngest in nanoseconds; 0 in a window that counts keys
   */
  SlidingFilter(
      FilterSpec spec,
      Extent extent,
      List<Generation> youngestFirst,
      boolean isOdd,
      long age,
      WindowClock clock) {
    this.spec = spec;
    this.extent = extent;
    this.clock = clock;
    this.isOdd = isOdd;
    // In the order in which they are reused: the oldest is next.
    generations =
        new Generation[] {youngestFirst.get(0), youngestFirst.get(2), youngestFirst.get(1)};
    began = extent.isByTime() ? clock.tick() - age : 0;
    fullest = measure();
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
    if (isInYoungest(hash)) {
      // This resets its age without a change. Most keys that are put again soon are in
      // the youngest.
      return false;
    }
    changes.lock();
    try {
      moveOn();
      Generation current = generations[youngest];
      boolean isKnown = isInOlder(hash);
      if (!current.filter.put(hash)) {
        return false;
      }
      current.taken++;
      if (!isKnown) {
        current.unknown++;
      }
      if (!extent.isByTime()
          && (current.taken >= extent.keys() || current.unknown >= extent.newKeysOf(isOdd))) {
        begin(1);
      }
      return !isKnown;
    } finally {
      changes.unlock();
    }
  }

  /**
   * Returns whether the youngest contains a hash; false if a concurrent change leaves this
   * undecided.
   */
  private boolean isInYoungest(long hash) {
    long stamp = forgetting.tryOptimisticRead();
    if (stamp == 0 || isDue()) {
      return false;
    }
    boolean found;
    try {
      found = generations[youngest].filter.mightContain(hash);
    } catch (RuntimeException e) {
      // Caused by a concurrent clear; any other exception is thrown again under the lock.
      return false;
    }
    return found && forgetting.validate(stamp);
  }

  private boolean isInOlder(long hash) {
    return generations[next(youngest)].filter.mightContain(hash)
        || generations[next(next(youngest))].filter.mightContain(hash);
  }

  private static int next(int generation) {
    return (generation + 1) % Extent.GENERATIONS;
  }

  /** Returns whether the youngest is too old for further keys. */
  private boolean isDue() {
    return extent.isByTime() && clock.tick() - began >= extent.step();
  }

  /** Begins the generations that are due; the caller must hold the lock of changes. */
  private void moveOn() {
    if (!extent.isByTime()) {
      return;
    }
    long before = began;
    long steps = (clock.tick() - before) / extent.step();
    if (steps > 0) {
      begin((int) Math.min(steps, Extent.GENERATIONS));
      began = before + steps * extent.step();
    }
  }

  /** Forgets the oldest generations, and begins the same number. */
  private void begin(int count) {
    FilterStats before = measure();
    long stamp = forgetting.writeLock();
    try {
      for (int i = 0; i < count; i++) {
        youngest = next(youngest);
        generations[youngest].clear();
        isOdd = !isOdd;
      }
    } finally {
      forgetting.unlockWrite(stamp);
    }
    fullest = before;
    long forgottenBefore = forgotten;
    forgotten = forgottenBefore + count;
  }

  private void moveOnIfDue() {
    if (isDue()) {
      changes.lock();
      try {
        moveOn();
      } finally {
        changes.unlock();
      }
    }
  }

  /** Returns false only if the hash is certainly not remembered; a query does not reset its age. */
  @Override
  public boolean mightContain(long hash) {
    moveOnIfDue();
    long stamp = forgetting.tryOptimisticRead();
    if (stamp != 0) {
      try {
        boolean found = isInAny(hash);
        if (forgetting.validate(stamp)) {
          return found;
        }
      } catch (RuntimeException e) {
        if (forgetting.validate(stamp)) {
          throw e;
        }
      }
    }
    stamp = forgetting.readLock();
    try {
      return isInAny(hash);
    } finally {
      forgetting.unlockRead(stamp);
    }
  }

  private boolean isInAny(long hash) {
    return generations[youngest].filter.mightContain(hash) || isInOlder(hash);
  }

  /**
   * Returns the current statistics of the window. Takes time proportional to its size, in which no
   * generation is forgotten, and operations that would forget one wait.
   *
   * <p>The rate is that of all three generations. The number of keys is that of the fullest, which
   * is created for the expected keys of {@link #spec}: {@link FilterStats#isOverfull} means that
   * more keys were put within the time of a window than were expected, and the rate is therefore
   * higher. A window that counts keys is never overfull.
   */
  @Override
  public FilterStats stats() {
    moveOnIfDue();
    long stamp = forgetting.readLock();
    try {
      return measure();
    } finally {
      forgetting.unlockRead(stamp);
    }
  }

  private FilterStats measure() {
    long bits = 0;
    long setBits = 0;
    double logAbsent = 0; // a product of probabilities near 1 would round away rates far below 1
    OptionalLong most = OptionalLong.of(0);
    for (Generation generation : generations) {
      FilterStats stats = generation.filter.stats();
      bits += stats.sizeInBits();
      setBits += stats.setBits();
      logAbsent += Math.log1p(-stats.falsePositiveRate());
      if (most.isPresent()) {
        OptionalLong keys = stats.approximateKeys();
        most = keys.isEmpty() || keys.getAsLong() > most.getAsLong() ? keys : most;
      }
    }
    return FilterStats.of(spec)
        .sizeInBits(bits)
        .setBits(setBits)
        .falsePositiveRate(Math.abs(Math.expm1(logAbsent))) // 0 of an empty window, not -0
        .approximateKeys(most)
        .build();
  }

  /**
   * Returns the statistics of the window just before it last forgot a generation, when its rate is
   * highest; those of the beginning, if it has not forgotten any. Takes constant time.
   */
  public FilterStats statsBeforeForgetting() {
    return fullest;
  }

  /** Returns the number of generations forgotten since this window was created or opened. */
  public long forgottenGenerations() {
    return forgotten;
  }

  /**
   * Returns the statistics of the three generations, the youngest first. Takes as long as {@link
   * #stats}.
   */
  public List<GenerationStats> generations() {
    changes.lock();
    try {
      moveOn();
      List<GenerationStats> all = new ArrayList<>();
      for (Generation generation : youngestFirst()) {
        all.add(
            new GenerationStats(generation.taken, generation.unknown, generation.filter.stats()));
      }
      return List.copyOf(all);
    } finally {
      changes.unlock();
    }
  }

  private List<Generation> youngestFirst() {
    return List.of(
        generations[youngest], generations[next(next(youngest))], generations[next(youngest)]);
  }

  /** Returns the requested number of keys and rate of the whole window. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns the time for which keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return extent.isByTime() ? Optional.of(Duration.ofNanos(extent.nanos())) : Optional.empty();
  }

  /** Returns the variant of its three filters. */
  public String variant() {
    return generations[0].filter.variant();
  }

  /** Returns the size of its three filters in bytes, which never changes. */
  public long sizeInBytes() {
    long bytes = 0;
    for (Generation generation : generations) {
      bytes += generation.filter.payloadSize();
    }
    return bytes;
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
    changes.lock();
    try {
      moveOn();
      // If the ticker went back, no time has passed.
      long age = extent.isByTime() ? Math.max(0, clock.tick() - began) : 0;
      SlidingHeader header =
          SlidingHeader.of(
              spec.expectedKeys(),
              spec.falsePositiveRate(),
              extent.nanos(),
              isOdd,
              clock.wallNanos(),
              Math.min(age, Math.max(0, extent.step() - 1)),
              youngestFirst());
      SlidingFile.write(header, youngestFirst(), out);
    } finally {
      changes.unlock();
    }
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
