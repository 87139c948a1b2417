package io.bloomery.conformance;

import io.bloomery.Bloomery;
import io.bloomery.StoredBloomFilter;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Builds a filter of many keys in a JVM whose heap has no room for their hashes. */
final class LargeBuild {

  private static final int SAMPLE = 1_000_000;
  private static final int ABSENT = 10_000_000;

  private LargeBuild() {}

  /**
   * Builds, asks a million of the keys and ten million others, and throws if one is lost or the
   * rate is above the promised one: by 6 standard deviations, which chance exceeds once in 10^9
   * seeds.
   *
   * @param args the number of keys, the bytes of heap for the build, and the folder of hashes
   */
  public static void main(String... args) {
    long keys = Long.parseLong(args[0]);
    StoredBloomFilter<Long> filter =
        Bloomery.longs()
            .fpp(0.0079)
            .buildWithin(Long.parseLong(args[1]), Path.of(args[2]))
            .build(LongStream.range(0, keys).boxed().parallel());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < SAMPLE; i++) {
      long key = random.nextLong(keys);
      if (!filter.mightContain(key)) {
        throw new AssertionError(key + " is lost");
      }
    }
    double rate = filter.stats().falsePositiveRate();
    double most = ABSENT * rate + 6 * Math.sqrt(ABSENT * rate);
    int found = 0;
    for (int i = 0; i < ABSENT; i++) {
      found += filter.mightContain(random.nextLong(keys, Long.MAX_VALUE)) ? 1 : 0;
    }
    System.out.println(filter + ": " + found + " of " + ABSENT + " others are found");
    if (found > most || filter.stats().approximateKeys().orElseThrow() != keys) {
      throw new AssertionError("at most " + most + " may be found, and all " + keys + " counted");
    }
  }
}
