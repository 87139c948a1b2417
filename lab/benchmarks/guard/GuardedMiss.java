import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardSource;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/**
 * The cost of a miss of a guard compared with that of its filter, measured in about a minute and
 * printed by
 *
 * <pre>{@code
 * java -cp api/target/classes:standard/target/classes:guard/target/classes:JARS lab/benchmarks/guard/GuardedMiss.java
 * }</pre>
 *
 * where JARS are those of hash4j, Caffeine and JSpecify. Both are queried for the same absent keys
 * in turns, in one JVM, so that disturbances by the machine affect both. Each key is a new object,
 * as in a request, and is queried once by each. Medians of all turns, per key, hashing included.
 */
public final class GuardedMiss {

  private static final int BATCH = 2_000;
  private static final int WARM_UP = 300;
  private static final int TURNS = 600;

  private GuardedMiss() {}

  private static String text(long number) {
    return "https://example.org/" + String.format("%014x", number & 0xffffffffffffffL);
  }

  private static <K> void measure(
      String name, Filters<K> filters, LongFunction<K> keyOf, long filled) throws Exception {
    FilterBuilder<K> builder = filters.expect(filled).fpp(0.01);
    BloomFilter<K> filter = builder.create();
    filter.putAll(() -> LongStream.range(0, filled).mapToObj(keyOf).iterator());
    // Absent keys are selected with a copy, because a query beforehand would bring the memory that
    // it reads into the caches: of the filter that is measured, or of that of the guard.
    BloomFilter<K> same = filter.copy();
    GuardSource<K, String> source =
        GuardSource.of(() -> LongStream.range(0, filled).mapToObj(keyOf), key -> Optional.empty());
    try (Guard<K, String> guard = Guard.builder(builder, source).build()) {
      guard.awaitFilter(Duration.ofMinutes(10));
      double[] ofFilter = new double[TURNS];
      double[] ofGuard = new double[TURNS];
      SplittableRandom random = new SplittableRandom(27);
      for (int turn = -WARM_UP; turn < TURNS; turn++) {
        // False positives of the filter are a different case, and are omitted.
        Object[] absent =
            random
                .longs(2 * BATCH, filled, Long.MAX_VALUE)
                .mapToObj(keyOf)
                .filter(Predicate.not(same))
                .limit(BATCH)
                .toArray();
        Object[] once = Arrays.stream(absent).map(GuardedMiss::renewed).toArray();
        Object[] again = Arrays.stream(absent).map(GuardedMiss::renewed).toArray();
        double one;
        double other;
        if (turn % 2 == 0) {
          one = GuardedMiss.<K>nanos(filter::mightContain, once);
          other = GuardedMiss.<K>nanos(key -> guard.get(key).isPresent(), again);
        } else {
          other = GuardedMiss.<K>nanos(key -> guard.get(key).isPresent(), again);
          one = GuardedMiss.<K>nanos(filter::mightContain, once);
        }
        if (turn >= 0) {
          ofFilter[turn] = one;
          ofGuard[turn] = other;
        }
      }
      double[] ratios = new double[TURNS];
      double[] extra = new double[TURNS];
      Arrays.setAll(ratios, turn -> ofGuard[turn] / ofFilter[turn]);
      Arrays.setAll(extra, turn -> ofGuard[turn] - ofFilter[turn]);
      System.out.printf(
          "  %s: filter %.1f ns, guard %.1f ns, %.2f times, %.1f ns more%n",
          name, median(ofFilter), median(ofGuard), median(ratios), median(extra));
    }
  }

  // A String caches its hashCode.
  private static Object renewed(Object key) {
    return key instanceof String text ? new String(text.toCharArray()) : key;
  }

  @SuppressWarnings("unchecked") // created with this type
  private static <K> double nanos(Predicate<K> question, Object[] keys) {
    int found = 0;
    long start = System.nanoTime();
    for (Object key : keys) {
      found += question.test((K) key) ? 1 : 0;
    }
    long nanos = System.nanoTime() - start;
    if (found != 0) {
      throw new AssertionError(found + " absent keys were found");
    }
    return (double) nanos / keys.length;
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Measures both kinds, with filters within the caches of the processor and beyond them. */
  public static void main(String... args) throws Exception {
    for (long filled : new long[] {100_000, 10_000_000}) {
      System.out.println(filled + " keys");
      measure("strings of 34 characters", Bloomery.strings(), GuardedMiss::text, filled);
      measure("longs", Bloomery.longs(), number -> number, filled);
    }
  }
}
