package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.BloomFilterView;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Queries: what they leave to the garbage collector, in threads, in batches, of row groups. */
class ViewTest {

  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static ForeignFilter empty(ForeignFormat format) {
    return format.create(1000, ForeignFilters.rate(format));
  }

  /** All encodings, each with keys of its own. */
  private static Map<ItemEncoding<?>, List<?>> keys() {
    List<String> texts = IntStream.range(0, 500).mapToObj(i -> "schlüssel-" + i).toList();
    List<Integer> ints = IntStream.range(0, 500).boxed().toList();
    List<Long> longs = LongStream.range(0, 500).boxed().toList();
    List<byte[]> bytes = texts.stream().map(String::getBytes).toList();
    return Map.of(
        ItemEncoding.utf8(), texts,
        ItemEncoding.utf8UnlessEmpty(), texts,
        ItemEncoding.utf16LittleEndian(), texts,
        ItemEncoding.bytes(), bytes,
        ItemEncoding.intsLittleEndian(), ints,
        ItemEncoding.intsBigEndian(), ints,
        ItemEncoding.longsLittleEndian(), longs,
        ItemEncoding.longsBigEndian(), longs,
        ItemEncoding.hiveLongs(), longs);
  }

  @ParameterizedTest
  @EnumSource
  void queriesAllocateNothing(ForeignFormat format) {
    keys()
        .forEach(
            (encoding, keys) -> {
              if (format.takes(encoding)) {
                checkAllocation(format, encoding, keys);
              }
            });
  }

  @SuppressWarnings("unchecked")
  private static <K> void checkAllocation(
      ForeignFormat format, ItemEncoding<K> encoding, List<?> untyped) {
    List<K> keys = (List<K>) untyped;
    ForeignFilter filter = empty(format);
    filter.putAll(keys.subList(0, 250), encoding);
    BloomFilterView<K> view = filter.view(encoding);
    long least = Long.MAX_VALUE;
    // What links and compiles the code allocates, now and then; a query that does, does each time.
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      int found = 0;
      for (int i = 0; i < keys.size(); i++) {
        found += view.mightContain(keys.get(i)) ? 1 : 0;
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      assertTrue(found >= 250, found + " found");
    }
    assertEquals(0, least, format + ", " + encoding);
  }

