package io.bloomery.benchmarks.contender;

import org.apache.hive.common.util.BloomKFilter;

/**
 * Hive's blocked filter, made for 1.75 times the keys, since it takes no rate and is made for 5 %,
 * with Strings.
 */
final class HiveStrings extends ObjectContender<String> {

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
