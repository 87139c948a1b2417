package io.bloomery.standard;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.hash.KeyHasher;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two filters whose hashers have different seeds are the way to rates that 64 bits do not allow.
 */
class TwoSeedsTest {

  private static final int KEYS = 2_000;
  private static final int TRIALS = 250_000;

  static Stream<Arguments> hashers() {
    return Stream.of(
        arguments(KeyHasher.strings(), key -> "key-" + key),
        arguments(KeyHasher.longs(), key -> key),
        arguments(KeyHasher.uuids(), key -> new UUID(key, key >> 9)),
        arguments(
            KeyHasher.byteArrays(),
            key -> Long.toString(key).repeat(30).getBytes(StandardCharsets.US_ASCII)),
        arguments(
            KeyHasher.fields(KeyHasher.longs(), KeyHasher.ints().compose(Long::intValue)),
            key -> key));
  }

  private static <K> Arguments arguments(KeyHasher<K> hasher, LongFunction<? extends K> key) {
    return Arguments.of(hasher, key);
  }

  /**
   * Absent keys are in both at the product of the rates, and of 20 pairs of seeds none is off by
   * six standard errors: a false alarm in 10^7 runs, if the seeds were drawn anew.
   */
  @ParameterizedTest
  @MethodSource("hashers")
  <K> void whatOneIsWrongAboutSaysNothingOfTheOther(KeyHasher<K> hasher, LongFunction<K> key) {
    SplittableRandom random = new SplittableRandom(95);
    for (int pair = 0; pair < 4; pair++) {
      BloomFilter<K> one = filter(hasher.withSeed(pair));
      BloomFilter<K> other = filter(hasher.withSeed(pair == 0 ? 1 : random.nextLong()));
      for (int i = 0; i < KEYS; i++) {
        K member = key.apply(i);
        one.put(member);
        other.put(member);
      }
      int ofOne = 0;
      int ofOther = 0;
      int ofBoth = 0;
      for (int i = KEYS; i < KEYS + TRIALS; i++) {
        K absent = key.apply(i);
        boolean inOne = one.mightContain(absent);
        boolean inOther = other.mightContain(absent);
        ofOne += inOne ? 1 : 0;
        ofOther += inOther ? 1 : 0;
        ofBoth += inOne && inOther ? 1 : 0;
      }
      double expected = (double) ofOne * ofOther / ((double) TRIALS);
      assertEquals(expected, ofBoth, 6 * Math.sqrt(expected), hasher + ", pair " + pair);
    }
  }

  private static <K> BloomFilter<K> filter(KeyHasher<K> hasher) {
    return Bloomery.of(hasher).expect(KEYS).variant("standard").fpp(0.1).create();
  }
}
