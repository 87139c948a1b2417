package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.hive.common.util.BloomFilter;

/** The {@code BloomFilter} of the storage API of Hive. */
final class HivePeer extends Peer {

  HivePeer() {
    super(
        new Card(
            "hive",
            "Hive `BloomFilter`",
            Versions.coordinates("org.apache.hive:hive-storage-api", "hive"),
            "as a long key (`addLong`)",
            "`BloomFilter.build(n, p)`"),
        Kind.MERGING,
        Promises.all()
            .noAnswerOfPut()
            .noCopy()
            .noCheckOfBytes()
            .noStatistics()
            .noThreads("says nothing about threads"));
  }

  @Override
  Table table(FilterSpec spec) {
    return new HiveTable(BloomFilter.build(spec.expectedKeys(), spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    return new HiveTable(BloomFilter.deserialize(new ByteArrayInputStream(bytes)));
  }

  private record HiveTable(BloomFilter filter) implements Table {

    @Override
    public Shape shape() {
      return new Shape(filter.getBitSize(), filter.getNumHashFunctions());
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
      return FramedBytes.written(out -> BloomFilter.serialize(out, filter));
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
      filter.merge(((HiveTable) other).filter);
    }
  }
}
