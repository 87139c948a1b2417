package io.bloomery.benchmarks.contender;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/** The split-block filter of Parquet with Strings. */
final class ParquetStrings extends StringContender {

  private BlockSplitBloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(keys, rate);
    filter = new BlockSplitBloomFilter(bits / Byte.SIZE);
  }

  @Override
  boolean put(String key) {
    filter.insertHash(filter.hash(Binary.fromString(key)));
    return false;
  }

  @Override
  boolean mightContain(String key) {
    return filter.findHash(filter.hash(Binary.fromString(key)));
  }

  @Override
  public long sizeInBits() {
    return (long) filter.getBitsetSize() * Byte.SIZE;
  }
}
