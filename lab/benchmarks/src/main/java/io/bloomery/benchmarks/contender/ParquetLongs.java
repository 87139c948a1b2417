package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.FilterOperation;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;

/** The split-block filter of Parquet with long keys. */
final class ParquetLongs extends LongContender {

  private BlockSplitBloomFilter filter;
  private BlockSplitBloomFilter other;
  private byte[] bytes;

  @Override
  public void create(long keys, double rate) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(keys, rate);
    filter = new BlockSplitBloomFilter(bits / Byte.SIZE);
  }

  @Override
  boolean put(long key) {
    filter.insertHash(filter.hash(key));
    return false;
  }

  @Override
  boolean mightContain(long key) {
    return filter.findHash(filter.hash(key));
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return EnumSet.allOf(FilterOperation.class);
  }

  @Override
  public void prepare(FilterOperation operation) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    bytes = out.toByteArray();
    other = new BlockSplitBloomFilter(bytes);
  }

  @Override
  public void run(FilterOperation operation) throws IOException {
    switch (operation) {
      case MERGE -> filter.merge(other);
      case SAVE -> filter.writeTo(OutputStream.nullOutputStream());
      // Copied, because the filter takes ownership of the array, and a reader of a file must copy
      // the bytes first.
      case OPEN -> other = new BlockSplitBloomFilter(bytes.clone());
    }
  }

  @Override
  public long sizeInBits() {
    return (long) filter.getBitsetSize() * Byte.SIZE;
  }
}
