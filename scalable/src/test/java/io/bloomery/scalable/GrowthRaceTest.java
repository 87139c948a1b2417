package io.bloomery.scalable;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Races two threads across the growth of a filter.
 *
 * <p>Where a count of keys must be exact the rate is 1e-9, so that no hash covers another one's
 * bits in all rounds together but with a probability below 1e-3, for seeds that are fixed.
 */
class GrowthRaceTest {

  private static final int ROUNDS = 600;

  /** A round's filter, its hashes, and how many puts of each returned true in either thread. */
  private abstract static class Puts implements TwoThreads.Round {

    final long[] hashes;
    final int[][] changed;
    final int[] refused = new int[2];
    Filter filter;

    private final FilterSpec spec;
    private final ScalableProvider provider;
    private final SplittableRandom random;

    Puts(ScalableProvider provider, FilterSpec spec, int count, long seed) {
      this.provider = provider;
      this.spec = spec;
      this.hashes = new long[count];
      this.changed = new int[2][count];
      this.random = new SplittableRandom(seed);
    }

    @Override
    public void prepare(int round) {
      filter = provider.create(spec, ThreadMode.SHARED);
      Arrays.setAll(hashes, i -> random.nextLong());
      Arrays.fill(refused, 0);
      Arrays.fill(changed[0], 0);
      Arrays.fill(changed[1], 0);
    }

    final void put(int thread, int i) {
      try {
        changed[thread][i] += filter.put(hashes[i]) ? 1 : 0;
      } catch (FilterFullException e) {
        refused[thread]++;
      }
    }

    final int changes(int i) {
      return changed[0][i] + changed[1][i];
    }

    /** Checks that every layer but the newest is exactly full, and returns the keys of all. */
    final long checkKeys() {
      long[] keys = PayloadBuffer.keys(filter);
      long max = filter.layout().get("first-layer-keys");
      for (int i = 0; i < keys.length; i++) {
        boolean newest = i + 1 == keys.length;
        assertTrue(newest ? keys[i] <= max : keys[i] == max, () -> Arrays.toString(keys));
        max *= filter.layout().get("growth");
      }
      return Arrays.stream(keys).sum();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0.01", "4, 0.01", "16, 0.01", "1, 1e-9", "4, 1e-9", "16, 1e-9"})
  void differentKeysAreAllIn(int first, double rate) {
    TwoThreads.run(
        ROUNDS,
        new Puts(new ScalableProvider(), FilterSpec.of(first, rate), 16 * first, 41) {
          @Override
          public void act(int thread) {
            for (int i = thread; i < hashes.length; i += 2) {
              put(thread, i);
            }
          }

          @Override
          public void verify() {
            long changes = 0;
            for (int i = 0; i < hashes.length; i++) {
              assertTrue(filter.mightContain(hashes[i]), "lost");
              changes += changes(i);
            }
            assertEquals(changes, checkKeys(), "keys counted, and puts that returned true");
            if (rate < 1e-6) {
              assertEquals(hashes.length, changes);
            }
          }
        });
  }

  @ParameterizedTest
  @CsvSource({"1, false", "4, false", "1, true", "4, true"})
  void oneOfTwoEqualPutsChangesTheFilter(int first, boolean crossing) {
    TwoThreads.run(
        ROUNDS,
        new Puts(new ScalableProvider(), FilterSpec.of(first, 1e-9), 16 * first, 43) {
          @Override
          public void act(int thread) {
            for (int i = 0; i < hashes.length; i++) {
              // Crossing, the threads swap neighbours, so that each is first to put one of them.
              put(thread, crossing ? i ^ thread : i);
            }
          }

          @Override
          public void verify() {
            for (int i = 0; i < hashes.length; i++) {
              assertEquals(1, changes(i), "puts of one hash that returned true");
            }
            assertEquals(hashes.length, checkKeys());
          }
        });
  }

  @Test
  void equalPutsOfTheLastKeyWithRoomDoNotGrow() {
    // Were the second of two equal puts to grow the filter, it would be refused. That takes a put
    // that finds the key absent and then waits for the other one, which is rare: many rounds.
    TwoThreads.run(
        25 * ROUNDS,
        new Puts(new ScalableProvider().withMaxLayers(1), FilterSpec.of(1, 1e-9), 1, 47) {
          @Override
          public void act(int thread) {
            put(thread, 0);
          }

          @Override
          public void verify() {
            assertArrayEquals(new int[2], refused);
            assertEquals(1, changes(0));
            assertEquals(1, checkKeys());
          }
        });
  }

  @Test
  void twoThreadsFillALimitExactly() {
    TwoThreads.run(
        ROUNDS,
        new Puts(new ScalableProvider().withMaxLayers(2), FilterSpec.of(3, 1e-9), 20, 53) {
          @Override
          public void act(int thread) {
            for (int i = thread; i < hashes.length; i += 2) {
              put(thread, i);
            }
          }

          @Override
          public void verify() {
            long changes = 0;
            for (int i = 0; i < hashes.length; i++) {
              assertEquals(changes(i) == 1, filter.mightContain(hashes[i]), "refused, yet there");
              changes += changes(i);
            }
            assertEquals(9, changes);
            assertEquals(11, refused[0] + refused[1]);
            assertArrayEquals(new long[] {3, 6}, PayloadBuffer.keys(filter));
          }
        });
  }

  @Test
  void whatIsWrittenOrCopiedMeanwhileIsWhole() {
    TwoThreads.run(
        100,
        new Puts(new ScalableProvider(), FilterSpec.of(4, 0.01), 2_000, 59) {

          private volatile int done;

          @Override
          public void prepare(int round) {
            super.prepare(round);
            done = 0;
          }

          @Override
          public void act(int thread) {
            if (thread == 0) {
              for (int i = 0; i < hashes.length; i++) {
                put(0, i);
                done = i + 1;
              }
            } else {
              int before;
              do {
                before = done;
                check(before, read(PayloadBuffer.of(filter)));
                before = done;
                Filter copy = filter.copy();
                check(before, copy);
                // A reader refuses layers that are not full and counts that do not fit the bits.
                read(PayloadBuffer.of(copy));
              } while (before < hashes.length);
            }
          }

          private void check(int before, Filter snapshot) {
            for (int i = 0; i < before; i++) {
              assertTrue(snapshot.mightContain(hashes[i]), "put before, and not there");
            }
          }

          private Filter read(long[] words) {
            try {
              return new ScalableProvider()
                  .read(
                      filter.spec(),
                      filter.layout(),
                      new PayloadBuffer(words),
                      ThreadMode.SHARED,
                      FilterLimits.HEAP);
            } catch (IOException e) {
              throw new AssertionError(e);
            }
          }

          @Override
          public void verify() {
            check(hashes.length, filter);
          }
        });
  }
}
