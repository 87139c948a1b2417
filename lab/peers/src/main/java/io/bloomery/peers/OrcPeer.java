package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.util.Arrays;
import org.apache.orc.util.BloomFilter;

/** The {@code BloomFilter} of ORC. */
final class OrcPeer extends Peer {

  OrcPeer() {
    super(
        new Card(
            "orc",
            "ORC `BloomFilter`",
            Versions.coordinates("org.apache.orc:orc-core", "orc"),
            "as a long key (`addLong`)",
            "`new BloomFilter(n, p)`; its bytes are `getBitSet()` and the number of hashes, as"
                + " `BloomFilterIO` stores them"),
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
    return new OrcTable(new BloomFilter(spec.expectedKeys(), spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) {
    long[] words = FramedBytes.words(bytes);
    long[] bits = Arrays.copyOf(words, words.length - 1);
    return new OrcTable(new BloomFilter(bits, (int) words[words.length - 1]));
  }

  private record OrcTable(BloomFilter filter) implements Table {

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
      long[] bits = filter.getBitSet();
      long[] words = Arrays.copyOf(bits, bits.length + 1);
      words[bits.length] = filter.getNumHashFunctions();
      return FramedBytes.bytes(words);
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
      filter.merge(((OrcTable) other).filter);
    }
  }
}
