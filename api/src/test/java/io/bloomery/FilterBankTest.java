package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilterBankTest {

  private static final Filters<Long> LONGS =
      Bloomery.with(new MappingProvider()).keys(KeyHasher.longs());

  @TempDir private Path folder;

  /** A filter of some longs below 5,000, in memory, mapped, read only or in shards. */
  private BloomFilterView<Long> drawn(SplittableRandom random, int index) throws IOException {
    int keys = 1 + random.nextInt(2_000);
    FilterBuilder<Long> sized = sized(LONGS, keys, 1 / (2.0 + random.nextInt(100)));
    Path path = folder.resolve("f" + index);
    List<Long> put = random.longs(keys, 0, 5_000).boxed().toList();
    int kind = random.nextInt(4);
    if (kind == 3) {
      ShardWriter<Long> shards = sized.shards(1 + random.nextInt(3), path);
      for (int shard = 0; shard < shards.sharding().shards(); shard++) {
        int of = shard;
        shards.write(shard, put.stream().filter(key -> shards.shardOf(key) == of).toList());
      }
      shards.finish();
      return LONGS.openShards(path);
    }
    BloomFilter<Long> filter = sized.create();
    filter.putAll(put);
    filter.save(path);
    return kind == 0 ? filter : kind == 1 ? LONGS.map(path) : LONGS.openView(path);
  }

  private static <K> FilterBuilder<K> sized(Filters<K> filters, long keys, double rate) {
    return filters.expect(keys).fpp(rate).variant("plain");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void eachFilterGivesTheAnswerThatItGivesAlone(long seed) throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<BloomFilterView<Long>> views = new ArrayList<>();
    int size = 1 + random.nextInt(80);
    for (int i = 0; i < size; i++) {
      views.add(drawn(random, i));
    }
    FilterBank<Long> bank = FilterBank.of(views);
    views.add(null); // it has a list of its own
    assertEquals(size, bank.size());
    List<Long> keys = random.longs(random.nextInt(1_500), 0, 6_000).boxed().toList();
    List<BitSet> all = bank.mightContainEach(keys);
    assertEquals(keys.size(), all.size());
    for (int i = 0; i < keys.size(); i++) {
      Long key = keys.get(i);
      BitSet alone = new BitSet();
      IntStream.range(0, size).filter(f -> views.get(f).mightContain(key)).forEach(alone::set);
      assertEquals(alone, bank.mightContain(key));
      assertEquals(alone, all.get(i));
      assertEquals(alone.nextSetBit(0), bank.indexOf(key));
    }
  }

  @Test
  void whatIsPutIntoAFilterOfTheBankIsFound() {
    BloomFilter<Long> filter = sized(LONGS, 10, 1e-9).create();
    FilterBank<Long> bank = FilterBank.of(List.of(sized(LONGS, 99, 1e-9).create(), filter));
    assertEquals(-1, bank.indexOf(7L));
    filter.put(7L);
    assertEquals(1, bank.indexOf(7L));
    assertEquals("a bank of 2 filters", bank.toString());
  }

  /** Hash ids do not tell all hashers apart. */
  @Test
  void eachFilterIsAskedByItsOwnHasher() {
    Filters<String> strings = Bloomery.with(new MappingProvider()).keys(KeyHasher.strings());
    List<BloomFilter<String>> filters =
        List.of(
            sized(strings.keysReadyIn(KeyForm.IGNORE_CASE), 10, 1e-9).create(),
            sized(strings.keyForm(KeyForm.IGNORE_CASE), 10, 1e-9).create(),
            sized(strings, 10, 1e-9).create(),
            sized(strings.secret(new byte[32]), 10, 1e-9).create(),
            sized(strings.keyForm(KeyForm.IGNORE_CASE), 10, 1e-9).create());
    filters.subList(1, 5).forEach(filter -> filter.put("ABC"));
    FilterBank<String> bank = FilterBank.of(filters);
    assertEquals("{1, 2, 3, 4}", bank.mightContain("ABC").toString());
    assertEquals("{1, 4}", bank.mightContain("Abc").toString());
    assertEquals("{1, 4}", bank.mightContain("abc").toString());
    assertEquals(1, bank.indexOf("ABC"));
    assertEquals(
        "[{1, 2, 3, 4}, {}, {1, 4}]", bank.mightContainEach(List.of("ABC", "x", "aBC")).toString());
  }

  @Test
  void whatIsNotAskedByHashesIsRefused() {
    Filters<String> strings = Bloomery.with(new MappingProvider()).keys(KeyHasher.strings());
    BloomFilter<String> plain = sized(strings, 10, 0.01).create();
    BloomFilterView<String> own =
        new BloomFilterView<>() {
          @Override
          public boolean mightContain(String key) {
            return true;
          }

          @Override
          public List<String> select(Collection<? extends String> keys) {
            return List.copyOf(keys);
          }

          @Override
          public FilterStats stats() {
            return plain.stats();
          }
        };
    assertTrue(refused(List.of(plain, own)).contains("but filter 1 is of class"));
    assertEquals("a bank must have at least one filter, but has none", refused(List.of()));
  }

  private static String refused(List<BloomFilterView<String>> filters) {
    return assertThrows(IllegalArgumentException.class, () -> FilterBank.of(filters)).getMessage();
  }

  @Test
  void aFilterThatCannotAnswerIsNamed() throws IOException {
    Path path = folder.resolve("f");
    BloomFilter<Long> filter = sized(LONGS, 10, 1e-9).create();
    filter.save(path);
    MappedBloomFilter<Long> closed = LONGS.map(path);
    closed.close();
    FilterBank<Long> bank = FilterBank.of(List.of(filter, closed));
    for (Runnable query :
        List.<Runnable>of(
            () -> bank.mightContain(1L),
            () -> bank.indexOf(1L),
            () -> bank.mightContainEach(List.of(1L)))) {
      String message = assertThrows(FilterUnavailableException.class, query::run).getMessage();
      assertTrue(message.startsWith("filter 1 cannot answer: the filter mapped from"), message);
    }
    filter.put(1L);
    assertEquals(0, bank.indexOf(1L)); // those behind it are not asked
  }

  @Test
  void aNullKeyIsNamed() {
    FilterBank<Long> bank = FilterBank.of(List.of(sized(LONGS, 10, 1e-9).create()));
    assertThrows(NullPointerException.class, () -> bank.mightContain(null));
    assertThrows(NullPointerException.class, () -> bank.indexOf(null));
    List<Long> keys = new ArrayList<>(List.of(1L, 2L));
    keys.add(null);
    assertTrue(
        assertThrows(NullPointerException.class, () -> bank.mightContainEach(keys))
            .getMessage()
            .contains("key 2 is"));
  }
}
