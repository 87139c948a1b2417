package io.bloomery.benchmarks.contender;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.bloomery.benchmarks.paired.FilterOperation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Set;

/** The filter of Guava with long keys. */
final class GuavaLongs extends LongContender {

  private BloomFilter<Long> filter;
  private long bits;
  private BloomFilter<Long> other;
  private byte[] bytes;

  @Override
  public void create(long keys, double rate) {
    bits = Textbook.bits(keys, rate);
    filter = BloomFilter.create(Funnels.longFunnel(), keys, rate);
  }

  @Override
  boolean put(long key) {
    return filter.put(key);
  }

  @Override
  boolean mightContain(long key) {
    return filter.mightContain(key);
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return EnumSet.allOf(FilterOperation.class);
  }

  @Override
  public void prepare(FilterOperation operation) throws IOException {
    if (operation == FilterOperation.MERGE) {
      other = filter.copy();
    } else if (operation == FilterOperation.OPEN) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      filter.writeTo(out);
      bytes = out.toByteArray();
    }
  }

  @Override
  public void run(FilterOperation operation) throws IOException {
    switch (operation) {
      case MERGE -> filter.putAll(other);
      case SAVE -> filter.writeTo(OutputStream.nullOutputStream());
      case OPEN ->
          other = BloomFilter.readFrom(new ByteArrayInputStream(bytes), Funnels.longFunnel());
    }
  }

  @Override
  public long sizeInBits() {
    return bits;
  }
}
