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
 * A sliding Bloom filter of 64-bit hashes: what {@link SlidingBloomFilter}, which says what is
 * promised, keeps its keys in. It is for those who bring uniform hashes of their own, and no {@link
 * Filter}, since it forgets.
 *
 * <p>It consists of three generations, each a filter: the youngest takes what comes, and the oldest
 * is forgotten as a whole when the next one begins. A key that comes again goes into the youngest
 * as well, so that what keeps coming stays.
 *
 * <p>In a window of the last N keys, the youngest is closed when it has taken N/2 keys that no
 * generation remembered (rounded up and down in turns), or N different ones in all. A key that came
 * is in the youngest of that moment, and forgotten when the two after it are closed. If one of the
 * two was closed by N different keys, these came since; if not, N keys did that nothing remembered,
 * which are different from each other. Either way at least N others came: a key among the last N
 * different ones is always remembered. And since three generations have at most 1.5 N keys that
 * nothing remembered, a key is forgotten after that many of them.
 *
 * <p>In a window of a time T, the youngest is closed when it is T/2 old. A key that came is
 * forgotten two and up to three of these later.
 *
 * <p>Where nothing is remembered three filters are asked, each of which has a third of the rate.
 */
public final class SlidingFilter implements FilterView {

  private final FilterSpec spec;
  private final Extent extent;
  private final WindowClock clock;

  /** Held by whoever changes anything, so that puts take turns and counts are exact. */
  private final ReentrantLock changes = new ReentrantLock();

  /**
   * Written while a generation is forgotten, which no query may overlap; queries that did are
   * answered again.
   */
  private final StampedLock forgetting = new StampedLock();

  private final Generation[] generations;
  private int youngest;
  private boolean isOdd; // whether an odd number of generations was begun before the youngest
  private volatile long began; // the youngest, by the ticker
  private volatile long forgotten;
  private volatile FilterStats fullest;

  /**
   * Makes a window of generations that are its own from now on.
   *
   * @param spec what was asked of the whole window
   * @param youngestFirst its generations
   * @param age of the youngest, in nanoseconds; 0 in a window that counts keys
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
    // In the order in which they are used again: the oldest comes next.
    generations =
        new Generation[] {youngestFirst.get(0), youngestFirst.get(2), youngestFirst.get(1)};
    began = extent.isByTime() ? clock.tick() - age : 0;
    fullest = measure();
  }

  /**
   * Refuses a filter whose memory depends on what is in it.
   *
   * @throws IllegalArgumentException if it is one
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
   * Adds a hash.
   *
   * @return true if it was certainly not remembered; of racing puts of one hash at most one returns
   *     true, exactly one if other hashes do not cover it
   */
  public boolean put(long hash) {
    if (isInYoungest(hash)) {
      // Its age starts over without a change, and most that come again soon are here.
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

  /** Returns whether the youngest has it for certain; false if that cannot be told. */
  private boolean isInYoungest(long hash) {
    long stamp = forgetting.tryOptimisticRead();
    if (stamp == 0 || isDue()) {
      return false;
    }
    boolean found;
    try {
      found = generations[youngest].filter.mightContain(hash);
    } catch (RuntimeException e) {
      // Of a filter that was cleared meanwhile; any other comes again under the lock.
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

  /** Returns whether the youngest has become too old to take anything. */
  private boolean isDue() {
    return extent.isByTime() && clock.tick() - began >= extent.step();
  }

  /** Begins the generations whose time has come; whoever calls this holds the lock of changes. */
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

  /** Forgets the oldest generations, and begins as many. */
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

  /** Returns false only if the hash is certainly not remembered; a query renews nothing. */
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
   * Measures the window as it stands; takes time in proportion to its size, in which nothing is
   * forgotten, and what would be waits.
   *
   * <p>The rate is that of all three generations. The keys are those of the fullest, which is made
   * for {@link #spec}'s expected keys: {@link FilterStats#isOverfull} says that more came within
   * the time of a window than were expected, and the rate is therefore higher. A window that counts
   * keys is never overfull.
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
    double logAbsent = 0; // rates far below 1 would be lost in a product of probabilities near 1
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
   * Returns the statistics of the window just before it last forgot something, when its rate is
   * highest; those of the beginning, if it never did. Takes no time.
   */
  public FilterStats statsBeforeForgetting() {
    return fullest;
  }

  /** Returns how many generations were forgotten since this was created or opened. */
  public long forgottenGenerations() {
    return forgotten;
  }

  /** Measures the three generations, the youngest first. Costs as much as {@link #stats}. */
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

  /** Returns what was asked for: the keys and the rate of the whole window. */
  public FilterSpec spec() {
    return spec;
  }

  /** Returns for how long keys are remembered at least, or nothing if keys are counted. */
  public Optional<Duration> time() {
    return extent.isByTime() ? Optional.of(Duration.ofNanos(extent.nanos())) : Optional.empty();
  }

  /** Returns the kind of its three filters. */
  public String variant() {
    return generations[0].filter.variant();
  }

  /** Returns how many bytes its three filters hold, which is the same for its whole life. */
  public long sizeInBytes() {
    long bytes = 0;
    for (Generation generation : generations) {
      bytes += generation.filter.payloadSize();
    }
    return bytes;
  }

  /**
   * Saves this window as a file. Errors and promises are those of {@link SlidingBloomFilter#save}.
   */
  public void save(Path path) throws IOException {
    Objects.requireNonNull(path, "path");
    SlidingFile.save(this, path);
  }

  /** Writes this window as it stands at one moment: puts wait meanwhile, and queries do not. */
  void writeTo(OutputStream out) throws IOException {
    changes.lock();
    try {
      moveOn();
      // A ticker that went back has seen no time pass.
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

  /** Returns what is remembered, in words. */
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
