package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Filters of one layout merge into that of the keys of both, and no others do. */
class ForeignMergeTest {

  private static final ItemEncoding<CharSequence> UTF_8 = ItemEncoding.utf8();
  private static final int DRAWS = 20;

  /** Formats with rows, which depend on the order of keys. */
  private static final Set<ForeignFormat> ROWS =
      EnumSet.of(ForeignFormat.HADOOP_DYNAMIC, ForeignFormat.HUDI_DYNAMIC);

  /** Formats that count keys which were absent, so that those of both count twice. */
  private static final Set<ForeignFormat> COUNTING_KEYS =
      EnumSet.of(
          ForeignFormat.DCSO,
          ForeignFormat.DCSO_GZIP,
          ForeignFormat.REDISBLOOM,
          ForeignFormat.VALKEY_BLOOM);

  private static List<String> keys(SplittableRandom random, int most) {
    List<String> keys = new ArrayList<>();
    for (int i = random.nextInt(most + 1); i > 0; i--) {
      keys.add("key-" + random.nextInt(200)); // some of them are in both
    }
    return keys;
  }

  private static ForeignFilter filter(ForeignFormat format, long expected, List<String> keys) {
    ForeignFilter filter = format.create(expected, ForeignFilters.rate(format));
    filter.putAll(keys, UTF_8);
    return filter;
  }

  private static void assertContains(ForeignFilter filter, List<String> keys) {
    assertEquals(keys, filter.view(UTF_8).select(keys), filter::layout);
  }

  @ParameterizedTest
  @EnumSource
  void aUnionIsTheFilterOfTheKeysOfBoth(ForeignFormat format) throws IOException {
    SplittableRandom random = new SplittableRandom(62);
    for (int draw = 0; draw < DRAWS; draw++) {
      int expected = 20 + random.nextInt(200);
      boolean isList = COUNTING_KEYS.contains(format);
      List<String> one = keys(random, isList ? expected / 2 : expected);
      List<String> two = keys(random, isList ? expected / 2 : expected);
      List<String> both = new ArrayList<>(one);
      both.addAll(two);
      ForeignFilter union = filter(format, expected, one);
      ForeignFilter other = filter(format, expected, two);
      byte[] before = other.toBytes();
      union.putAll(other);
      assertArrayEquals(before, other.toBytes());
      assertContains(union, both);
      ForeignFilter all = filter(format, expected, both);
      if (!ROWS.contains(format)) {
        assertArrayEquals(all.table().words, union.table().words, union::layout);
      }
      if (!ROWS.contains(format) && !COUNTING_KEYS.contains(format)) {
        assertArrayEquals(all.toBytes(), union.toBytes(), union::layout);
      }
      ForeignFilter read = format.read(union.toBytes());
      assertArrayEquals(union.toBytes(), read.toBytes());
      assertContains(read, both);
    }
  }

  private static void assertRefused(ForeignFilter one, ForeignFilter two, String part) {
    byte[] oneBefore = one.toBytes();
    byte[] twoBefore = two.toBytes();
    String message =
        assertThrows(IllegalArgumentException.class, () -> one.putAll(two), () -> one + ", " + two)
            .getMessage();
    assertTrue(message.contains(part), message);
    assertArrayEquals(oneBefore, one.toBytes());
    assertArrayEquals(twoBefore, two.toBytes());
  }

  @ParameterizedTest
  @EnumSource
  void otherFormatsAndSizesAreRefused(ForeignFormat format) {
    List<String> keys = List.of("one", "two");
    for (ForeignFormat other : ForeignFormat.values()) {
      ForeignFilter one = filter(format, 100, keys);
      ForeignFilter two = filter(other, 100, List.of("three"));
      if (format.likeness() != other.likeness()) {
        assertRefused(one, two, format + " and " + other + " must put a key at the same bits");
      } else if (format.likeness() != ForeignFormat.HADOOP_DYNAMIC) { // of different sizes
        one.putAll(two);
        assertContains(one, List.of("one", "two", "three"));
      }
    }
    assertRefused(filter(format, 100, keys), filter(format, 3000, keys), "must have one layout");
  }

