package io.bloomery.benchmarks.contender;

import org.fastfilter.Filter;
import org.fastfilter.xor.Xor8;
import org.fastfilter.xor.XorFuse8;

/** A filter of fastfilter that is built once, of eight bits for each cell whatever the rate. */
final class FastFilterBuiltLongs extends BuiltLongs {

  private final String type;
  private Filter filter;

  FastFilterBuiltLongs(String type) {
    this.type = type;
  }

  @Override
  void build(long[] keys, double rate) {
    filter =
        switch (type) {
          case "Xor8" -> Xor8.construct(keys);
          case "XorFuse8" -> XorFuse8.construct(keys);
          default -> throw new IllegalArgumentException("no filter of fastfilter: " + type);
        };
  }

  @Override
  boolean mightContain(long key) {
    return filter.mayContain(key);
  }

  @Override
  public long sizeInBits() {
    settle();
    return filter.getBitCount();
  }
}
