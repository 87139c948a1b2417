package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import io.bloomery.filter.FilterSpec;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.collections4.bloomfilter.BitMapExtractor;
import org.apache.commons.collections4.bloomfilter.EnhancedDoubleHasher;
import org.apache.commons.collections4.bloomfilter.Hasher;
import org.apache.commons.collections4.bloomfilter.SimpleBloomFilter;

/** The {@code SimpleBloomFilter} of Commons Collections. */
final class CollectionsPeer extends Peer {

  CollectionsPeer() {
    super(
        new Card(
            "collections",
            "Commons Collections `SimpleBloomFilter`",
            Versions.coordinates("org.apache.commons:commons-collections4", "collections"),
            "as `new EnhancedDoubleHasher(hash, mix(hash))`, where `mix` is the finisher of"
                + " SplitMix64, because it takes two longs",
            "`Shape.fromNP(n, p)`"),
        Kind.MERGING,
        Promises.all()
            .never(
                "merge returns whether it succeeded, not whether the key was new",
                Rule.R03,
                Rule.R41)
            .counts(Rule.R12)
            .never("documents that the rate is approximately the requested one", Rule.R11)
            .noCheckOfBytes()
            .noRateStated()
            .noThreads("says nothing about threads"));
  }

  private static org.apache.commons.collections4.bloomfilter.Shape peerShape(FilterSpec spec) {
    return org.apache.commons.collections4.bloomfilter.Shape.fromNP(
        asInt(spec.expectedKeys(), "expected keys"), spec.falsePositiveRate());
  }

  @Override
  Shape shape(FilterSpec spec) {
    var shape = peerShape(spec);
    return new Shape(shape.getNumberOfBits(), shape.getNumberOfHashFunctions());
  }

  @Override
  double rate(FilterSpec spec, Shape shape, long keys) {
    return peerShape(spec).getProbability((int) Math.min(keys, Integer.MAX_VALUE));
  }

  @Override
  Table table(FilterSpec spec) {
    return new CollectionsTable(new SimpleBloomFilter(peerShape(spec)));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) {
    SimpleBloomFilter filter = new SimpleBloomFilter(peerShape(spec));
    filter.merge(BitMapExtractor.fromBitMapArray(FramedBytes.words(bytes)));
    return new CollectionsTable(filter);
  }

  private static Hasher hasher(long hash) {
    long mixed = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return new EnhancedDoubleHasher(hash, mixed ^ mixed >>> 31);
  }

  private record CollectionsTable(SimpleBloomFilter filter) implements Table {

    @Override
    public Shape shape() {
      var shape = filter.getShape();
      return new Shape(shape.getNumberOfBits(), shape.getNumberOfHashFunctions());
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !mightContain(hash);
      filter.merge(hasher(hash));
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.contains(hasher(hash));
    }

    @Override
    public byte[] bytes() {
      return FramedBytes.bytes(filter.asBitMapArray());
    }

    @Override
    public long setBits() {
      return filter.cardinality();
    }

    // The maximum int is documented to mean that every bit is set.
    @Override
    public OptionalLong keys() {
      int estimate = filter.estimateN();
      return estimate == Integer.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(estimate);
    }

    @Override
    public Optional<Table> copy() {
      return Optional.of(new CollectionsTable(filter.copy()));
    }

    @Override
    public boolean clear() {
      filter.clear();
      return true;
    }

    @Override
    public void merge(Table other) {
      filter.merge(((CollectionsTable) other).filter);
    }
  }
}
