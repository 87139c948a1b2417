package io.bloomery.benchmarks.contender;

import com.dynatrace.hash4j.hashing.Hashing;
import java.nio.charset.StandardCharsets;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** The filter of Commons Collections with Strings. */
final class CollectionsStrings extends StringContender {

  private SimpleBloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = new SimpleBloomFilter(Shape.fromNP((int) keys, rate));
  }

  @Override
  boolean put(String key) {
    return filter.merge(hasher(key));
  }

  @Override
  boolean mightContain(String key) {
    return filter.contains(hasher(key));
  }

  private static Hasher hasher(String key) {
    return CollectionsHasher.of(
        Hashing.xxh3_64().hashBytesToLong(key.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public long sizeInBits() {
    return filter.getShape().getNumberOfBits();
  }
}
