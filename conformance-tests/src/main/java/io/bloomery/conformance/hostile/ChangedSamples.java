package io.bloomery.conformance.hostile;

import io.bloomery.conformance.hostile.Envelope.Field;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Inputs derived from the output of the filters of one variant. */
final class ChangedSamples {

  private static final int WORDS_AT_START = 80;
  private static final int WORDS_AT_END = 8;
  private static final int SIZES_AT_START = 24;
  private static final int MAX_RESIZED = 1 << 16;
  private static final int MAX_EXTENSION = 130;

  private static final List<Way> OTHER_WAYS =
      List.of(Way.STREAM, Way.FILE, Way.STUTTERING, Way.FAILING);

  private final List<Sample> own;
  private final List<Sample> all;

  /**
   * Prepares inputs.
   *
   * @param own samples of the variant
   * @param all samples of every variant
   */
  ChangedSamples(List<Sample> own, List<Sample> all) {
    this.own = own;
    this.all = all;
  }

  /** A consumer of inputs. */
  interface Taker {
    void take(Kind kind, byte[] bytes, Way... ways);
  }

  /** Generates all inputs of a finite set. */
  void each(Taker taker) {
    for (Sample sample : own) {
      taker.take(Kind.WHOLE, sample.bytes(), Way.values());
      flipBits(sample.bytes(), taker);
      truncate(sample.bytes(), taker);
      extend(sample.bytes(), taker);
      changeHeader(sample, taker);
      transplant(sample, taker);
      changeWords(sample.envelope(), taker);
    }
  }

