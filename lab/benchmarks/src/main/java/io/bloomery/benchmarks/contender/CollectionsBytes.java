package io.bloomery.benchmarks.contender;

import com.dynatrace.hash4j.hashing.Hashing;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** The filter of Commons Collections with byte arrays. */
final class CollectionsBytes extends ObjectContender<byte[]> {

  private SimpleBloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = new SimpleBloomFilter(Shape.fromNP((int) keys, rate));
  }

  @Override
  boolean put(byte[] key) {
    return filter.merge(hasher(key));
  }

  @Override
  boolean mightContain(byte[] key) {
    return filter.contains(hasher(key));
  }

  private static Hasher hasher(byte[] key) {
    return CollectionsHasher.of(Hashing.xxh3_64().hashBytesToLong(key));
  }

  @Override
  public long sizeInBits() {
    return filter.getShape().getNumberOfBits();
  }
}
