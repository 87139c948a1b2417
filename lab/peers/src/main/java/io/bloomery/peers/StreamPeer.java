package io.bloomery.peers;

import com.clearspring.analytics.stream.membership.BloomFilter;
import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;

/** The {@code BloomFilter} of stream-lib. */
final class StreamPeer extends Peer {

  StreamPeer() {
    super(
        new Card(
            "stream",
            "stream-lib `BloomFilter`",
            Versions.coordinates("com.clearspring.analytics:stream", "stream"),
            "as eight bytes, little-endian",
            "`new BloomFilter(n, p)`"),
        Kind.MERGING,
        Promises.all()
            .noAnswerOfPut()
            .never(
                "its tables end at 15 bits and 8 hashes, and the rule measures a rate of 1e-6",
                Rule.R05)
            .noCopy()
            .noCheckOfBytes()
            .noStatistics()
            .noThreads("says nothing about threads"));
  }

  @Override
  Table table(FilterSpec spec) {
    return new StreamTable(
        new BloomFilter(asInt(spec.expectedKeys(), "expected keys"), spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) {
    return new StreamTable(BloomFilter.deserialize(bytes));
  }

  private record StreamTable(BloomFilter filter) implements Table {

    @Override
    public Shape shape() {
      return new Shape(filter.buckets(), filter.getHashCount());
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !mightContain(hash);
      filter.add(FramedBytes.bytes(hash));
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.isPresent(FramedBytes.bytes(hash));
    }

    @Override
    public byte[] bytes() {
      return BloomFilter.serialize(filter);
    }

    @Override
    public long setBits() {
      // "{1, 4, 9}", the string representation of a BitSet.
      String bits = filter.toString();
      return bits.equals("{}") ? 0 : 1 + bits.chars().filter(c -> c == ',').count();
    }

    @Override
    public boolean clear() {
      filter.clear();
      return true;
    }

    @Override
    public void merge(Table other) {
      filter.addAll(((StreamTable) other).filter);
    }
  }
}
