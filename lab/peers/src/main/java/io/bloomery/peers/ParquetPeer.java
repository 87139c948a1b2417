package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.util.Optional;
import org.apache.parquet.column.values.bloomfilter.BlockSplitBloomFilter;

/** The {@code BlockSplitBloomFilter} of Parquet. */
final class ParquetPeer extends Peer {

  private static final int PROBES = 8;

  ParquetPeer() {
    super(
        new Card(
            "parquet",
            "Parquet `BlockSplitBloomFilter`",
            Versions.coordinates("org.apache.parquet:parquet-column", "parquet"),
            "as it is (`insertHash`, `findHash`): it takes 64-bit hashes itself",
            "`new BlockSplitBloomFilter(BlockSplitBloomFilter.optimalNumOfBits(n, p) / 8)`, as"
                + " Parquet's writer does, which rounds up to a power of two"),
        Kind.MERGING,
        Promises.all()
            .noAnswerOfPut()
            .noCopy()
            .noClear()
            .noCheckOfBytes()
            .noStatistics()
            .noThreads("says nothing about threads"));
  }

  @Override
  Shape shape(FilterSpec spec) {
    int bits =
        BlockSplitBloomFilter.optimalNumOfBits(spec.expectedKeys(), spec.falsePositiveRate());
    return new Shape(bits, PROBES);
  }

  @Override
  Table table(FilterSpec spec) {
    return new ParquetTable(new BlockSplitBloomFilter((int) (shape(spec).bits() / Byte.SIZE)));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) {
    return new ParquetTable(new BlockSplitBloomFilter(bytes));
  }

  private record ParquetTable(BlockSplitBloomFilter filter) implements Table {

    @Override
    public Shape shape() {
      return new Shape((long) filter.getBitsetSize() * Byte.SIZE, PROBES);
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !filter.findHash(hash);
      filter.insertHash(hash);
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.findHash(hash);
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(filter::writeTo);
    }

    @Override
    public long setBits() {
      return FramedBytes.setBits(bytes(), 0);
    }

    @Override
    public Optional<String> incompatibility(Table other) {
      return filter.canMergeFrom(((ParquetTable) other).filter)
          ? Optional.empty()
          : Optional.of("canMergeFrom is false");
    }

    @Override
    public void merge(Table other) throws IOException {
      filter.merge(((ParquetTable) other).filter);
    }
  }
}
