package io.bloomery.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class HashVectorsTest {

  private static String hex(long hash) {
    return HexFormat.of().toHexDigits(hash);
  }

  private static String hex(int hash) {
    return HexFormat.of().toHexDigits(hash);
  }

  private static List<String> pair(Item item, Consumer<Item> hash) {
    hash.accept(item);
    return List.of(hex(item.h1), hex(item.h2));
  }

  @Test
  void bytesHaveTheHashesOfTheVectors() {
    List<?> vectors = (List<?>) GoldenKeys.json("hash-vectors.json").get("bytes");
    assertTrue(vectors.size() > 80);
    for (Object each : vectors) {
      Map<?, ?> vector = (Map<?, ?>) each;
      Item item = ItemEncoding.bytes().item(HexFormat.of().parseHex((String) vector.get("key")));
      assertEquals(vector.get("murmur3_x64_128_seed0"), pair(item, Hashes::murmur128));
      assertEquals(vector.get("cassandra_murmur3_x64_128_seed0"), pair(item, Hashes::cassandra128));
      assertEquals(
          ((List<?>) vector.get("bitsandblooms_sum256")).subList(2, 4),
          pair(item, Hashes::murmur128AndOne));
      int spark = Hashes.spark32(item, 0);
      assertEquals(vector.get("spark_h1_seed0"), hex(spark));
      assertEquals(vector.get("spark_h2"), hex(Hashes.spark32(item, spark)));
      assertEquals(vector.get("xxh64_seed0"), hex(Hashes.xxh64(item, 0)));
      long first = Hashes.xxh64(item, 9001);
      assertEquals(
          vector.get("datasketches_h0_h1_seed9001"),
          List.of(hex(first), hex(Hashes.xxh64(item, first))));
      long a = Hashes.murmur64a(item, 0xc6a4a7935bd1e995L);
      assertEquals(vector.get("redisbloom_a_b"), List.of(hex(a), hex(Hashes.murmur64a(item, a))));
      assertEquals(vector.get("hive_orc_murmur64_seed104729"), hex(Hashes.hive(item)));
      assertEquals(vector.get("fnv1_64"), hex(Hashes.fnv1(item)));
    }
  }

  @Test
  void longsHaveTheHashesOfTheVectors() {
    List<?> vectors = (List<?>) GoldenKeys.json("hash-vectors.json").get("longs");
    assertTrue(vectors.size() > 10);
    for (Object each : vectors) {
      Map<?, ?> vector = (Map<?, ?>) each;
      long key = Long.parseLong((String) vector.get("long"));
      Item item = ItemEncoding.longsLittleEndian().item(key);
      assertEquals(vector.get("guava_longFunnel_murmur3"), pair(item, Hashes::murmur128));
      int spark = Hashes.spark32(item, 0);
      assertEquals(
          vector.get("spark_h1_h2_seed0"), List.of(hex(spark), hex(Hashes.spark32(item, spark))));
      assertEquals(vector.get("parquet_int64_xxh64"), hex(Hashes.xxh64(item, 0)));
      assertEquals(vector.get("hive_bloomk_addLong_2.5_2.6"), hex(Hashes.hive(item)));
      item = ItemEncoding.longsBigEndian().item(key);
      assertEquals(vector.get("cassandra_bigint_murmur3"), pair(item, Hashes::cassandra128));
      assertEquals(vector.get("hive_bloomk_addLong_2.7_and_later"), hex(Hashes.hive(item)));
      item = ItemEncoding.hiveLongs().item(key);
      assertEquals(vector.get("orc_and_hive_bloom_addLong_wang"), hex(Hashes.hive(item)));
    }
  }

  /** The values that Kudu's own tests hold it to, in C++ and Java alike. */
  @Test
  void kuduHasTheHashesOfItsTests() {
    byte[] mixed = new byte[15];
    for (int i = 0; i < mixed.length; i++) {
      mixed[i] = (byte) (i - 8);
    }
    assertEquals((int) 2564147595L, Hashes.fast32(ItemEncoding.utf8().item("ab"), 0));
    assertEquals((int) 1497700618L, Hashes.fast32(ItemEncoding.utf8().item("abcdefg"), 0));
    assertEquals((int) 1676541068L, Hashes.fast32(ItemEncoding.utf8().item("quick brown fox"), 42));
    assertEquals((int) 3045300040L, Hashes.fast32(ItemEncoding.utf8().item(""), 0));
    assertEquals((int) 811548192L, Hashes.fast32(ItemEncoding.utf8().item(""), 1234));
    assertEquals((int) 3815875205L, Hashes.fast32(ItemEncoding.bytes().item(mixed), 0));
  }

  /** Values of {@code DefaultHasher} of Rust 1.95, whose keys are 0. */
  @Test
  void valkeyHasTheHashesOfRust() {
    Map.of(
            "", 0xbd60acb658c79e45L,
            "a", 0xbeb9a6bbf61b58b4L,
            "abc", 0x4aa3e4b34416e6c9L,
            "key-0", 0x2b0137d5598b73ebL,
            "absent-9999", 0x6e32f56e57c97d66L,
            "0123456789abcdef0123456789", 0xba4ec033a36ee71eL)
        .forEach(
            (text, hash) ->
                assertEquals(hash, Hashes.rustSip13(ItemEncoding.utf8().item(text), 0, 0), text));
  }
}
