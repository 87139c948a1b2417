package io.bloomery.conformance.hostile;

import io.bloomery.conformance.hostile.Envelope.Field;
import io.bloomery.conformance.internal.kit.BoundaryValues;
import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.filter.FilterLayout;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/** Malformed files derived from the output of the filters of one variant. */
final class MalformedFiles {

  private static final int MAX_EXTENSION = 130;

  private static final List<SourceKind> OTHER_SOURCES =
      List.of(SourceKind.STREAM, SourceKind.FILE, SourceKind.STUTTERING, SourceKind.FAILING);

  private final List<Sample> own;
  private final List<Sample> all;

  /**
   * Prepares inputs.
   *
   * @param own samples of the variant
   * @param all samples of every variant
   */
  MalformedFiles(List<Sample> own, List<Sample> all) {
    this.own = own;
    this.all = all;
  }

  /** A consumer of inputs. */
  interface Taker {
    void take(Kind kind, byte[] bytes, SourceKind... sources);
  }

  /** Generates all inputs of a finite set. */
  void each(Taker taker) {
    for (Sample sample : own) {
      taker.take(Kind.WHOLE, sample.bytes(), SourceKind.values());
      flipBits(sample.bytes(), taker);
      truncate(sample.bytes(), taker);
      extend(sample.bytes(), taker);
      changeHeader(sample, taker);
      transplant(sample, taker);
      changeContent(sample.envelope(), taker);
    }
  }

