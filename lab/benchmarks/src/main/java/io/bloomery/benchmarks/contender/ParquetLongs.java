package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Whole;
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
  public Set<Whole> wholes() {
    return EnumSet.allOf(Whole.class);
  }

  @Override
  public void prepare(Whole whole) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    bytes = out.toByteArray();
    other = new BlockSplitBloomFilter(bytes);
  }

  @Override
  public void whole(Whole whole) throws IOException {
    switch (whole) {
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
