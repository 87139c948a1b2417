package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.fixture.CountedHashes;
import io.bloomery.fixture.MiscountingFilter;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Collector;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class BloomFilterTest {

  private final Bloomery bloomery = Bloomery.with(new PlainProvider(), new PlainProvider("other"));
  private final Filters<String> saved = bloomery.keys(KeyHasher.strings());

  private final FilterBuilder<String> strings =
      bloomery.<String>keys(KeyHasher.strings()).expect(10_000).variant("plain").fpp(0.001);

  private static byte[] bytes(BloomFilter<?> filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    return out.toByteArray();
  }

  private static List<String> words(int count) {
    return IntStream.range(0, count).mapToObj(i -> "word-" + i).toList();
  }

  @Test
  void whatWasPutIsFoundAndPutSaysWhetherItWasNew() {
    BloomFilter<String> filter = strings.create();
    assertFalse(filter.mightContain("a"));
    assertTrue(filter.put("a"));
    assertFalse(filter.put("a"));
    assertTrue(filter.mightContain("a"));
    assertTrue(filter.test("a"));
    assertFalse(filter.mightContain(""));
    assertTrue(filter.put(""));
    assertTrue(filter.mightContain(""));
    filter.clear();
    assertFalse(filter.mightContain("a"));
  }

  private static String refused(Executable call) {
    return assertThrows(NullPointerException.class, call).getMessage();
  }

  @Test
  void nullKeysAreRefusedBeforeAnythingChanges() throws IOException {
    BloomFilter<String> filter = strings.create();
    byte[] empty = bytes(filter);
    assertEquals("key must not be null", refused(() -> filter.put(null)));
    assertEquals("key must not be null", refused(() -> filter.mightContain(null)));
    assertEquals("key must not be null", refused(() -> filter.test(null)));
    assertEquals(
        "keys must not be null, but key 1 is; leave it out",
        refused(() -> filter.select(Arrays.asList("a", null))));
    List<String> many = new ArrayList<>(words(2_000));
    many.set(1_500, null);
    assertEquals(
        "keys must not be null, but key 1500 is; leave it out", refused(() -> filter.select(many)));
    List<String> none = null;
    assertEquals("keys must not be null", refused(() -> filter.select(none)));
    assertEquals("keys must not be null", refused(() -> filter.putAll(none)));
    assertArrayEquals(empty, bytes(filter));
  }

  @Test
  void aNullAmongManyKeysStopsThereAndSaysWhere() throws IOException {
    for (int before : new int[] {0, 3, 511, 512, 513, 2_000}) {
      BloomFilter<String> filter = strings.create();
      List<String> keys =
          Stream.of(words(before).stream(), Stream.of((String) null), Stream.of("after"))
              .flatMap(s -> s)
              .toList();
      String message =
          assertThrows(NullPointerException.class, () -> filter.putAll(keys)).getMessage();
      assertTrue(message.contains("key " + before + " is"), message);
      BloomFilter<String> expected = strings.create();
      words(before).forEach(expected::put);
      assertArrayEquals(bytes(expected), bytes(filter));
    }
  }

  @Test
  void manyKeysAtOnceAreTheSameAsOneByOne() throws IOException {
    BloomFilter<String> one = strings.create();
    BloomFilter<String> many = strings.create();
    long added = words(3_000).stream().filter(one::put).count();
    assertEquals(added, many.putAll(words(3_000)));
    assertEquals(0, many.putAll(words(3_000)));
    assertArrayEquals(bytes(one), bytes(many));
    List<String> mixed = Stream.concat(words(100).stream(), Stream.of("x", "y", "z")).toList();
    assertEquals(mixed.stream().filter(one).toList(), many.select(mixed));
    assertEquals(List.of(), many.select(List.of()));
  }

  @Test
  void filtersOfEqualLayoutMerge() throws IOException {
    BloomFilter<String> one = strings.create();
    BloomFilter<String> other = strings.create();
    one.putAll(words(10));
    other.put("more");
    byte[] before = bytes(other);
    assertEquals(Optional.empty(), one.incompatibility(other));
    one.putAll(other);
    assertTrue(one.mightContain("more"));
    assertTrue(one.mightContain("word-3"));
    assertArrayEquals(before, bytes(other));
    byte[] merged = bytes(one);
    one.putAll(one);
    assertArrayEquals(merged, bytes(one));
  }

  @Test
  void filtersThatDoNotFitSayWhyAndStayAsTheyAre() throws IOException {
    BloomFilter<String> filter = strings.create();
    filter.put("a");
    byte[] before = bytes(filter);
    assertMismatch(
        "expected keys must make the same layout, but 10000 here made {",
        filter,
        strings.expect(20_000).create());
    assertMismatch(
        "variant must be equal, but is plain here and other there",
        filter,
        strings.variant("other").create());
    assertMismatch(
        "hash id must be equal, but is xxh3-64/utf8 here and xxh3-64/utf8/seed=5 there",
        filter,
        bloomery
            .<String>keys(KeyHasher.strings().withSeed(5))
            .expect(10_000)
            .variant("plain")
            .fpp(0.001)
            .create());
    assertMismatch(
        "does not merge",
        BloomFilter.<String>of(
            new MiscountingFilter(strings.create().filter(), 0, 0), KeyHasher.strings()),
        filter);
    assertArrayEquals(before, bytes(filter));
  }

  private static void assertMismatch(
      String reason, BloomFilter<String> one, BloomFilter<String> other) {
    assertTrue(
        one.incompatibility(other).orElseThrow().contains(reason),
        one.incompatibility(other).toString());
    String message =
        assertThrows(IllegalArgumentException.class, () -> one.putAll(other)).getMessage();
    assertTrue(message.contains(reason), message);
  }

  /** Expected keys and rate are what was asked; only the layout decides where bits lie. */
  @Test
  void filtersOfEqualLayoutMergeWhateverWasAsked() {
    BloomFilter<String> one = strings.expect(64).fpp(0.1).create();
    BloomFilter<String> other = strings.expect(65).fpp(0.1).create();
    assertEquals(one.filter().layout(), other.filter().layout());
    assertEquals(Optional.empty(), one.incompatibility(other));
  }

  @Test
  void aHasherThatIsNotTheFiltersIsRefused() {
    Filter filter = strings.create().filter();
    String message =
        assertThrows(
                IllegalArgumentException.class, () -> BloomFilter.of(filter, KeyHasher.longs()))
            .getMessage();
    assertTrue(
        message.contains("strings() or utf8Bytes() (xxh3-64/utf8), but are longs() or ints()"),
        message);
  }

  @Test
  void aCopyGoesItsOwnWay() {
    BloomFilter<String> filter = strings.create();
    filter.put("a");
    BloomFilter<String> copy = filter.copy();
    copy.put("b");
    filter.put("c");
    assertTrue(copy.mightContain("a"));
    assertFalse(filter.mightContain("b"));
    assertFalse(copy.mightContain("c"));
  }

  @Test
  void aBatchOfRemovesTakesBackWhatIsThere() {
    RemovableBloomFilter<String> filter =
        (RemovableBloomFilter<String>)
            BloomFilter.<String>of(
                new CountedHashes(FilterSpec.of(5_000, 0.1, "xxh3-64/utf8")), KeyHasher.strings());
    List<String> words = words(2_000);
    filter.putAll(words);
    filter.putAll(words.subList(0, 700));
    assertEquals(2_000, filter.removeAll(words));
    assertEquals(700, filter.removeAll(words));
    assertEquals(0, filter.removeAll(words));
    filter.putAll(words);
    List<String> broken = new ArrayList<>(words);
    broken.set(600, null);
    String message =
        assertThrows(NullPointerException.class, () -> filter.removeAll(broken)).getMessage();
    assertEquals("keys must not be null, but key 600 is; those before it are taken back", message);
    assertEquals(words.subList(600, 2_000), filter.select(words));
  }

  @Test
  void parallelAndSequentialStreamsGiveTheSameFilter() throws IOException {
    List<String> words = words(20_000);
    BloomFilter<String> sequential = words.stream().collect(strings.toFilter());
    assertArrayEquals(bytes(sequential), bytes(words.parallelStream().collect(strings.toFilter())));
    assertArrayEquals(
        bytes(sequential), bytes(words.parallelStream().collect(strings.confined().toFilter())));
    assertArrayEquals(
        bytes(sequential), bytes(words.stream().collect(strings.confined().toFilter())));
  }

  /** Filters for all threads would take more of the heap than the one that is asked for. */
  @Test
  void onlyALargeSharedFilterIsCollectedConcurrently() {
    FilterBuilder<String> large = strings.expect(Runtime.getRuntime().maxMemory() / 8);
    assertTrue(isConcurrent(large));
    assertFalse(isConcurrent(large.confined()));
    assertFalse(isConcurrent(strings));
  }

  private static boolean isConcurrent(FilterBuilder<String> builder) {
    return builder.toFilter().characteristics().contains(Collector.Characteristics.CONCURRENT);
  }

  /** A part of a group is collected by itself, also where a whole stream would be concurrently. */
  @Test
  void groupsOfAParallelStreamAreCollected() {
    List<String> words = words(4_000);
    // Filters for all parts, of 14 bits for each key, are just more than an eighth of the heap.
    Runtime jvm = Runtime.getRuntime();
    FilterBuilder<String> large =
        strings.expect(jvm.maxMemory() / 8 / (4L * jvm.availableProcessors()) * 8 / 14);
    assertTrue(isConcurrent(large));
    for (FilterBuilder<String> builder : List.of(strings, strings.confined(), large)) {
      Map<Boolean, BloomFilter<String>> groups =
          words.parallelStream()
              .collect(Collectors.partitioningBy(words::contains, builder.toFilter()));
      assertEquals(words, groups.get(true).select(words));
      assertEquals(List.of(), groups.get(false).select(words));
    }
  }

  @Test
  void aCollectorCanBeUsedAgain() throws IOException {
    Collector<String, ?, BloomFilter<String>> collector = strings.toFilter();
    byte[] first = bytes(words(2_000).stream().collect(collector));
    assertArrayEquals(first, bytes(words(2_000).stream().collect(collector)));
    assertThrows(NullPointerException.class, () -> Stream.of("a", null).collect(collector));
  }

  @Test
  void aFilterIsSavedOpenedAndRead(@TempDir Path folder) throws IOException {
    BloomFilter<String> filter = strings.create();
    filter.putAll(words(100));
    Path path = folder.resolve("words.bloom");
    filter.save(path);
    assertArrayEquals(bytes(filter), bytes(saved.open(path)));
    byte[] bytes = bytes(filter);
    assertEquals(filter.serializedSize(), bytes.length);
    assertArrayEquals(bytes, bytes(saved.confined().read(new ByteArrayInputStream(bytes))));
    String message =
        assertThrows(
                UnexpectedFilterException.class,
                () -> bloomery.<Long>keys(KeyHasher.longs()).open(path))
            .getMessage();
    assertTrue(
        message.contains("strings() or utf8Bytes() (xxh3-64/utf8), but are longs() or ints()"),
        message);
    assertThrows(UnexpectedFilterException.class, () -> saved.openRemovable(path));
  }

  @Test
  void anUnsuitableParameterIsRefused() {
    FilterBuilder<String> builder = saved.expect(5).variant("plain");
    assertEquals(0.01, builder.plan().spec().falsePositiveRate());
    assertThrows(IllegalArgumentException.class, () -> saved.expect(0));
    assertThrows(IllegalArgumentException.class, () -> builder.expect(0));
    assertThrows(IllegalArgumentException.class, () -> builder.fpp(1));
    assertThrows(IllegalArgumentException.class, () -> builder.variant("none"));
    assertThrows(
        IllegalArgumentException.class,
        () -> bloomery.<String>keys(KeyHasher.strings()).expect(5).create());
    assertTrue(
        assertThrows(IllegalArgumentException.class, () -> strings.createRemovable())
            .getMessage()
            .contains("variant must be one that can remove"));
  }

  @Test
  void removableFiltersRemoveKeys(@TempDir Path folder) throws IOException {
    BloomFilter<String> filter =
        BloomFilter.of(
            new CountedHashes(FilterSpec.of(10, 0.1, "xxh3-64/utf8")), KeyHasher.strings());
    assertInstanceOf(RemovableBloomFilter.class, filter);
    RemovableBloomFilter<String> removable = (RemovableBloomFilter<String>) filter;
    removable.put("a");
    removable.put("a");
    assertEquals(2, removable.approximateCount("a"));
    assertTrue(removable.remove("a"));
    assertTrue(removable.copy().remove("a"));
    assertTrue(removable.remove("a"));
    assertFalse(removable.remove("a"));
    assertEquals("key must not be null", refused(() -> removable.remove(null)));
    assertEquals("key must not be null", refused(() -> removable.approximateCount(null)));
  }

  @Test
  void aPutThatFindsNoRoomInABatchSaysHowManyAreIn() {
    CountedHashes filter = new CountedHashes(FilterSpec.of(3, 0.1));
    FilterFullException e =
        assertThrows(
            FilterFullException.class, () -> filter.putAll(new long[] {9, 1, 2, 3, 4, 5}, 1, 6));
    assertEquals("the first 3 of 5 are in, none after: full", e.getMessage());
    assertTrue(filter.mightContain(3));
    assertFalse(filter.mightContain(4));
  }

  @Test
  void keysThatFindNoRoomAreCountedFromTheFirst() {
    KeyHasher<CharSequence> hasher = KeyHasher.strings();
    BloomFilter<String> filter =
        BloomFilter.of(new CountedHashes(FilterSpec.of(600, 0.1, hasher.id())), hasher);
    String message =
        assertThrows(FilterFullException.class, () -> filter.putAll(words(1_000))).getMessage();
    assertEquals("after 512 others, the first 88 of 488 are in, none after: full", message);
    assertEquals(words(1_000).stream().filter(filter).toList(), filter.select(words(1_000)));
    assertEquals(600, filter.select(words(1_000)).size());
  }

  /** Whatever is thrown, and by whatever: the iterator, as here, or the hasher. */
  @Test
  void keysBeforeOneThatCannotBeHadAreIn() {
    SplittableRandom random = new SplittableRandom(1);
    for (Throwable failure :
        List.of(
            new IllegalStateException(),
            new AssertionError(),
            new OutOfMemoryError(),
            new StackOverflowError(),
            new InterruptedException(),
            new IOException())) {
      for (int round = 0; round < 8; round++) {
        int before = round == 0 ? 0 : random.nextInt(1_500);
        List<String> words = words(before);
        KeyHasher<String> hasher =
            KeyHasher.strings().compose(key -> key.equals("word-" + before) ? raise(failure) : key);
        RemovableBloomFilter<String> filter =
            (RemovableBloomFilter<String>)
                BloomFilter.of(new CountedHashes(FilterSpec.of(2_000, 0.1, hasher.id())), hasher);
        Iterable<String> iterated =
            () ->
                IntStream.range(0, 2_000)
                    .mapToObj(i -> i < before ? words.get(i) : raise(failure))
                    .iterator();
        for (Iterable<String> keys : List.of(iterated, words(2_000))) {
          assertSame(failure, assertThrows(Throwable.class, () -> filter.putAll(keys)));
          words.forEach(key -> assertEquals(1, filter.approximateCount(key)));
          assertEquals(before, filter.stats().approximateKeys().orElseThrow());
          assertSame(failure, assertThrows(Throwable.class, () -> filter.removeAll(keys)));
          assertEquals(0, filter.stats().approximateKeys().orElseThrow());
        }
      }
    }
  }

  /** Throws anything, as code of Kotlin and Scala may. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> String raise(Throwable failure) throws T {
    throw (T) failure;
  }

  @Test
  void nothingOfTheKeysIsShown() {
    BloomFilter<String> filter = strings.create();
    filter.put("secret");
    assertTrue(filter.toString().length() < 200, filter.toString());
    assertTrue(filter.toString().startsWith("plain"), filter.toString());
  }
}
