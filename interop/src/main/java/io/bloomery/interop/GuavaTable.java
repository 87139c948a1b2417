package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Guava's filter: a byte for the strategy, one for the probes, then the words; or the same in a
 * stream of Java objects, or after the header of Pinot.
 */
final class GuavaTable extends ForeignTable {

  private final int strategy;

  /** What a stream of Java objects has around the words, if it was read from one. */
  private final Optional<JavaObjectStream.Frame> frame;

  /** The rate in a header of version 2 of Pinot, if it was read from one. */
  private final OptionalDouble rate;

  private GuavaTable(
      int strategy,
      int probes,
      Optional<JavaObjectStream.Frame> frame,
      OptionalDouble rate,
      long[] words) {
    super(words, probes);
    this.strategy = strategy;
    this.frame = frame;
    this.rate = rate;
  }

  static GuavaTable of(int strategy, int probes, long[] words, JavaObjectStream.Frame frame) {
    return new GuavaTable(strategy, probes, Optional.of(frame), OptionalDouble.empty(), words);
  }

  static GuavaTable readPinot(ForeignInput in) throws IOException {
    int type = in.i32(BIG_ENDIAN);
    in.require(type == 1, 0, "type must be 1 (Guava)", type);
    int version = in.i32(BIG_ENDIAN);
    in.require(version == 1 || version == 2, 4, "version must be 1 or 2", version);
    OptionalDouble rate =
        version == 1
            ? OptionalDouble.empty()
            : OptionalDouble.of(Double.longBitsToDouble(in.i64(BIG_ENDIAN)));
    if (!(rate.orElse(0.5) > 0 && rate.orElse(0.5) < 1)) {
      throw in.refusal(8, "rate must be between 0 and 1, but is " + rate.getAsDouble());
    }
    GuavaTable table = read(in, rate);
    in.require(table.strategy == 1, version * 8L, "strategy must be 1 in Pinot", table.strategy);
    return table;
  }

  static GuavaTable read(ForeignInput in) throws IOException {
    return read(in, OptionalDouble.empty());
  }

  private static GuavaTable read(ForeignInput in, OptionalDouble rate) throws IOException {
    long at = in.offset();
    int strategy = in.u8();
    in.require(strategy <= 1, at, "strategy must be 0 or 1", strategy);
    int probes = in.u8();
    in.require(probes > 0, at + 1, "hash functions must be 1 to 255", probes);
    int count = in.i32(BIG_ENDIAN);
    long[] words = in.words(count, BIG_ENDIAN, at + 2);
    return new GuavaTable(strategy, probes, Optional.empty(), rate, words);
  }

  static GuavaTable create(int strategy, ForeignParameters asked) {
    // Guava truncates to an integer before it rounds up to words.
    long[] words = asked.table(bitsFor(asked.keys(), asked.rate()));
    long probes = Math.max(1, Math.round(-Math.log(asked.rate()) / Math.log(2)));
    return new GuavaTable(
        strategy,
        asked.probes(probes, MAX_PROBES),
        Optional.empty(),
        OptionalDouble.empty(),
        words);
  }

  @Override
  boolean visit(Item item, boolean put) {
    Hashes.murmur128(item);
    long bits = bits();
    boolean all = true;
    if (strategy == 1) {
      long c = item.h1;
      for (int i = 0; i < probes; i++) {
        all &= bit(words, (c & Long.MAX_VALUE) % bits, put);
        if (!all && !put) {
          return false;
        }
        c += item.h2;
      }
      return all;
    }
    int c = (int) item.h1;
    for (int i = 0; i < probes; i++) {
      c += (int) (item.h1 >>> 32);
      all &= bit(words, flip(c) % bits, put);
      if (!all && !put) {
        return false;
      }
    }
    return all;
  }

  @Override
  ForeignFormat labelled(ForeignFormat named) {
    return switch (named) {
      case GUAVA_JAVA, GUAVA_JAVA_MITZ_32 ->
          strategy == 1 ? ForeignFormat.GUAVA_JAVA : ForeignFormat.GUAVA_JAVA_MITZ_32;
      case PINOT -> named;
      default -> strategy == 1 ? ForeignFormat.GUAVA : ForeignFormat.GUAVA_MITZ_32;
    };
  }

  @Override
  void write(ForeignOutput out, ForeignFormat format) throws IOException {
    if (format == ForeignFormat.GUAVA_JAVA || format == ForeignFormat.GUAVA_JAVA_MITZ_32) {
      JavaObjectStream.Frame around =
          frame.isPresent()
              ? frame.get()
              : JavaObjectStream.ofTexts(strategy, probes, words.length);
      out.bytes(around.before());
      out.words(words, BIG_ENDIAN);
      out.bytes(around.after());
      return;
    }
    if (format == ForeignFormat.PINOT) {
      out.i32(1, BIG_ENDIAN);
      out.i32(rate.isPresent() ? 2 : 1, BIG_ENDIAN);
      if (rate.isPresent()) {
        out.i64(Double.doubleToRawLongBits(rate.getAsDouble()), BIG_ENDIAN);
      }
    }
    out.u8(strategy);
    out.u8(probes);
    out.i32(words.length, BIG_ENDIAN);
    out.words(words, BIG_ENDIAN);
  }

  @Override
  String layout() {
    return say(
        "strategy %d (MURMUR128_MITZ_%d), %d hash functions, %d bits",
        strategy, strategy == 1 ? 64 : 32, probes, bits());
  }

  @Override
  void putAll(ForeignTable other) {
    Optional<JavaObjectStream.Frame> others = ((GuavaTable) other).frame;
    if (frame.isPresent()
        && others.isPresent()
        && !frame.get().funnel().equals(others.get().funnel())) {
      throw new IllegalArgumentException(
          "filters must have one funnel to be merged, but have "
              + ShownNames.of(frame.get().funnel())
              + " and "
              + ShownNames.of(others.get().funnel())
              + "; make one again from its keys");
    }
    super.putAll(other);
  }

  @Override
  boolean has32BitPositions() {
    return strategy == 0;
  }

  @Override
  String words() {
    return layout()
        + frame.map(around -> ", funnel " + ShownNames.of(around.funnel())).orElse("")
        + (rate.isPresent() ? ", for a rate of " + rate.getAsDouble() : "");
  }

  @Override
  ForeignTable copy() {
    return new GuavaTable(strategy, probes, frame, rate, words.clone());
  }
}
