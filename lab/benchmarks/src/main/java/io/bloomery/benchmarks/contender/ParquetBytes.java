package io.bloomery.benchmarks.contender;

import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;
import org.apache.parquet.io.api.Binary;

/** The split-block filter of Parquet with byte arrays. */
final class ParquetBytes extends ObjectContender<byte[]> {

  private BlockSplitBloomFilter filter;

  @Override
  public void create(long keys, double rate) {
    int bits = BlockSplitBloomFilter.optimalNumOfBits(keys, rate);
    filter = new BlockSplitBloomFilter(bits / Byte.SIZE);
  }

  @Override
  boolean put(byte[] key) {
    filter.insertHash(filter.hash(Binary.fromConstantByteArray(key)));
    return false;
  }

  @Override
  boolean mightContain(byte[] key) {
    return filter.findHash(filter.hash(Binary.fromConstantByteArray(key)));
  }

  @Override
  public long sizeInBits() {
    return (long) filter.getBitsetSize() * Byte.SIZE;
  }
}
