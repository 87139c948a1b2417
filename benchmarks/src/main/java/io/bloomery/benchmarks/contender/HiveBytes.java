package io.bloomery.benchmarks.contender;

import org.apache.hive.common.util.BloomKFilter;

/**
 * Hive's blocked filter, made for 1.75 times the keys, since it takes no rate and is made for 5 %,
 * with byte arrays.
 */
final class HiveBytes extends ObjectContender<byte[]> {

  private BloomKFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomKFilter.build(keys * 7 / 4);
  }

  @Override
  boolean put(byte[] key) {
    filter.addBytes(key);
    return false;
  }

  @Override
  boolean mightContain(byte[] key) {
    return filter.testBytes(key);
  }

  @Override
  public long sizeInBits() {
    return filter.getBitSize();
  }
}
