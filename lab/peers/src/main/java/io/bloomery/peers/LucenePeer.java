package io.bloomery.peers;

import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.util.OptionalLong;
import org.apache.lucene.codecs.bloom.FuzzySet;
import org.apache.lucene.store.ByteArrayDataInput;
import org.apache.lucene.store.OutputStreamDataOutput;
import org.apache.lucene.util.BytesRef;

/** The {@code FuzzySet} of Lucene. */
final class LucenePeer extends Peer {

  LucenePeer() {
    super(
        new Card(
            "lucene",
            "Lucene `FuzzySet`",
            Versions.coordinates("org.apache.lucene:lucene-codecs", "lucene"),
            "as eight bytes, little-endian",
            "`FuzzySet.createOptimalSet(n, p)`"),
        Kind.PLAIN,
        Promises.all()
            .noAnswerOfPut()
            .noCopy()
            .noClear()
            .noCheckOfBytes()
            .noRateStated()
            .noThreads("documented as not thread-safe"));
  }

  @Override
  Table table(FilterSpec spec) {
    return new LuceneTable(
        FuzzySet.createOptimalSet(
            asInt(spec.expectedKeys(), "expected keys"), (float) spec.falsePositiveRate()));
  }

  @Override
  Table table(FilterSpec spec, byte[] bytes) throws IOException {
    return new LuceneTable(FuzzySet.deserialize(new ByteArrayDataInput(bytes)));
  }

  private record LuceneTable(FuzzySet filter, Shape shape) implements Table {

    LuceneTable(FuzzySet filter) {
      this(filter, shape(filter));
    }

    private static Shape shape(FuzzySet filter) {
      ByteArrayDataInput in = new ByteArrayDataInput(write(filter));
      int probes = in.readVInt();
      return new Shape(in.readInt() + 1L, probes);
    }

    private static byte[] write(FuzzySet filter) {
      return FramedBytes.written(out -> filter.serialize(new OutputStreamDataOutput(out)));
    }

    @Override
    public boolean put(long hash) {
      boolean absent = !mightContain(hash);
      try {
        filter.addValue(new BytesRef(FramedBytes.bytes(hash)));
      } catch (IOException e) {
        throw new IllegalStateException("memory does not fail", e);
      }
      return absent;
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.contains(new BytesRef(FramedBytes.bytes(hash)))
          == FuzzySet.ContainsResult.MAYBE;
    }

    @Override
    public byte[] bytes() {
      return write(filter);
    }

    // The words of eight bytes are at the end, after three numbers.
    @Override
    public long setBits() {
      byte[] bytes = bytes();
      return FramedBytes.setBits(bytes, bytes.length - (int) (shape.bits() / Byte.SIZE));
    }

    @Override
    public OptionalLong keys() {
      return OptionalLong.of(filter.getEstimatedUniqueValues());
    }
  }
}
