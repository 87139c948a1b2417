package io.bloomery.guard;

import io.bloomery.BloomFilter;
import io.bloomery.BloomFilterView;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A filter on a server that can be down. */
final class RemoteFilter implements BloomFilterView<String> {

  final BloomFilter<String> there = Bloomery.strings().expect(100).create();
  final AtomicInteger queries = new AtomicInteger();
  volatile boolean down;

  @Override
  public boolean mightContain(String key) {
    queries.incrementAndGet();
    check();
    return there.mightContain(key);
  }

  @Override
  public List<String> select(Collection<? extends String> keys) {
    queries.incrementAndGet();
    check();
    return there.select(keys);
  }

  @Override
  public FilterStats stats() {
    check();
    return there.stats();
  }

  private void check() {
    if (down) {
      throw new FilterUnavailableException("no reply within 2 s");
    }
  }
}
