package io.bloomery.proof.model;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingFilter;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A window of two keys, or one that two keys are expected in, and the two keys. */
@Param(name = "key", gen = IntGen.class, conf = "0:1")
public class Sliding {

  private static final int KEYS = 2;
  private static final int GENERATIONS = 3;
  private static final FilterBuilder<Long> FILTERS = Bloomery.longs().expect(KEYS).fpp(0.01);
  private static final FilterSpec GENERATION =
      SlidingBloomFilter.builder(FILTERS).plan().generation().spec();
  private static final long[] HASHES =
      Hashes.distinct(
          () ->
              FilterProviders.installed()
                  .get(FilterBuilder.DEFAULT_VARIANT)
                  .create(GENERATION, ThreadMode.SHARED));

  private final SlidingFilter window;

  Sliding(SlidingFilter window) {
    this.window = window;
  }

  @Operation
  public boolean put(@Param(name = "key") int key) {
    return window.put(HASHES[key]);
  }

  @Operation
  public boolean putIfAbsent(@Param(name = "key") int key) {
    return window.putIfAbsent(HASHES[key]);
  }

  @Operation
  public boolean mightContain(@Param(name = "key") int key) {
    return window.mightContain(HASHES[key]);
  }

  /**
   * The window of the last two keys: it never forgets any of two, although every second put of them
   * by turns begins a generation. When it forgets others is no single moment.
   */
  public static final class ByKeys extends Sliding {
    public ByKeys() {
      super(SlidingBloomFilter.builder(FILTERS).create().filter());
    }
  }

  /** A window of four units of time, of which a generation has two. */
  public static final class ByTime extends Sliding {
    private final AtomicLong time;

    public ByTime() {
      this(new AtomicLong());
    }

    private ByTime(AtomicLong time) {
      super(
          SlidingBloomFilter.builder(FILTERS)
              .lasting(Duration.ofMillis(4))
              .ticker(() -> time.get() * 1_000_000)
              .create()
              .filter());
      this.time = time;
    }

    @Operation
    public void tick() {
      time.getAndIncrement();
    }
  }

  /** An exact set. */
  public static final class KeysModel {
    private final Set<Integer> keys = new HashSet<>();

    public boolean put(int key) {
      return keys.add(key);
    }

    public boolean putIfAbsent(int key) {
      return put(key);
    }

    public boolean mightContain(int key) {
      return keys.contains(key);
    }
  }

  /** Generations that are exact sets; every second tick begins one. */
  public static final class TimeModel {

    private final Deque<Set<Integer>> youngestFirst = new ArrayDeque<>();
    private long time;

    public TimeModel() {
      while (youngestFirst.size() < GENERATIONS) {
        youngestFirst.addFirst(new HashSet<>());
      }
    }

    public boolean put(int key) {
      boolean isNew = !mightContain(key);
      youngestFirst.element().add(key);
      return isNew;
    }

    public boolean putIfAbsent(int key) {
      return !mightContain(key) && put(key);
    }

    public boolean mightContain(int key) {
      return youngestFirst.stream().anyMatch(keys -> keys.contains(key));
    }

    public void tick() {
      if (++time % 2 == 0) {
        youngestFirst.removeLast();
        youngestFirst.addFirst(new HashSet<>());
      }
    }
  }
}
