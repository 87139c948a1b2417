package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.carrotsearch.hppc.LongIntHashMap;
import com.carrotsearch.hppc.cursors.LongIntCursor;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Checks a filter, step by step, against an exact multiset of what was put. */
class CountingModelTest {

  private static final int HOT_KEYS = 12;
  private static final int STRANGERS = 40;

  private enum Step {
    PUT,
    REMOVE,
    REMOVE_ABSENT,
    WRITE_AND_READ,
    COPY_AND_SCRIBBLE,
    MERGE,
    INCOMPATIBLE_MERGE,
    CLEAR
  }

  private record Action(Step step, int key, int times) {}

  /** Keys that stay the same: {@code i} from 0 hot ones, from {@link #HOT_KEYS} strangers. */
  private static long hash(int i) {
    return (i + 1) * 0xd1342543de82ef95L;
  }

  @Provide
  Arbitrary<List<Action>> actions() {
    Arbitrary<Step> step =
        Arbitraries.frequency(
            Tuple.of(6, Step.PUT),
            Tuple.of(5, Step.REMOVE),
            Tuple.of(2, Step.REMOVE_ABSENT),
            Tuple.of(2, Step.WRITE_AND_READ),
            Tuple.of(1, Step.COPY_AND_SCRIBBLE),
            Tuple.of(1, Step.MERGE),
            Tuple.of(1, Step.INCOMPATIBLE_MERGE),
            Tuple.of(1, Step.CLEAR));
    Arbitrary<Integer> key = Arbitraries.integers().between(0, HOT_KEYS - 1);
    Arbitrary<Integer> times = Arbitraries.integers().between(1, 20);
    return Combinators.combine(step, key, times).as(Action::new).list().ofMinSize(1).ofMaxSize(40);
  }

  @Property(
      tries = 600,
      seed = "20261121",
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.BOUNDED)
  void oneBlockHoldsAllThatWasPut(
      @ForAll CountingVariant variant, @ForAll("actions") List<Action> actions) {
    run(variant, actions, FilterSpec.of(12, 0.1), ThreadMode.SHARED);
  }

  @Property(
      tries = 600,
      seed = "20261122",
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.BOUNDED)
  void manyBlocksHoldAllThatWasPut(
      @ForAll CountingVariant variant, @ForAll("actions") List<Action> actions) {
    run(variant, actions, FilterSpec.of(4_000, 0.1), ThreadMode.SHARED);
  }

  @Property(
      tries = 600,
      seed = "20261123",
      edgeCases = EdgeCasesMode.NONE,
      shrinking = ShrinkingMode.BOUNDED)
  void oneThreadsFilterHoldsAllThatWasPut(
      @ForAll CountingVariant variant, @ForAll("actions") List<Action> actions) {
    run(variant, actions, FilterSpec.of(12, 0.1), ThreadMode.CONFINED);
  }

  private static void run(
      CountingVariant variant, List<Action> actions, FilterSpec spec, ThreadMode mode) {
    new Model(variant, spec, mode).run(actions);
  }

  private static final class Model {

    private final CountingVariant variant;
    private final FilterSpec spec;
    private final ThreadMode mode;
    private final LongIntHashMap oracle = new LongIntHashMap();
    private CounterBlockFilter<?> filter;

    Model(CountingVariant variant, FilterSpec spec, ThreadMode mode) {
      this.variant = variant;
      this.spec = spec;
      this.mode = mode;
      this.filter = fresh();
    }

    private CounterBlockFilter<?> fresh() {
      return variant.create(spec, mode);
    }

    void run(List<Action> actions) {
      for (Action action : actions) {
        take(action);
        check();
      }
      drain();
      assertArrayEquals(PayloadWords.of(fresh()), PayloadWords.of(filter), "after removing all");
    }

    private void take(Action action) {
      switch (action.step()) {
        case PUT -> put(filter, hash(action.key()), action.times());
        case REMOVE -> remove(hash(action.key()), action.times());
        case REMOVE_ABSENT -> removeAbsent();
        case WRITE_AND_READ -> writeAndRead();
        case COPY_AND_SCRIBBLE -> copyAndScribble();
        case MERGE -> merge(action.key(), action.times());
        case INCOMPATIBLE_MERGE -> incompatibleMerge();
        case CLEAR -> {
          filter.clear();
          oracle.clear();
          assertArrayEquals(PayloadWords.of(fresh()), PayloadWords.of(filter));
        }
      }
    }

    private void put(CounterBlockFilter<?> to, long hash, int times) {
      for (int i = 0; i < times; i++) {
        boolean before = to.mightContain(hash);
        assertEquals(!before, to.put(hash));
      }
      oracle.addTo(hash, times);
    }

    private void remove(long hash, int times) {
      for (int i = Math.min(times, oracle.get(hash)); i > 0; i--) {
        assertTrue(filter.remove(hash));
        oracle.addTo(hash, -1);
      }
    }

    private void removeAbsent() {
      long[] before = PayloadWords.of(filter);
      for (int i = 0; i < HOT_KEYS + STRANGERS; i++) {
        if (!filter.mightContain(hash(i))) {
          assertFalse(filter.remove(hash(i)));
          assertEquals(0, filter.approximateCount(hash(i)));
        }
      }
      assertArrayEquals(before, PayloadWords.of(filter));
    }

    private void writeAndRead() {
      long[] before = PayloadWords.of(filter);
      assertEquals((long) before.length * Long.BYTES, filter.payloadSize());
      try {
        filter = variant.read(filter, before, mode);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      assertArrayEquals(before, PayloadWords.of(filter));
    }

    private void copyAndScribble() {
      long[] before = PayloadWords.of(filter);
      CounterBlockFilter<?> copy = filter.copy();
      for (int i = 0; i < STRANGERS; i++) {
        copy.put(hash(HOT_KEYS + i));
      }
      assertArrayEquals(before, PayloadWords.of(filter));
      for (int i = 0; i < STRANGERS; i++) {
        assertTrue(copy.remove(hash(HOT_KEYS + i)));
      }
      assertArrayEquals(before, PayloadWords.of(copy));
      filter = copy;
    }

    private void merge(int key, int times) {
      CounterBlockFilter<?> other = fresh();
      put(other, hash(key), times);
      put(other, hash((key + 1) % HOT_KEYS), 1);
      long[] others = PayloadWords.of(other);
      filter.putAll(other);
      assertArrayEquals(others, PayloadWords.of(other));
    }

    private void incompatibleMerge() {
      long[] before = PayloadWords.of(filter);
      Filter larger = variant.create(FilterSpec.of(100_000, 0.01), ThreadMode.CONFINED);
      assertThrows(IllegalArgumentException.class, () -> filter.putAll(larger));
      assertThrows(IllegalArgumentException.class, () -> filter.putAll(filter));
      assertArrayEquals(before, PayloadWords.of(filter));
    }

    private void check() {
      for (LongIntCursor entry : oracle) {
        if (entry.value > 0) {
          assertTrue(filter.mightContain(entry.key), "a key that was put must be there");
          assertTrue(filter.approximateCount(entry.key) >= entry.value, "counts are not too low");
        }
      }
    }

    private void drain() {
      for (int i = 0; i < HOT_KEYS; i++) {
        remove(hash(i), Integer.MAX_VALUE);
      }
    }
  }
}