  @Test
  void anyNumberOfThreadsGetTheAnswersOfOne() throws Exception {
    Map<ForeignFormat, Golden> one = new EnumMap<>(ForeignFormat.class);
    Golden.all().forEach(golden -> one.put(golden.format(), golden));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> ends = new ArrayList<>();
      // Each format in each thread, in different order, so that all kinds of items take turns.
      for (int thread = 0; thread < 4; thread++) {
        List<Golden> goldens = new ArrayList<>(one.values());
        java.util.Collections.rotate(goldens, 5 * thread);
        Map<Golden, BloomFilterView<Object>> views = new java.util.HashMap<>();
        for (Golden golden : goldens) {
          views.put(golden, golden.format().read(golden.bytes()).view(golden.encoding()));
        }
        ends.add(threads.submit(() -> views.forEach(ViewTest::checkAnswers)));
      }
      BloomFilterView<Object> shared = view(one.get(ForeignFormat.CASSANDRA_4));
      for (int thread = 0; thread < 4; thread++) {
        ends.add(threads.submit(() -> checkAnswers(one.get(ForeignFormat.CASSANDRA_4), shared)));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static BloomFilterView<Object> view(Golden golden) throws IOException {
    return golden.format().read(golden.bytes()).view(golden.encoding());
  }

  private static void checkAnswers(Golden golden, BloomFilterView<Object> view) {
    assertTrue(golden.members().stream().allMatch(view), golden::toString);
    for (int i = 0; i < golden.probes().size(); i++) {
      assertEquals(
          golden.positives().contains(i),
          view.mightContain(golden.probes().get(i)),
          golden + ", probe " + i);
    }
  }

  @Test
  void batchesAnswerAsSingleQueriesDo() throws IOException {
    for (Golden golden : Golden.all()) {
      BloomFilterView<Object> view = view(golden);
      List<Object> keys = new ArrayList<>(golden.members());
      keys.addAll(golden.probes().subList(0, 500));
      assertEquals(keys.stream().filter(view).toList(), view.select(keys), golden::toString);
    }
  }

  @Test
  void theFunctionOfAnEncodingMayAskAnotherFilter() {
    ForeignFilter inner = empty(ForeignFormat.ORC);
    BloomFilterView<Long> asked = inner.view(ItemEncoding.hiveLongs());
    ItemEncoding<String> nested =
        ItemEncoding.utf8().compose(key -> asked.mightContain(1L) ? key : "not-" + key);
    ForeignFilter outer = empty(ForeignFormat.GUAVA);
    outer.put("not-a", ItemEncoding.utf8());
    assertTrue(outer.view(nested).mightContain("a"));
    assertEquals(List.of("a"), outer.view(nested).select(List.of("a")));
    ItemEncoding<String> texts =
        ItemEncoding.utf8()
            .compose(
                key -> {
                  outer.view(ItemEncoding.utf8()).mightContain("another text");
                  return key;
                });
    outer.put("b", texts);
    assertTrue(outer.view(ItemEncoding.utf8()).mightContain("b"));
  }

  @Test
  void aKeyThatIsNullIsNamed() {
    BloomFilterView<CharSequence> view = empty(ForeignFormat.GUAVA).view(ItemEncoding.utf8());
    assertTrue(
        assertThrows(NullPointerException.class, () -> view.select(Arrays.asList("a", null)))
            .getMessage()
            .contains("key 1"));
    assertTrue(
        assertThrows(NullPointerException.class, () -> view.mightContain(null))
            .getMessage()
            .contains("key must not be null"));
  }

  @Test
  void rowGroupsAnswerAsTheirFiltersDo() {
    SplittableRandom random = new SplittableRandom(28);
    for (int draw = 0; draw < 20; draw++) {
      List<ForeignFilter> filters = new ArrayList<>();
      List<Long> put = new ArrayList<>();
      int groups = random.nextInt(1, 150);
      for (int group = 0; group < groups; group++) {
        ForeignFilter filter =
            (random.nextBoolean() ? ForeignFormat.PARQUET : ForeignFormat.PARQUET_BITSET)
                .create(ForeignParameters.table(256L * random.nextInt(1, 40), 8));
        for (int i = random.nextInt(200); i > 0; i--) {
          put.add(random.nextLong());
          filter.put(put.get(put.size() - 1), ItemEncoding.longsLittleEndian());
        }
        filters.add(filter);
      }
      put.add(random.nextLong());
      Function<ForeignFilter, BloomFilterView<Long>> view =
          filter -> filter.view(ItemEncoding.longsLittleEndian());
      ParquetRowGroups<Long> all =
          new ParquetRowGroups<>(filters, ItemEncoding.longsLittleEndian());
      for (Long key : put) {
        BitSet expected = new BitSet();
        for (int group = 0; group < groups; group++) {
          expected.set(group, view.apply(filters.get(group)).mightContain(key));
        }
        assertEquals(expected, all.mightContain(key));
        BitSet more = new BitSet();
        more.set(groups + 3);
        all.mightContain(key, more);
        assertTrue(more.get(groups + 3));
        more.clear(groups + 3);
        assertEquals(expected, more);
      }
    }
  }

  @Test
  void rowGroupsAskedIntoOneSetAllocateNothing() {
    List<ForeignFilter> filters = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      filters.add(ForeignFormat.PARQUET.create(1000, 0.01));
      filters.get(i).put("key-" + i, ItemEncoding.utf8());
    }
    ParquetRowGroups<CharSequence> groups = new ParquetRowGroups<>(filters, ItemEncoding.utf8());
    BitSet found = new BitSet(100);
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 20 && least > 0; round++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      for (int i = 0; i < 100; i++) {
        found.clear();
        groups.mightContain("key-77", found);
      }
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(found.get(77) && found.cardinality() < 10, found::toString);
    assertEquals(0, least);
  }

  @Test
  void onlyFiltersOfParquetAreRowGroups() {
    List<ForeignFilter> filters = List.of(empty(ForeignFormat.PARQUET), empty(ForeignFormat.ORC));
    assertTrue(
        assertThrows(
                IllegalArgumentException.class,
                () -> new ParquetRowGroups<>(filters, ItemEncoding.utf8()))
            .getMessage()
            .contains("orc"));
    assertThrows(
        IllegalArgumentException.class,
        () -> new ParquetRowGroups<>(filters.subList(0, 1), ItemEncoding.hiveLongs()));
  }

  @Test
  void equalNumbersAreOneItemAndEveryNaNIsOne() {
    float nan = Float.intBitsToFloat(0x7fc0_1234);
    for (ForeignFormat format : List.of(ForeignFormat.DATASKETCHES, ForeignFormat.PARQUET)) {
      ForeignFilter filter = format.create(100, 1e-6);
      filter.put(-0.0, ItemEncoding.doublesLittleEndian());
      filter.put(
          Double.longBitsToDouble(0x7ff8_0000_0000_1234L), ItemEncoding.doublesLittleEndian());
      filter.put(-0f, ItemEncoding.floatsLittleEndian());
      filter.put(nan, ItemEncoding.floatsLittleEndian());
      filter.requireMembers(List.of(0.0, -0.0, Double.NaN), ItemEncoding.doublesLittleEndian());
      filter.requireMembers(List.of(0f, -0f, Float.NaN), ItemEncoding.floatsLittleEndian());
      filter.requireMembers(
          List.of(0L, Double.doubleToLongBits(Double.NaN)), ItemEncoding.longsLittleEndian());
      filter.requireMembers(
          List.of(0, Float.floatToIntBits(Float.NaN)), ItemEncoding.intsLittleEndian());
    }
  }
}
