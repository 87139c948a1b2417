package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.MergeableFilter;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** Filters of every variant, collected at any place below other collectors. */
class CollectedFiltersTest {

  /**
   * A collector that is made of others and ends, at one or several places, in one that is given.
   */
  private interface Shape {
    <T> Collector<Long, ?, List<T>> of(Collector<Long, ?, T> leaf);
  }

  private static final Shape LEAF =
      new Shape() {
        @Override
        public <T> Collector<Long, ?, List<T>> of(Collector<Long, ?, T> leaf) {
          return Collectors.collectingAndThen(leaf, List::of);
        }
      };

  private static Shape shape(SplittableRandom random, int depth) {
    if (depth == 0) {
      return LEAF;
    }
    int kind = random.nextInt(7);
    int groups = 1 + random.nextInt(4);
    Shape inner = shape(random, depth - 1);
    Shape other = random.nextBoolean() ? inner : shape(random, depth - 1);
    return new Shape() {
      @Override
      public <T> Collector<Long, ?, List<T>> of(Collector<Long, ?, T> leaf) {
        Collector<Long, ?, List<T>> in = inner.of(leaf);
        return switch (kind) {
          case 0 -> flat(Collectors.groupingBy(key -> key % groups, TreeMap::new, in));
          case 1 ->
              flat(
                  Collectors.groupingByConcurrent(
                      key -> key % groups, ConcurrentSkipListMap::new, in));
          case 2 -> flat(Collectors.partitioningBy(key -> key % groups == 0, in));
          case 3 ->
              Collectors.teeing(
                  in,
                  other.of(leaf),
                  (one, two) -> Stream.concat(one.stream(), two.stream()).toList());
          case 4 -> Collectors.mapping(key -> key / groups, in);
          case 5 -> Collectors.filtering(key -> key % groups == 0, in);
          default -> Collectors.flatMapping(key -> LongStream.range(key, key + 2).boxed(), in);
        };
      }
    };
  }

  private static <T> Collector<Long, ?, List<T>> flat(
      Collector<Long, ?, ? extends Map<?, List<T>>> groups) {
    return Collectors.collectingAndThen(
        groups, map -> map.values().stream().flatMap(List::stream).toList());
  }

  @Provide
  Arbitrary<String> variants() {
    return Arbitraries.of(
        Bloomery.installed().providers().all().stream().map(FilterProvider::variant).toList());
  }

  @Property(tries = 150)
  void everyGroupHasAFilterOfItsKeys(
      @ForAll("variants") String variant,
      @ForAll @IntRange(max = 3) int depth,
      @ForAll boolean isShared,
      @ForAll long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    // Beyond 1 MiB, filters of counts are collected in another way.
    int expected = random.nextInt(20) == 0 ? 700_000 : 1 + random.nextInt(2 << random.nextInt(12));
    check(builder(variant, isShared, expected), shape(random, depth), random);
  }

  /** Where filters of all threads would take more than an eighth of the heap. */
  @Property(tries = 3)
  void groupsOfLargeFiltersAreCollected(@ForAll("variants") String variant, @ForAll long seed) {
    Runtime jvm = Runtime.getRuntime();
    // Of four filters for each processor, of more than a byte for each key.
    long keys = jvm.maxMemory() / 32 / jvm.availableProcessors();
    SplittableRandom random = new SplittableRandom(seed);
    check(builder(variant, true, keys), shape(random, 1), random);
  }

  private static FilterBuilder<Long> builder(String variant, boolean isShared, long expected) {
    FilterBuilder<Long> shared = Bloomery.longs().expect(expected).variant(variant);
    return isShared ? shared : shared.confined();
  }

  private static void check(FilterBuilder<Long> builder, Shape shape, SplittableRandom random) {
    int different = 1 + random.nextInt(30_000);
    List<Long> keys =
        random.longs(random.nextInt(30_000), 0, different).boxed().collect(Collectors.toList());
    Collector<Long, ?, List<BloomFilter<Long>>> collector = shape.of(builder.toFilter());
    List<List<Long>> expected = keys.stream().collect(shape.of(Collectors.toList()));
    for (Function<Stream<Long>, Stream<Long>> way :
        List.<Function<Stream<Long>, Stream<Long>>>of(
            Stream::sequential,
            Stream::parallel,
            stream -> stream.parallel().unordered(),
            Stream::parallel)) {
      List<BloomFilter<Long>> found = way.apply(keys.stream()).collect(collector);
      assertEquals(expected.size(), found.size());
      for (int i = 0; i < found.size(); i++) {
        BloomFilter<Long> filter = found.get(i);
        List<Long> put = expected.get(i);
        assertEquals(put, filter.select(put));
        if (filter.filter() instanceof MergeableFilter) {
          BloomFilter<Long> looped = builder.create();
          put.forEach(looped::put);
          assertArrayEquals(
              Payload.of(looped.filter()).words(), Payload.of(filter.filter()).words());
        } else {
          double rate = filter.stats().falsePositiveRate();
          assertTrue(rate <= filter.spec().falsePositiveRate(), "rate " + rate);
        }
      }
    }
  }
}
