package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import org.apache.spark.util.sketch.BloomFilter;
import org.apache.spark.util.sketch.IncompatibleMergeException;

/** The {@code BloomFilter} of the sketches of Spark. */
final class SparkPeer extends Peer {

  private static final int PROBES_AT = 4;

  SparkPeer() {
    super(
        new Card(
            "spark",
            "Spark `sketch.BloomFilter`",
            Versions.coordinates("org.apache.spark:spark-sketch_2.13", "spark"),
            "as a long key (`putLong`)",
            "`BloomFilter.create(n, p)`, which creates version 2 of its format"),
        Kind.MERGING,
        Promises.all()
            .noCopy()
            .noClear()
            .noCheckOfBytes()
            .noEstimate()
            .noThreads("says nothing about threads"));
  }

  @Override
  Table table(FilterSpec spec) {
    return new SparkTable(BloomFilter.create(spec.expectedKeys(), spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    return new SparkTable(BloomFilter.readFrom(bytes));
  }

  private record SparkTable(BloomFilter filter, int probes) implements Table {

    SparkTable(BloomFilter filter) {
      this(filter, ByteBuffer.wrap(FramedBytes.written(filter::writeTo)).getInt(PROBES_AT));
    }

    @Override
    public Shape shape() {
      return new Shape(filter.bitSize(), probes);
    }

    @Override
    public boolean put(long hash) {
      return filter.putLong(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContainLong(hash);
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(filter::writeTo);
    }

    @Override
    public long setBits() {
      return filter.cardinality();
    }

    @Override
    public double rate() {
      return filter.expectedFpp();
    }

    @Override
    public Optional<String> incompatibility(Table other) {
      return filter.isCompatible(((SparkTable) other).filter)
          ? Optional.empty()
          : Optional.of("isCompatible is false");
    }

    @Override
    public void merge(Table other) {
      try {
        BloomFilter unused = filter.mergeInPlace(((SparkTable) other).filter);
      } catch (IncompatibleMergeException e) {
        throw new IllegalArgumentException("the peer refuses to merge: " + e, e);
      }
    }
  }
}
