package io.bloomery.counting;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks what holds when two threads do things at once. */
class CountingRaceTest {

  private static final FilterSpec ONE_BLOCK = FilterSpec.of(10, 0.01);
  private static final FilterSpec FEW_BLOCKS = FilterSpec.of(64, 0.01);
  private static final FilterSpec ONE_STRIPE = FilterSpec.of(1_000, 0.01);
  private static final FilterSpec MANY_STRIPES = FilterSpec.of(3_000, 0.01);

  private static CounterBlockFilter<?> fresh(CountingVariant variant, FilterSpec spec) {
    return variant.create(spec, ThreadMode.SHARED);
  }

  @ParameterizedTest
  @EnumSource
  void ofEqualPutsExactlyOneIsTrueAndBothCount(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(1);
    long[] empty = PayloadWords.of(fresh(variant, ONE_BLOCK));
    ThreadPair.run(
        2_000,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> filter = fresh(variant, ONE_BLOCK);
              private final long hash = random.nextLong();
              private boolean one;
              private boolean other;

              @Override
              public void one() {
                one = filter.put(hash);
              }

              @Override
              public void other() {
                other = filter.put(hash);
              }

              @Override
              public void check() {
                assertTrue(one ^ other, "exactly one put must be true");
                assertEquals(2, filter.approximateCount(hash));
                assertTrue(filter.remove(hash));
                assertTrue(filter.remove(hash));
                assertArrayEquals(empty, PayloadWords.of(filter));
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void racingPutsAndRemovesLoseNothing(CountingVariant variant) {
    for (FilterSpec spec : new FilterSpec[] {ONE_BLOCK, FEW_BLOCKS, MANY_STRIPES}) {
      long[] empty = PayloadWords.of(fresh(variant, spec));
      SplittableRandom random = new SplittableRandom(spec.expectedKeys());
      ThreadPair.run(
          400,
          () ->
              new ThreadPair.Round() {
                private final CounterBlockFilter<?> filter = fresh(variant, spec);
                private final long[] ones = random.longs(8).toArray();
                private final long[] others = random.longs(8).toArray();

                @Override
                public void one() {
                  churn(filter, ones);
                }

                @Override
                public void other() {
                  churn(filter, others);
                }

                @Override
                public void check() {
                  drain(filter, ones);
                  drain(filter, others);
                  assertArrayEquals(empty, PayloadWords.of(filter));
                }
              });
    }
  }

  /** Puts every key up to 7 times, beyond what the planes hold, with removes in between. */
  private static void churn(CounterBlockFilter<?> filter, long[] hashes) {
    for (int times = 0; times < 10; times++) {
      for (long hash : hashes) {
        filter.put(hash);
      }
      for (int i = times % 2; i < hashes.length && times < 3; i++) {
        assertTrue(filter.remove(hashes[i]), "what was put can be removed");
        filter.put(hashes[i]);
      }
    }
  }

  private static void drain(CounterBlockFilter<?> filter, long[] hashes) {
    for (int times = 0; times < 10; times++) {
      for (long hash : hashes) {
        assertTrue(filter.remove(hash), "what was put can be removed");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void aKeyThatStaysIsNeverMissedWhileOthersComeAndGo(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(2);
    ThreadPair.run(
        150,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> filter = fresh(variant, ONE_BLOCK);
              private final long[] kept = random.longs(4).toArray();
              private final long[] others = random.longs(20).toArray();
              private volatile boolean done;

              {
                filter.putAll(kept, 0, kept.length);
              }

              @Override
              public void one() {
                for (int times = 0; times < 50; times++) {
                  for (long hash : others) {
                    filter.put(hash);
                  }
                  for (long hash : others) {
                    filter.remove(hash);
                  }
                }
                done = true;
              }

              @Override
              public void other() {
                do {
                  for (long hash : kept) {
                    assertTrue(filter.mightContain(hash), "a kept key must be there");
                  }
                } while (!done);
              }

              @Override
              public void check() {
                CounterBlockFilter<?> expected = fresh(variant, ONE_BLOCK);
                expected.putAll(kept, 0, kept.length);
                assertArrayEquals(PayloadWords.of(expected), PayloadWords.of(filter));
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void twoFiltersMergeIntoEachOtherAtOnce(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(3);
    ThreadPair.run(
        300,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> left = fresh(variant, MANY_STRIPES);
              private final CounterBlockFilter<?> right = fresh(variant, MANY_STRIPES);
              private final long hash = random.nextLong();

              {
                left.put(hash);
                right.put(hash);
                right.put(hash);
              }

              @Override
              public void one() {
                left.putAll(right);
              }

              @Override
              public void other() {
                right.putAll(left);
              }

              @Override
              public void check() {
                long ofLeft = left.approximateCount(hash);
                long ofRight = right.approximateCount(hash);
                // Both at once, left first, or right first.
                String counts = ofLeft + " and " + ofRight;
                assertTrue(
                    counts.equals("3 and 3")
                        || counts.equals("3 and 5")
                        || counts.equals("4 and 3"),
                    counts);
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void putsDuringAMergeAreNotLost(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(4);
    ThreadPair.run(
        150,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> filter = fresh(variant, FEW_BLOCKS);
              private final CounterBlockFilter<?> more = fresh(variant, FEW_BLOCKS);
              private final CounterBlockFilter<?> expected = fresh(variant, FEW_BLOCKS);
              private final long[] hashes = random.longs(50).toArray();

              {
                more.putAll(hashes, 0, hashes.length);
                for (int times = 0; times < 40; times++) {
                  expected.putAll(hashes, 0, hashes.length);
                }
              }

              @Override
              public void one() {
                for (int times = 0; times < 20; times++) {
                  filter.putAll(more);
                }
              }

              @Override
              public void other() {
                for (int times = 0; times < 20; times++) {
                  filter.putAll(hashes, 0, hashes.length);
                }
              }

              @Override
              public void check() {
                assertArrayEquals(PayloadWords.of(expected), PayloadWords.of(filter));
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void copiesAndFilesHoldAllThatWasPutBeforeAndAreWhole(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(5);
    ThreadPair.run(
        100,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> filter = fresh(variant, MANY_STRIPES);
              private final long[] hashes = random.longs(200).toArray();
              private volatile int put;

              @Override
              public void one() {
                for (int i = 0; i < hashes.length; i++) {
                  for (int times = 0; times < 6; times++) {
                    filter.put(hashes[i]);
                  }
                  put = i + 1;
                }
              }

              @Override
              public void other() {
                while (put < hashes.length) {
                  int before = put;
                  assertHolds(filter.copy(), before);
                  before = put;
                  assertHolds(reread(), before);
                }
              }

              private CounterBlockFilter<?> reread() {
                try {
                  return variant.read(filter, PayloadWords.of(filter), ThreadMode.SHARED);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }

              private void assertHolds(CounterBlockFilter<?> snapshot, int count) {
                for (int i = 0; i < count; i++) {
                  assertTrue(snapshot.approximateCount(hashes[i]) >= 6);
                }
              }

              @Override
              public void check() {
                assertHolds(filter, hashes.length);
              }
            });
  }

  @ParameterizedTest
  @EnumSource
  void twoFiltersMergeIntoEachOtherOverAndOver(CountingVariant variant) {
    ThreadPair.run(
        400,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> left = fresh(variant, MANY_STRIPES);
              private final CounterBlockFilter<?> right = fresh(variant, MANY_STRIPES);

              {
                left.put(1);
                right.put(1);
              }

              @Override
              public void one() {
                merge(left, right);
              }

              @Override
              public void other() {
                merge(right, left);
              }

              private void merge(CounterBlockFilter<?> to, CounterBlockFilter<?> from) {
                for (int times = 0; times < 30; times++) {
                  to.putAll(from);
                }
              }

              @Override
              public void check() {
                assertTrue(left.approximateCount(1) > 30);
                assertTrue(right.approximateCount(1) > 30);
              }
            });
  }

  /** The more keys overflow in one stripe, the longer is the moment in which its map is rebuilt. */
  @ParameterizedTest
  @EnumSource
  void countsAreNeverTooLowWhileOthersComeAndGo(CountingVariant variant) {
    SplittableRandom random = new SplittableRandom(6);
    ThreadPair.run(
        15,
        () ->
            new ThreadPair.Round() {
              private final CounterBlockFilter<?> filter = fresh(variant, ONE_STRIPE);
              private final long[] kept = random.longs(16).toArray();
              private final long[] others = random.longs(2_000).toArray();
              private volatile boolean done;

              {
                for (int i = 0; i < kept.length; i++) {
                  for (int times = 0; times <= i; times++) {
                    filter.put(kept[i]);
                  }
                }
              }

              @Override
              public void one() {
                for (int times = 0; times < 6; times++) {
                  filter.putAll(others, 0, others.length);
                }
                for (int times = 0; times < 6; times++) {
                  for (long hash : others) {
                    filter.remove(hash);
                  }
                }
                done = true;
              }

              @Override
              public void other() {
                do {
                  for (int i = 0; i < kept.length; i++) {
                    assertTrue(filter.approximateCount(kept[i]) > i);
                  }
                } while (!done);
              }

              @Override
              public void check() {
                for (int i = 0; i < kept.length; i++) {
                  assertTrue(filter.approximateCount(kept[i]) > i);
                }
              }
            });
  }
}
