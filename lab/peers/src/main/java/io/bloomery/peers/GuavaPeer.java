package io.bloomery.peers;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** The {@code BloomFilter} of Guava. */
final class GuavaPeer extends Peer {

  private static final Funnel<Long> FUNNEL = Funnels.longFunnel();
  private static final int HEADER = 6;
  private static final int PROBES_AT = 1;
  private static final int WORDS_AT = 2;

  GuavaPeer() {
    super(
        new Card(
            "guava",
            "Guava `BloomFilter`",
            Versions.coordinates("com.google.guava:guava", "guava"),
            "a `Long` through `Funnels.longFunnel()`",
            "`BloomFilter.create(funnel, n, p)`"),
        Kind.MERGING,
        Promises.all().noClear());
  }

  @Override
  Table table(FilterSpec spec) {
    return new GuavaTable(
        BloomFilter.create(FUNNEL, spec.expectedKeys(), spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    // The method takes a limit, for untrusted bytes.
    long maxBits = (long) bytes.length * Byte.SIZE;
    return new GuavaTable(BloomFilter.readFrom(new ByteArrayInputStream(bytes), FUNNEL, maxBits));
  }

  private record GuavaTable(BloomFilter<Long> filter, Shape shape) implements Table {

    GuavaTable(BloomFilter<Long> filter) {
      this(filter, shape(FramedBytes.written(filter::writeTo)));
    }

    private static Shape shape(byte[] written) {
      long words = ByteBuffer.wrap(written).getInt(WORDS_AT);
      return new Shape(words * Long.SIZE, written[PROBES_AT] & 0xff);
    }

    @Override
    public boolean put(long hash) {
      return filter.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContain(hash);
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(filter::writeTo);
    }

    @Override
    public long setBits() {
      return FramedBytes.setBits(bytes(), HEADER);
    }

    @Override
    public double rate() {
      return filter.expectedFpp();
    }

    @Override
    public OptionalLong keys() {
      return OptionalLong.of(filter.approximateElementCount());
    }

    @Override
    public Optional<Table> copy() {
      return Optional.of(new GuavaTable(filter.copy(), shape));
    }

    @Override
    public Optional<String> incompatibility(Table other) {
      return filter.isCompatible(((GuavaTable) other).filter)
          ? Optional.empty()
          : Optional.of("isCompatible is false");
    }

    @Override
    public void merge(Table other) {
      filter.putAll(((GuavaTable) other).filter);
    }
  }
}
