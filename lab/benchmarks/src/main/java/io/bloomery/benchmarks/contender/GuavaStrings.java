package io.bloomery.benchmarks.contender;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import java.nio.charset.StandardCharsets;

/** The filter of Guava with Strings, encoded as UTF-8. */
final class GuavaStrings extends StringContender {

  private BloomFilter<CharSequence> filter;
  private long bits;

  @Override
  public void create(long keys, double rate) {
    bits = Textbook.bits(keys, rate);
    filter = BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), keys, rate);
  }

  @Override
  boolean put(String key) {
    return filter.put(key);
  }

  @Override
  boolean mightContain(String key) {
    return filter.mightContain(key);
  }

  @Override
  public long sizeInBits() {
    return bits;
  }
}