  private static void flipBits(byte[] bytes, Taker taker) {
    for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
      byte[] changed = bytes.clone();
      changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      taker.take(Kind.FLIPPED_BIT, changed, bit % 2 == 0 ? Way.ARRAY : Way.STREAM);
    }
  }

  private static void truncate(byte[] bytes, Taker taker) {
    for (int length = 0; length < bytes.length; length++) {
      byte[] start = Arrays.copyOf(bytes, length);
      taker.take(Kind.TRUNCATED, start, Way.ARRAY, OTHER_WAYS.get(length % OTHER_WAYS.size()));
    }
  }

  private static void extend(byte[] bytes, Taker taker) {
    for (int more = 1; more <= MAX_EXTENSION; more++) {
      byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
      taker.take(Kind.EXTENDED, longer, Way.ARRAY, OTHER_WAYS.get(more % OTHER_WAYS.size()));
    }
    byte[] twice = Arrays.copyOf(bytes, 2 * bytes.length);
    System.arraycopy(bytes, 0, twice, bytes.length, bytes.length);
    taker.take(Kind.EXTENDED, twice, Way.values());
  }

  private static void changeHeader(Sample sample, Taker taker) {
    byte[] bytes = sample.bytes();
    for (Field field : Envelope.fields(bytes)) {
      long right = Envelope.get(bytes, field);
      Map<Long, byte[]> changed = new LinkedHashMap<>();
      for (long value : Evil.around(right)) {
        byte[] other = Envelope.with(bytes, field, value);
        changed.put(Envelope.get(other, field), other);
      }
      changed.remove(right);
      for (byte[] other : changed.values()) {
        taker.take(Kind.HEADER_FIELD, other.clone(), Way.ARRAY);
        Envelope.seal(other);
        taker.take(Kind.HEADER_FIELD, other, Way.ARRAY, Way.STREAM);
      }
    }
    changeNumbers(sample.envelope(), taker);
  }

  /** Changes numbers of the layout together with the length that they imply. */
  private static void changeNumbers(Envelope envelope, Taker taker) {
    for (Map.Entry<String, Long> number : envelope.layout().entrySet()) {
      Map<String, Long> layout = new HashMap<>(envelope.layout());
      for (long value : Evil.around(number.getValue())) {
        layout.put(number.getKey(), value);
        Envelope other = envelope.withLayout(layout);
        long length = scaled(envelope.announced(), number.getValue(), value);
        taker.take(
            Kind.HEADER_FIELD,
            other.withAnnounced(length).toBytes(),
            Way.ARRAY,
            Way.STREAM,
            Way.FILE);
        if (length >= 0 && length <= MAX_RESIZED) {
          byte[] payload = Arrays.copyOf(envelope.payload(), (int) length);
          taker.take(Kind.HEADER_FIELD, other.withPayload(payload).toBytes(), Way.ARRAY);
        }
      }
      layout.remove(number.getKey());
      taker.take(Kind.HEADER_FIELD, envelope.withLayout(layout).toBytes(), Way.ARRAY);
      layout.put(number.getKey() + "s", number.getValue());
      taker.take(Kind.HEADER_FIELD, envelope.withLayout(layout).toBytes(), Way.ARRAY);
    }
  }

  /** Returns a length in bytes scaled by the ratio of two numbers, rounded to whole words. */
  private static long scaled(long length, long from, long to) {
    return from == 0 ? length : (long) ((double) length / from * to) / Long.BYTES * Long.BYTES;
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
        from.withPayloadInPlace(to.payload()),
        to.withPayload(from.payload())
      };
      for (Envelope envelope : made) {
        taker.take(Kind.TRANSPLANTED, envelope.toBytes(), Way.ARRAY, Way.STREAM);
      }
    }
  }

  private static void changeWords(Envelope envelope, Taker taker) {
    int words = envelope.payload().length / Long.BYTES;
    for (int word = 0; word < words; word++) {
      if (word >= WORDS_AT_START && word < words - WORDS_AT_END) {
        continue;
      }
      long right = PayloadChanges.get(envelope.payload(), word);
      for (long value : Evil.around(right)) {
        byte[] payload = PayloadChanges.with(envelope.payload(), word, value);
        taker.take(
            Kind.PAYLOAD_WORD, envelope.withPayload(payload).toBytes(), Way.ARRAY, Way.STREAM);
        if (word < SIZES_AT_START) {
          // As if the number were that of bits in a part of the content.
          long length = envelope.announced() + (value - right) / Byte.SIZE / Byte.SIZE * Byte.SIZE;
          Envelope fitting = envelope.withPayload(payload).withAnnounced(length);
          taker.take(Kind.PAYLOAD_WORD, fitting.toBytes(), Way.ARRAY, Way.STREAM);
        }
      }
    }
  }

  /** Truncates large filters, and makes some announce more than is present. */
  static void large(List<Sample> samples, SplittableRandom random, Taker taker) {
    Way[] ways = {Way.ARRAY, Way.STREAM, Way.FILE};
    for (Sample sample : samples) {
      byte[] bytes = sample.bytes();
      taker.take(Kind.LARGE, bytes, ways);
      for (int length = 1 << 10; length < bytes.length; length *= 2) {
        for (int cut : new int[] {length, length + random.nextInt(length)}) {
          taker.take(Kind.LARGE, Arrays.copyOf(bytes, Math.min(cut, bytes.length)), ways);
        }
      }
      taker.take(Kind.LARGE, Arrays.copyOf(bytes, bytes.length - 1), ways);
      Envelope envelope = sample.envelope();
      for (long length : new long[] {2 * envelope.announced(), 1L << 40, 1L << 62}) {
        taker.take(Kind.LARGE, envelope.withAnnounced(length).toBytes(), ways);
      }
      byte[] payload = envelope.payload().clone();
      payload[random.nextInt(payload.length)] ^= 1;
      taker.take(Kind.LARGE, envelope.withPayload(payload).toBytes(), ways);
    }
  }

  /** Generates a random input. */
  void mutant(SplittableRandom random, Taker taker) {
    Sample sample = own.get(random.nextInt(own.size()));
    Envelope envelope = sample.envelope();
    switch (random.nextInt(9)) {
      case 0 -> give(Kind.EDITED, edit(sample.bytes(), random), random, taker);
      case 1 -> {
        byte[] edited = edit(sample.bytes(), random);
        Envelope.seal(edited);
        give(Kind.EDITED_SEALED, edited, random, taker);
      }
      case 2, 3 -> {
        byte[] payload = PayloadChanges.replaceWords(envelope.payload(), random);
        give(Kind.WORDS, envelope.withPayload(payload).toBytes(), random, taker);
      }
      case 4 -> {
        byte[] payload = PayloadChanges.moveParts(envelope.payload(), random);
        Envelope other =
            random.nextInt(4) == 0
                ? envelope.withPayloadInPlace(payload)
                : envelope.withPayload(payload);
        give(Kind.PARTS, other.toBytes(), random, taker);
      }
      case 5 -> give(Kind.NUMBERS, otherNumbers(envelope, random).toBytes(), random, taker);
      case 6 -> give(Kind.SPEC, otherSpec(envelope, random).toBytes(), random, taker);
      case 7 -> give(Kind.SPLICED, splice(sample.bytes(), random), random, taker);
      default -> {
        byte[] payload = PayloadChanges.replaceWords(envelope.payload(), random);
        Envelope other = otherNumbers(envelope.withPayload(payload), random);
        give(Kind.MIXED, other.toBytes(), random, taker);
      }
    }
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
    Way way =
        random.nextInt(64) == 0
            ? Way.FILE
            : switch (random.nextInt(8)) {
              case 0 -> Way.STUTTERING;
              case 1 -> Way.FAILING;
              case 2, 3, 4 -> Way.STREAM;
              default -> Way.ARRAY;
            };
    taker.take(kind, length == bytes.length ? bytes : Arrays.copyOf(bytes, length), way);
  }

  private static byte[] edit(byte[] bytes, SplittableRandom random) {
    byte[] edited = bytes.clone();
    for (int edits = 1 + random.nextInt(8); edits > 0; edits--) {
      // Half of the edits are near the start, where every byte is significant.
      int end = random.nextBoolean() ? edited.length : Math.min(edited.length, 256);
      int from = random.nextInt(end);
      int to = random.nextInt(end);
      int length = Math.min(1 + random.nextInt(16), edited.length - Math.max(from, to));
      switch (random.nextInt(4)) {
        case 0 -> edited[from] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        case 1 -> edited[from] = (byte) random.nextInt();
        case 2 -> edited[from] = (byte) (random.nextBoolean() ? 0 : -1);
        default -> System.arraycopy(bytes, from, edited, to, length);
      }
    }
    return edited;
  }

  private static Envelope otherNumbers(Envelope envelope, SplittableRandom random) {
    if (envelope.layout().isEmpty()) {
      return envelope;
    }
    Map<String, Long> layout = new HashMap<>(envelope.layout());
    List<String> names = List.copyOf(envelope.layout().keySet());
    long length = envelope.announced();
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      String name = names.get(random.nextInt(names.size()));
      long old = layout.get(name);
      long other = Evil.instead(old, random);
      layout.put(name, other);
      length = random.nextBoolean() ? scaled(length, old, other) : length;
    }
    Envelope changed = envelope.withLayout(layout);
    return length >= 0 && length <= MAX_RESIZED && random.nextInt(4) > 0
        ? changed.withPayload(Arrays.copyOf(envelope.payload(), (int) length))
        : changed.withAnnounced(length);
  }

  private static Envelope otherSpec(Envelope envelope, SplittableRandom random) {
    long keys = random.nextBoolean() ? envelope.keys() : Evil.instead(envelope.keys(), random);
    long rate = random.nextBoolean() ? envelope.rate() : Evil.rate(random);
    Envelope changed = envelope.withSpec(keys, rate);
    return random.nextInt(3) > 0
        ? changed
        : changed.withAnnounced(Evil.instead(envelope.announced(), random));
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
