package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.hive.common.util.BloomKFilter;

/** The {@code BloomKFilter} of the storage API of Hive. */
final class HiveBlockedPeer extends Peer {

  HiveBlockedPeer() {
    super(
        new Card(
            "hive-k",
            "Hive `BloomKFilter`",
            Versions.coordinates("org.apache.hive:hive-storage-api", "hive"),
            "as a long key (`addLong`)",
            "`BloomKFilter.build(n)`, whatever the rate"),
        Kind.MERGING,
        Promises.all()
            .noAnswerOfPut()
            .noCopy()
            .noCheckOfBytes()
            .noRate("takes no rate: it is made for 5 %")
            .never("takes no rate, and the rule measures a rate of 1e-6", Rule.R05)
            .noStatistics()
            .noThreads("says nothing about threads"));
  }

  @Override
  Shape shape(FilterSpec spec) {
    return Shape.of(FilterSpec.of(spec.expectedKeys(), BloomKFilter.DEFAULT_FPP));
  }

  @Override
  Table table(FilterSpec spec) {
    return new BlockedTable(BloomKFilter.build(spec.expectedKeys()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    return new BlockedTable(BloomKFilter.deserialize(new ByteArrayInputStream(bytes)));
  }

  private record BlockedTable(BloomKFilter filter) implements Table {

    @Override
    public Shape shape() {
      return new Shape(filter.getNumBits(), filter.getNumHashFunctions());
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !filter.testLong(hash);
      filter.addLong(hash);
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.testLong(hash);
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(out -> BloomKFilter.serialize(out, filter));
    }

    @Override
    public long setBits() {
      return FramedBytes.setBits(filter.getBitSet());
    }

    @Override
    public boolean clear() {
      filter.reset();
      return true;
    }

    @Override
    public void merge(Table other) {
      filter.merge(((BlockedTable) other).filter);
    }
  }
}
