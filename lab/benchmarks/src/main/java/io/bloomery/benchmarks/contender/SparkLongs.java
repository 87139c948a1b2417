package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.FilterOperation;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.EnumSet;
import java.util.Set;
import org.apache.spark.util.sketch.BloomFilter;
import org.apache.spark.util.sketch.IncompatibleMergeException;

/** The filter of Spark with long keys. */
final class SparkLongs extends LongContender {

  private BloomFilter filter;
  private BloomFilter other;
  private byte[] bytes;

  @Override
  public void create(long keys, double rate) {
    filter = BloomFilter.create(keys, rate);
  }

  @Override
  boolean put(long key) {
    return filter.putLong(key);
  }

  @Override
  boolean mightContain(long key) {
    return filter.mightContainLong(key);
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return EnumSet.allOf(FilterOperation.class);
  }

  @Override
  public void prepare(FilterOperation operation) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    filter.writeTo(out);
    bytes = out.toByteArray();
    other = BloomFilter.readFrom(new ByteArrayInputStream(bytes));
  }

  @Override
  public void run(FilterOperation operation) throws IOException {
    switch (operation) {
      case MERGE -> merge();
      case SAVE -> filter.writeTo(OutputStream.nullOutputStream());
      case OPEN -> other = BloomFilter.readFrom(new ByteArrayInputStream(bytes));
    }
  }

  private void merge() {
    try {
      filter = filter.mergeInPlace(other);
    } catch (IncompatibleMergeException e) {
      throw new IllegalStateException("a copy must fit", e);
    }
  }

  @Override
  public long sizeInBits() {
    return filter.bitSize();
  }
}