  @Test
  void otherHashFunctionsAndSeedsAreRefused() {
    int formats = 0;
    for (ForeignFormat format : ForeignFormat.values()) {
      ForeignFilter three;
      ForeignFilter four;
      try {
        three = format.create(ForeignParameters.table(1024, 3));
        four = format.create(ForeignParameters.table(1024, 4));
      } catch (IllegalArgumentException e) {
        continue; // of eight always, or made by keys and rate
      }
      assertRefused(three, four, "must have one layout");
      formats++;
    }
    assertEquals(ForeignFormat.values().length - 5, formats);
    for (ForeignFormat format :
        List.of(
            ForeignFormat.SPARK_V2,
            ForeignFormat.DATASKETCHES,
            ForeignFormat.VALKEY_BLOOM,
            ForeignFormat.KUDU)) {
      ForeignParameters asked = ForeignParameters.expect(100, 0.01);
      assertRefused(
          format.create(asked.seed(1)), format.create(asked.seed(2)), "must have one layout");
    }
  }

  @Test
  void aListOfTablesMergesOnlyWhileTheFirstHasRoom() {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      keys.add("key-" + i);
    }
    for (ForeignFormat format : List.of(ForeignFormat.REDISBLOOM, ForeignFormat.VALKEY_BLOOM)) {
      assertRefused(filter(format, 100, keys), filter(format, 100, keys), "the first for 100");
      ForeignFilter grown = filter(format, 50, keys);
      assertRefused(grown, grown.as(format), "have one each");
      assertRefused(grown, filter(format, 50, List.of()), "must have one layout");
    }
  }

  @Test
  void rowsOfADynamicFilterFitWhereKeysOfBothDo() {
    for (ForeignFormat format : ROWS) {
      List<String> few = List.of("a", "b", "c");
      ForeignFilter one = filter(format, 10, few);
      one.putAll(filter(format, 10, few));
      assertTrue(one.layout().contains("in each of 1 rows of 10 keys, 6 in the last"), one::layout);
      one.putAll(filter(format, 10, List.of("d", "e", "f", "g", "h")));
      assertTrue(one.layout().contains("in each of 2 rows of 10 keys, 6 in the last"), one::layout);
      assertContains(one, List.of("a", "b", "c", "d", "e", "f", "g", "h"));
    }
  }

  @Test
  void aSetOfAnotherLengthMergesAsGoDoes() throws IOException {
    byte[] bytes = new byte[3 * 8 + 8];
    ByteBuffer.wrap(bytes).putLong(1000).putLong(3).putLong(64).putLong(5); // a set of 64 bits
    ForeignFilter full = ForeignFormat.BITS_AND_BLOOMS.create(ForeignParameters.table(1000, 3));
    full.putAll(List.of("one", "two"), UTF_8);
    byte[] before = full.toBytes();
    ForeignFilter short1 = ForeignFormat.BITS_AND_BLOOMS.read(bytes);
    short1.putAll(full);
    full.putAll(ForeignFormat.BITS_AND_BLOOMS.read(bytes));
    assertArrayEquals(full.toBytes(), short1.toBytes());
    assertEquals(before.length, full.toBytes().length);
    assertContains(full, List.of("one", "two"));
  }

  @Test
  void filtersWithOtherFunnelsAreRefused() throws IOException {
    byte[] bytes = GoldenKeys.resource("guava-java/own-funnel");
    ForeignFilter own = ForeignFormat.GUAVA_JAVA.read(bytes);
    own.putAll(ForeignFormat.GUAVA_JAVA.read(bytes));
    assertArrayEquals(bytes, own.toBytes());
    byte[] lambda = GoldenKeys.resource("guava-java/lambda"); // of the same size and keys
    assertRefused(own, ForeignFormat.GUAVA_JAVA.read(lambda), "must have one funnel");
  }

  @Test
  void whatMayHaveEveryKeyMergesOnlyWithItsLike() throws IOException {
    ForeignFilter every = ForeignFormat.CASSANDRA_4.read(new byte[0]);
    every.putAll(ForeignFormat.CASSANDRA_4.read(new byte[0]));
    assertArrayEquals(new byte[0], every.toBytes());
    ForeignFilter table = filter(ForeignFormat.CASSANDRA_4, 10, List.of("one"));
    assertRefused(every, table, "every key may be there");
    assertRefused(table, every, "every key may be there");
  }
}
