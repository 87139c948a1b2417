package io.bloomery.peers;

import cn.hutool.bloomfilter.BitSetBloomFilter;
import cn.hutool.bloomfilter.BloomFilterUtil;
import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;

/** The {@code BitSetBloomFilter} of Hutool. */
final class HutoolPeer extends Peer {

  private static final int MAX_PROBES = 8;

  HutoolPeer() {
    super(
        new Card(
            "hutool",
            "Hutool `BitSetBloomFilter`",
            Versions.coordinates("cn.hutool:hutool-all", "hutool"),
            "as a string, its decimal number",
            "`BloomFilterUtil.createBitSet(c, n, k)` with the smallest c for which its own"
                + " `getFalsePositiveProbability()` is at most p, and k up to 8; its bytes are"
                + " those of Java serialization"),
        Kind.PLAIN,
        Promises.all()
            .counts(Rule.R12)
            .noCopy()
            .noClear()
            .noCheckOfBytes()
            .noStatistics()
            .noThreads("says nothing about threads"));
  }

  @Override
  Shape shape(FilterSpec spec) {
    int probes = Math.min(MAX_PROBES, Shape.of(spec).probes());
    double root = Math.pow(spec.falsePositiveRate(), 1.0 / probes);
    double rows = spec.expectedKeys() / -Math.log1p(-root);
    return new Shape(Math.max(1, (long) Math.ceil(rows)) * probes, probes);
  }

  @Override
  Table table(FilterSpec spec) {
    Shape shape = shape(spec);
    int rows = asInt(shape.bits(), "bits") / shape.probes();
    return new HutoolTable(
        BloomFilterUtil.createBitSet(
            rows, asInt(spec.expectedKeys(), "expected keys"), shape.probes()),
        shape);
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
      return new HutoolTable((BitSetBloomFilter) in.readObject(), shape(spec));
    } catch (ClassNotFoundException e) {
      throw new IOException(e);
    }
  }

  private record HutoolTable(BitSetBloomFilter filter, Shape shape) implements Table {

    @Override
    public boolean put(long hash) {
      return filter.add(Long.toString(hash));
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.contains(Long.toString(hash));
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(
          bytes -> {
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
              out.writeObject(filter);
            }
          });
    }

    // The filter does not expose them.
    @Override
    public long setBits() {
      return 0;
    }
  }
}
