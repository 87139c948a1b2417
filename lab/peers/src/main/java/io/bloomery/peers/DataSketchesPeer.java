package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.util.Optional;
import org.apache.datasketches.common.SketchesArgumentException;
import org.apache.datasketches.filters.bloomfilter.BloomFilter;
import org.apache.datasketches.filters.bloomfilter.BloomFilterBuilder;
import org.apache.datasketches.memory.Memory;

/** The {@code BloomFilter} of DataSketches. */
final class DataSketchesPeer extends Peer {

  // The other factory method draws a random seed.
  private static final long SEED = 9001;
  private static final int LAST_JAVA = 21;

  DataSketchesPeer() {
    super(
        new Card(
            "datasketches",
            "DataSketches `BloomFilter`",
            Versions.coordinates("org.apache.datasketches:datasketches-java", "datasketches"),
            "as a long key",
            "`BloomFilterBuilder.createByAccuracy(n, p, 9001)`; this release runs on Java 8 to 21"),
        Kind.MERGING,
        Promises.all()
            .noCopy()
            .noCheckOfBytes()
            .noRateStated()
            .noEstimate()
            .noThreads("says nothing about threads"));
  }

  // Its memory library checks the Java version and rejects others.
  @Override
  boolean runsHere() {
    return Runtime.version().feature() <= LAST_JAVA;
  }

  @Override
  Table table(FilterSpec spec) {
    return new DataSketchesTable(
        BloomFilterBuilder.createByAccuracy(spec.expectedKeys(), spec.falsePositiveRate(), SEED));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) {
    return new DataSketchesTable(BloomFilter.heapify(Memory.wrap(bytes)));
  }

  private record DataSketchesTable(BloomFilter filter) implements Table {

    @Override
    public Shape shape() {
      return new Shape(filter.getCapacity(), filter.getNumHashes());
    }

    @Override
    public boolean put(long hash) {
      return !filter.queryAndUpdate(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.query(hash);
    }

    @Override
    public byte[] bytes() {
      return filter.toByteArray();
    }

    @Override
    public long setBits() {
      return filter.getBitsUsed();
    }

    @Override
    public boolean clear() {
      filter.reset();
      return true;
    }

    @Override
    public Optional<String> incompatibility(Table other) {
      return filter.isCompatible(((DataSketchesTable) other).filter)
          ? Optional.empty()
          : Optional.of("isCompatible is false");
    }

    @Override
    public void merge(Table other) {
      try {
        filter.union(((DataSketchesTable) other).filter);
      } catch (SketchesArgumentException e) {
        throw new IllegalArgumentException("the peer refuses to merge: " + e, e);
      }
    }
  }
}
