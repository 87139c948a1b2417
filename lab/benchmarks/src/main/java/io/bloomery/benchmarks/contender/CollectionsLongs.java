package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.FilterOperation;
import java.util.EnumSet;
import java.util.Set;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.Shape;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** The filter of Commons Collections with long keys. */
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

  private static Hasher hasher(long key) {
    return CollectionsHasher.of(CollectionsHasher.mix(key));
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return EnumSet.of(FilterOperation.MERGE);
  }

  @Override
  public void prepare(FilterOperation operation) {
    other = filter.copy();
  }

  @Override
  public void run(FilterOperation operation) {
    filter.merge(other);
  }

  @Override
  public long sizeInBits() {
    return filter.getShape().getNumberOfBits();
  }
}
