package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.FilterOperation;
import java.util.EnumSet;
import java.util.Set;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** The filter of DataSketches with long keys. */
final class DataSketchesLongs extends LongContender {

  // The other factory method draws a random seed.
  static final long SEED = 9001;

  private static final Set<Integer> JAVA_OF_MEMORY = Set.of(17, 21);

  private BloomFilter filter;
  private BloomFilter other;
  private byte[] bytes;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilterBuilder.createByAccuracy(keys, rate, SEED);
  }

  @Override
  boolean put(long key) {
    return !filter.queryAndUpdate(key);
  }

  // update() does not query the previous state, and so has less work.
  @Override
  int putBatch(long[] keys, int from, int to) {
    for (int i = from; i < to; i++) {
      filter.update(keys[i]);
    }
    return 0;
  }

  @Override
  boolean mightContain(long key) {
    return filter.query(key);
  }

  // The memory library that wraps its bytes rejects all other Java versions.
  @Override
  public Set<FilterOperation> filterOperations() {
    return JAVA_OF_MEMORY.contains(Runtime.version().feature())
        ? EnumSet.allOf(FilterOperation.class)
        : EnumSet.noneOf(FilterOperation.class);
  }

  @Override
  public void prepare(FilterOperation operation) {
    bytes = filter.toByteArray();
    other = BloomFilter.heapify(Memory.wrap(bytes));
  }

  @Override
  public void run(FilterOperation operation) {
    switch (operation) {
      case MERGE -> filter.union(other);
      case SAVE -> bytes = filter.toByteArray();
      case OPEN -> other = BloomFilter.heapify(Memory.wrap(bytes));
    }
  }

  @Override
  public long sizeInBits() {
    return filter.getCapacity();
  }
}
