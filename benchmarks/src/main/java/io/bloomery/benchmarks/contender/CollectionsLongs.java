package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Whole;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** Commons Collections' filter with long keys. */
final class CollectionsLongs extends LongContender {

  private SimpleBloomFilter filter;
  private SimpleBloomFilter other;

  @Override
  public void create(long keys, double rate) {
    filter = new SimpleBloomFilter(Shape.fromNP((int) keys, rate));
  }

  @Override
  boolean put(long key) {
    return filter.merge(hasher(key));
  }

  @Override
  boolean mightContain(long key) {
    return filter.contains(hasher(key));
  }

  // It wants two longs and brings no hash: the finisher of SplitMix64 is a cheap one.
  private static Hasher hasher(long key) {
    long first = mix(key);
    return new EnhancedDoubleHasher(first, mix(first));
  }

  private static long mix(long key) {
    long mixed = (key ^ key >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }

  @Override
  public Set<Whole> wholes() {
    return EnumSet.of(Whole.MERGE);
  }

  @Override
  public void prepare(Whole whole) {
    other = filter.copy();
  }

  @Override
  public void whole(Whole whole) {
    filter.merge(other);
  }

  @Override
  public long sizeInBits() {
    return filter.getShape().getNumberOfBits();
  }
}
