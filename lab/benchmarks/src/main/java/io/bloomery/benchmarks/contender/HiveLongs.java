package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.FilterOperation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hive.common.util.BloomKFilter;

/**
 * The blocked filter of Hive with long keys, created for 1.75 times the keys, because it has no
 * parameter for the rate and is designed for 5 %.
 */
final class HiveLongs extends LongContender {

  private BloomKFilter filter;
  private BloomKFilter other;
  private byte[] bytes;

  @Override
  public void create(long keys, double rate) {
    filter = BloomKFilter.build(keys * 7 / 4);
  }

  @Override
  boolean put(long key) {
    filter.addLong(key);
    return false;
  }

  @Override
  boolean mightContain(long key) {
    return filter.testLong(key);
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return EnumSet.allOf(FilterOperation.class);
  }

  @Override
  public void prepare(FilterOperation operation) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BloomKFilter.serialize(out, filter);
    bytes = out.toByteArray();
    other = BloomKFilter.deserialize(new ByteArrayInputStream(bytes));
  }

  @Override
  public void run(FilterOperation operation) throws IOException {
    switch (operation) {
      case MERGE -> filter.merge(other);
      case SAVE -> BloomKFilter.serialize(OutputStream.nullOutputStream(), filter);
      case OPEN -> other = BloomKFilter.deserialize(new ByteArrayInputStream(bytes));
    }
  }

  @Override
  public long sizeInBits() {
    return filter.getBitSize();
  }
}
