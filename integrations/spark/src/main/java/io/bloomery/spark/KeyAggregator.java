package io.bloomery.spark;

import io.bloomery.file.FilterFiles;
import io.bloomery.filter.Filter;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.sql.Encoder;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.expressions.Aggregator;
import org.jspecify.annotations.Nullable;

/**
 * An aggregator that builds a file of the keys of each group. Its buffers are {@link
 * FilterBuffer}s, declared as objects because Spark only serializes public classes.
 */
final class KeyAggregator<K> extends Aggregator<K, Object, byte[]> {

  private static final long serialVersionUID = 1;

  private final BuildPlan plan;
  private final SparkKeyHash hash;
  private final boolean keepsOverfull;

  KeyAggregator(BuildPlan plan, SparkKeyHash hash, boolean keepsOverfull) {
    this.plan = plan;
    this.hash = hash;
    this.keepsOverfull = keepsOverfull;
  }

  @Override
  public Object zero() {
    return new FilterBuffer(plan);
  }

  @Override
  public Object reduce(Object reduced, @Nullable K key) {
    FilterBuffer buffer = (FilterBuffer) reduced;
    if (key == null) {
      buffer.putNull();
    } else {
      buffer.put(hash.hashOfObject(key));
    }
    return buffer;
  }

  @Override
  public Object merge(Object one, Object other) {
    return ((FilterBuffer) one).merge((FilterBuffer) other);
  }

  @Override
  public byte[] finish(Object buffer) {
    return file((FilterBuffer) buffer, keepsOverfull);
  }

  static byte[] file(FilterBuffer buffer, boolean keepsOverfull) {
    Filter filter = buffer.filter();
    if (!keepsOverfull) {
      Overfull.refuse(filter.stats(), buffer.rows() - buffer.nulls());
    }
    SizedOutput out = new SizedOutput(FilterFiles.serializedSize(filter));
    try {
      FilterFiles.write(filter, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  @Override
  public Encoder<Object> bufferEncoder() {
    return Encoders.javaSerialization(Object.class);
  }

  @Override
  public Encoder<byte[]> outputEncoder() {
    return Encoders.BINARY();
  }
}