  private static void flipBits(byte[] bytes, Taker taker) {
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      taker.take(Kind.FLIPPED_BIT, changed, bit % 2 == 0 ? SourceKind.ARRAY : SourceKind.STREAM);
    }
  }

  private static void truncate(byte[] bytes, Taker taker) {
    for (int length = 0; length < bytes.length; length++) {
      byte[] start = Arrays.copyOf(bytes, length);
      taker.take(
          Kind.TRUNCATED,
          start,
          SourceKind.ARRAY,
          OTHER_SOURCES.get(length % OTHER_SOURCES.size()));
    }
  }

  private static void extend(byte[] bytes, Taker taker) {
    for (int more = 1; more <= MAX_EXTENSION; more++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
      taker.take(
          Kind.EXTENDED, longer, SourceKind.ARRAY, OTHER_SOURCES.get(more % OTHER_SOURCES.size()));
    }
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    taker.take(Kind.EXTENDED, twice, SourceKind.values());
  }

  private static void changeHeader(Sample sample, Taker taker) {
    byte[] bytes = sample.bytes();
    for (Field field : Envelope.fields(bytes)) {
      long right = Envelope.get(bytes, field);
      Map<Long, byte[]> changed = new LinkedHashMap<>();
      for (long value : BoundaryValues.around(right)) {
        byte[] other = Envelope.with(bytes, field, value);
        changed.put(Envelope.get(other, field), other);
      }
      changed.remove(right);
      for (byte[] other : changed.values()) {
        taker.take(Kind.HEADER_FIELD, other.clone(), SourceKind.ARRAY);
        Envelope.seal(other);
        taker.take(Kind.HEADER_FIELD, other, SourceKind.ARRAY, SourceKind.STREAM);
      }
    }
  }

  private static void changeContent(Envelope envelope, Taker taker) {
    FilterLayout layout = envelope.layout();
    long[] words = envelope.words();
    Mutant.eachNumber(layout, words, give(envelope, Kind.HEADER_FIELD, taker));
    Mutant.eachName(layout, words, give(envelope, Kind.HEADER_FIELD, taker));
    Mutant.eachSize(layout, words, give(envelope, Kind.HEADER_FIELD, taker));
    Mutant.eachWord(layout, words, give(envelope, Kind.PAYLOAD_WORD, taker));
  }

  private static Consumer<Mutant> give(Envelope envelope, Kind kind, Taker taker) {
    return mutant ->
        taker.take(kind, envelope.with(mutant).toBytes(), SourceKind.ARRAY, SourceKind.STREAM);
  }

  private void transplant(Sample sample, Taker taker) {
    Envelope to = sample.envelope();
    for (Sample other : all) {
      Envelope from = other.envelope();
      Envelope[] made = {
        to.withNames(from.variant(), to.hashId()),
        to.withLayout(from.layout()),
        to.withNames(from.variant(), from.hashId()).withLayout(from.layout()),
        to.withSpec(from.keys(), from.rate()),
        from.withPayload(to.payload()),
        from.withPayload(to.payload()).withAnnounced(from.announced()),
        to.withPayload(from.payload())
      };
      for (Envelope envelope : made) {
        taker.take(Kind.TRANSPLANTED, envelope.toBytes(), SourceKind.ARRAY, SourceKind.STREAM);
      }
    }
  }

  /** Truncates large filters, and makes some announce more than is present. */
  static void large(List<Sample> samples, SplittableRandom random, Taker taker) {
    SourceKind[] sources = {SourceKind.ARRAY, SourceKind.STREAM, SourceKind.FILE};
    for (Sample sample : samples) {
      byte[] bytes = sample.bytes();
      taker.take(Kind.LARGE, bytes, sources);
      for (int length = 1 << 10; length < bytes.length; length *= 2) {
        for (int cut : new int[] {length, length + random.nextInt(length)}) {
          taker.take(Kind.LARGE, Arrays.copyOf(bytes, Math.min(cut, bytes.length)), sources);
        }
      }
      taker.take(Kind.LARGE, Arrays.copyOf(bytes, bytes.length - 1), sources);
      Envelope envelope = sample.envelope();
      for (long length : new long[] {2 * envelope.announced(), 1L << 40, 1L << 62}) {
        taker.take(Kind.LARGE, envelope.withAnnounced(length).toBytes(), sources);
      }
      byte[] payload = envelope.payload().clone();
      payload[random.nextInt(payload.length)] ^= 1;
      taker.take(Kind.LARGE, envelope.withPayload(payload).toBytes(), sources);
    }
  }

  /** Generates a random input. */
  void mutant(SplittableRandom random, Taker taker) {
    Sample sample = own.get(random.nextInt(own.size()));
    Envelope envelope = sample.envelope();
    FilterLayout layout = envelope.layout();
    long[] words = envelope.words();
    switch (random.nextInt(9)) {
      case 0 -> give(Kind.EDITED, Mutant.edited(sample.bytes(), random), random, taker);
      case 1 -> {
        byte[] edited = Mutant.edited(sample.bytes(), random);
        Envelope.seal(edited);
        give(Kind.EDITED_SEALED, edited, random, taker);
      }
      case 2, 3 ->
          give(Kind.WORDS, envelope.with(Mutant.words(layout, words, random)), random, taker);
      case 4 -> {
        Envelope other = envelope.with(Mutant.parts(layout, words, random));
        boolean isResized = random.nextInt(4) > 0;
        give(
            Kind.PARTS,
            isResized ? other : other.withAnnounced(envelope.announced()),
            random,
            taker);
      }
      case 5 ->
          give(Kind.NUMBERS, envelope.with(Mutant.numbers(layout, words, random)), random, taker);
      case 6 -> give(Kind.SPEC, otherSpec(envelope, random), random, taker);
      case 7 -> give(Kind.SPLICED, splice(sample.bytes(), random), random, taker);
      default -> {
        Mutant mutant = Mutant.numbersAndWords(layout, words, random);
        give(Kind.MIXED, envelope.with(mutant), random, taker);
      }
    }
  }

  private static void give(Kind kind, Envelope made, SplittableRandom random, Taker taker) {
    give(kind, made.toBytes(), random, taker);
  }

  /** Passes a mutant on: mostly unchanged, sometimes truncated or extended. */
  private static void give(Kind kind, byte[] bytes, SplittableRandom random, Taker taker) {
    int length =
        switch (random.nextInt(16)) {
          case 0 -> random.nextInt(bytes.length + 1);
          case 1 -> bytes.length + random.nextInt(MAX_EXTENSION);
          default -> bytes.length;
        };
    // Files take ten times as long as other sources.
    SourceKind source =
        random.nextInt(64) == 0
            ? SourceKind.FILE
            : switch (random.nextInt(8)) {
              case 0 -> SourceKind.STUTTERING;
              case 1 -> SourceKind.FAILING;
              case 2, 3, 4 -> SourceKind.STREAM;
              default -> SourceKind.ARRAY;
            };
    taker.take(kind, length == bytes.length ? bytes : Arrays.copyOf(bytes, length), source);
  }

  private static Envelope otherSpec(Envelope envelope, SplittableRandom random) {
    long keys =
        random.nextBoolean() ? envelope.keys() : BoundaryValues.instead(envelope.keys(), random);
    long rate = random.nextBoolean() ? envelope.rate() : BoundaryValues.rate(random);
    Envelope changed = envelope.withSpec(keys, rate);
    return random.nextInt(3) > 0
        ? changed
        : changed.withAnnounced(BoundaryValues.instead(envelope.announced(), random));
  }

  private byte[] splice(byte[] start, SplittableRandom random) {
    byte[] end = all.get(random.nextInt(all.size())).bytes();
    int cut = random.nextInt(start.length);
    int from = random.nextBoolean() ? Math.min(cut, end.length) : random.nextInt(end.length);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(start, 0, cut);
    out.write(end, from, end.length - from);
    byte[] spliced = out.toByteArray();
    if (random.nextBoolean()) {
      Envelope.seal(spliced);
    }
    return spliced;
  }
}
