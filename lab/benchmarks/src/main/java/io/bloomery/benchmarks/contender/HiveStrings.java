package io.bloomery.benchmarks.contender;

import org.apache.hive.common.util.BloomKFilter;

/**
 * The blocked filter of Hive with Strings, created for 1.75 times the keys, because it has no
 * parameter for the rate and is designed for 5 %.
 */
final class HiveStrings extends StringContender {

  private BloomKFilter filter;

  @Override
  public void create(long keys, double rate) {
    filter = BloomKFilter.build(keys * 7 / 4);
  }

  @Override
  boolean put(String key) {
    filter.addString(key);
    return false;
  }

  @Override
  boolean mightContain(String key) {
    return filter.testString(key);
  }

  @Override
  public long sizeInBits() {
    return filter.getBitSize();
  }
}
