package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.function.Supplier;
import org.apache.hadoop.util.bloom.BloomFilter;
import org.apache.hadoop.util.bloom.CountingBloomFilter;
import org.apache.hadoop.util.bloom.DynamicBloomFilter;
import org.apache.hadoop.util.bloom.Filter;
import org.apache.hadoop.util.bloom.Key;
import org.apache.hadoop.util.hash.Hash;

/** One of the filters of Hadoop, which share a base class. */
final class HadoopPeer extends Peer {

  private static final String COUNTS =
      "counts up to 15, as documented, and these rules need higher counts";

  private final Supplier<? extends Filter> unread;
  private final Maker maker;

  /** A factory of filters with a number of bits and probes for a number of keys. */
  private interface Maker {
    Filter make(int bits, int probes, int keys);
  }

  private HadoopPeer(
      String name,
      String constructor,
      String remark,
      Kind kind,
      Promises promises,
      Supplier<? extends Filter> unread,
      Maker maker) {
    super(
        new Card(
            name,
            "Hadoop `" + constructor.substring(0, constructor.indexOf('(')) + "`",
            Versions.coordinates("org.apache.hadoop:hadoop-common", "hadoop"),
            "as a `Key` of eight bytes, little-endian",
            "`new " + constructor + "`, with m and k from the textbook formulas" + remark),
        kind,
        promises);
    this.unread = unread;
    this.maker = maker;
  }

  static HadoopPeer bloom() {
    return new HadoopPeer(
        "hadoop",
        "BloomFilter(m, k, MURMUR_HASH)",
        "",
        Kind.MERGING,
        common(),
        BloomFilter::new,
        (bits, probes, keys) -> new BloomFilter(bits, probes, Hash.MURMUR_HASH));
  }

  static HadoopPeer counting() {
    return new HadoopPeer(
        "hadoop-counting",
        "CountingBloomFilter(m, k, MURMUR_HASH)",
        "; its `or` is documented as an OR of counters, not their sum, and is not used as a merge",
        Kind.COUNTING,
        common()
            .never("delete returns nothing; the adapter queries before it deletes", Rule.R51)
            .never(COUNTS, Rule.R49, Rule.R50, Rule.R52, Rule.R53, Rule.R54),
        CountingBloomFilter::new,
        (bits, probes, keys) -> new CountingBloomFilter(bits, probes, Hash.MURMUR_HASH));
  }

  static HadoopPeer dynamic() {
    return new HadoopPeer(
        "hadoop-dynamic",
        "DynamicBloomFilter(m, k, MURMUR_HASH, n)",
        "; its `or` is for filters with the same number of rows, and is not used as a merge",
        Kind.PLAIN,
        common().never("counts calls of add and promises nothing else", Rule.R10, Rule.R61),
        DynamicBloomFilter::new,
        (bits, probes, keys) -> new DynamicBloomFilter(bits, probes, Hash.MURMUR_HASH, keys));
  }

  private static Promises common() {
    return Promises.all()
        .noAnswerOfPut()
        .noCopy()
        .noClear()
        .noCheckOfBytes()
        .noRate("takes bits and hashes, not a rate")
        .noStatistics()
        .noThreads("says nothing about threads");
  }

  /** Reports the dynamic filter as growing, so that the rules on growth are checked. */
  @Override
  double rate(FilterSpec spec, Shape shape, long keys) {
    return maker.make(1, 1, 1) instanceof DynamicBloomFilter
        ? Math.min(spec.falsePositiveRate(), shape.rate(keys))
        : shape.rate(keys);
  }

  @Override
  Table table(FilterSpec spec) {
    Shape shape = shape(spec);
    return new HadoopTable(
        maker.make(
            asInt(shape.bits(), "bits"),
            shape.probes(),
            asInt(spec.expectedKeys(), "expected keys")),
        shape);
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    Filter filter = unread.get();
    filter.readFields(new DataInputStream(new ByteArrayInputStream(bytes)));
    return new HadoopTable(filter, shape(spec));
  }

  private record HadoopTable(Filter filter, Shape shape) implements Table {

    // Version, number of hashes, type of hash, size.
    private static final int HEADER = 13;
    // The same, then keys per row, keys in the last row, rows; then the first row.
    private static final int DYNAMIC_HEADER = 2 * HEADER + 3 * Integer.BYTES;

    private static Key key(long hash) {
      return new Key(FramedBytes.bytes(hash));
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !mightContain(hash);
      filter.add(key(hash));
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.membershipTest(key(hash));
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.written(out -> filter.write(new DataOutputStream(out)));
    }

    // An approximation for the filters that count or grow, which do not report a rate themselves.
    @Override
    public long setBits() {
      int header = filter instanceof DynamicBloomFilter ? DYNAMIC_HEADER : HEADER;
      return Math.min(shape.bits(), FramedBytes.setBits(bytes(), header));
    }

    @Override
    public void merge(Table other) {
      filter.or(((HadoopTable) other).filter);
    }

    @Override
    public void remove(long hash) {
      ((CountingBloomFilter) filter).delete(key(hash));
    }

    @Override
    public long count(long hash) {
      return ((CountingBloomFilter) filter).approximateCount(key(hash));
    }
  }
}
