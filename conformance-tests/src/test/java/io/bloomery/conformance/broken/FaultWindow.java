package io.bloomery.conformance.broken;

import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Where a drawn fault shows. A range of keys, of rates or of bytes, or none; and half of the time
 * one thing more, such as a history.
 *
 * <p>Whatever is drawn is offered, or else the fault could not be seen by anybody: keys from 10 to
 * 10^6, rates from 10^-6 to 0.9, tables from 64 bytes to a MiB; and a range spans at least half a
 * decade, {@linkplain #isOffered of sizes too}.
 *
 * @param keys the expected keys
 * @param rate the rate asked for
 * @param bytes the bytes of the content
 * @param further what must hold beside
 */
public record FaultWindow(Range keys, Range rate, Range bytes, Further further) {

  private static final double MIN_KEYS = 10;
  private static final double MAX_KEYS = 1e6;
  private static final double LOWEST_RATE = 1e-6;
  private static final double HIGHEST_RATE = 0.9;
  private static final double MIN_DECADES = 0.5;
  private static final double MAX_DECADES = 2;

  /** All numbers from one to another. */
  record Range(double min, double max) {
    static final Range ALL = new Range(0, Double.MAX_VALUE);

    boolean has(double number) {
      return min <= number && number <= max;
    }

    /** Draws a range of half a decade to two within another, evenly on a logarithmic scale. */
    static Range draw(double min, double max, SplittableRandom random) {
      double all = Math.log10(max / min);
      double width = Math.min(all, MIN_DECADES + random.nextDouble() * (MAX_DECADES - MIN_DECADES));
      double begin = min * Math.pow(10, random.nextDouble() * (all - width));
      return new Range(begin, begin * Math.pow(10, width));
    }

    private String of(String what) {
      return equals(ALL) ? "" : String.format(Locale.ROOT, ", %s %.3g to %.3g", what, min, max);
    }
  }

  /** Every filter. */
  static final FaultWindow EVERYWHERE =
      new FaultWindow(Range.ALL, Range.ALL, Range.ALL, Further.NONE);

  /**
   * Tables larger than a KiB. Most rules also try one that is, and only they see what goes wrong in
   * large tables alone.
   */
  static final FaultWindow LARGE = bytesFrom((1 << 10) + 1);

  /** Between the numbers of keys that one would think of. */
  static final FaultWindow SOME_KEYS = keys(20_001, 89_999);

  static FaultWindow keys(double min, double max) {
    return EVERYWHERE.withKeys(new Range(min, max));
  }

  static FaultWindow rates(double min, double max) {
    return new FaultWindow(Range.ALL, new Range(min, max), Range.ALL, Further.NONE);
  }

  static FaultWindow bytesFrom(double min) {
    return bytes(min, Double.MAX_VALUE);
  }

  static FaultWindow bytes(double min, double max) {
    return new FaultWindow(Range.ALL, Range.ALL, new Range(min, max), Further.NONE);
  }

  /** Returns the same window for one thread mode only. */
  FaultWindow in(ThreadMode mode) {
    return with(mode(mode));
  }

  /** Returns the same window for filters that something was done to. */
  FaultWindow after(Step step) {
    return with(done(step));
  }

  private FaultWindow with(Further more) {
    return new FaultWindow(keys, rate, bytes, further.and(more));
  }

  /** What a faulty filter knows of itself. */
  interface Situation {
    /** Returns how many hashes were put or merged into it, as a share of those expected. */
    double filled();

    /** Returns whether something was done to it, or to what it is a copy of. */
    boolean has(Step step);

    /** Returns the thread mode, as far as it is known. */
    ThreadMode mode();
  }

  /** A condition beside those on the size. */
  interface Condition {
    boolean holds(Situation situation, FilterSpec spec, long hash);
  }

  /**
   * A condition, in words.
   *
   * @param ofHash whether it is on the hash: then only what is done with one hash can be faulty
   */
  record Further(String words, boolean ofHash, Condition condition) {
    static final Further NONE = new Further("", false, (situation, spec, hash) -> true);

    Further and(Further other) {
      return new Further(
          equals(NONE) ? other.words : words + ", " + other.words,
          ofHash || other.ofHash,
          (situation, spec, hash) ->
              condition.holds(situation, spec, hash)
                  && other.condition.holds(situation, spec, hash));
    }
  }

  /** Which conditions make sense for a fault. */
  enum Sense {
    /** It shows in some thread mode. */
    MODE,
    /** It shows after something was done. */
    HISTORY,
    /** It shows for a hash id. */
    HASH_ID,
    /** It shows from some fill on. */
    FILL,
    /** It shows for hashes of a pattern. */
    HASH
  }

  /** Draws a window: of keys, rates, bytes, or neither; with a further condition, if one fits. */
  static FaultWindow draw(SplittableRandom random, Sense... senses) {
    Range keys = Range.ALL;
    Range rate = Range.ALL;
    Range bytes = Range.ALL;
    int kind = random.nextInt(8);
    switch (kind) {
      case 0, 1, 2 -> keys = Range.draw(MIN_KEYS, MAX_KEYS, random);
      case 3, 4 -> rate = Range.draw(LOWEST_RATE, HIGHEST_RATE, random);
      case 5, 6 -> bytes = Range.draw(64, 1 << 20, random);
      default -> {}
    }
    boolean isPlain = senses.length == 0 || (kind != 7 && random.nextInt(3) != 0);
    Further further =
        isPlain ? Further.NONE : further(senses[random.nextInt(senses.length)], random);
    return new FaultWindow(keys, rate, bytes, further);
  }

  /** Draws a window until it is {@linkplain #isOffered offered}. */
  static FaultWindow drawOffered(SplittableRandom random, Sense... senses) {
    FaultWindow window = draw(random, senses);
    while (!window.isOffered()) {
      window = draw(random, senses);
    }
    return window;
  }

  /** Draws something that is done to a filter before it shows, whatever its size. */
  static FaultWindow drawHistory(SplittableRandom random) {
    return EVERYWHERE.with(further(Sense.HISTORY, random));
  }

  private static Further mode(ThreadMode mode) {
    return new Further(mode.toString(), false, (situation, spec, hash) -> situation.mode() == mode);
  }

  private static Further done(Step step) {
    return new Further("after " + step, false, (situation, spec, hash) -> situation.has(step));
  }

  private static Further further(Sense sense, SplittableRandom random) {
    return switch (sense) {
      case MODE -> mode(random.nextBoolean() ? ThreadMode.SHARED : ThreadMode.CONFINED);
      case HISTORY -> {
        Step[] steps = {Step.COPY, Step.READ, Step.CLEAR, Step.MERGE};
        yield done(steps[random.nextInt(steps.length)]);
      }
      case HASH_ID -> {
        boolean raw = random.nextBoolean();
        yield new Further(
            raw ? "raw hashes" : "hashes of a hasher",
            false,
            (situation, spec, hash) -> spec.hashId().equals(FilterSpec.RAW) == raw);
      }
      case FILL -> {
        double from = new double[] {0.1, 0.3, 0.6, 0.9, 1.05}[random.nextInt(5)];
        yield new Further(
            "filled from " + from, false, (situation, spec, hash) -> situation.filled() >= from);
      }
      case HASH -> {
        int zeros = 16 + random.nextInt(24);
        yield switch (random.nextInt(3)) {
          case 0 ->
              new Further(
                  zeros + " leading zeros",
                  true,
                  (situation, spec, hash) -> Long.numberOfLeadingZeros(hash) >= zeros);
          case 1 ->
              new Further(
                  zeros + " trailing zeros",
                  true,
                  (situation, spec, hash) -> Long.numberOfTrailingZeros(hash) >= zeros);
          default ->
              new Further(
                  zeros + " leading ones",
                  true,
                  (situation, spec, hash) -> Long.numberOfLeadingZeros(~hash) >= zeros);
        };
      }
    };
  }

  /** Returns the same window for rates up to one only. */
  FaultWindow upTo(double maxRate) {
    return new FaultWindow(
        keys,
        new Range(Math.min(rate.min(), maxRate / 4), Math.min(rate.max(), maxRate)),
        bytes,
        further);
  }

  /** Returns the same window for tables from a size on. */
  FaultWindow fromBytes(double minBytes) {
    return new FaultWindow(
        keys,
        rate,
        new Range(Math.max(bytes.min(), minBytes), Math.max(bytes.max(), 4 * minBytes)),
        further);
  }

  /** Returns the same window for so many keys only. */
  FaultWindow withKeys(Range keys) {
    return new FaultWindow(keys, rate, bytes, further);
  }

  /**
   * Returns whether the sizes of filters for these keys at these rates span half a decade of the
   * window. A window for few keys may be restricted to large tables, which nobody has for them.
   */
  boolean isOffered() {
    double half = Math.pow(10, MIN_DECADES);
    double largest = size(Math.min(keys.max(), MAX_KEYS), Math.max(rate.min(), LOWEST_RATE));
    double smallest = size(Math.max(keys.min(), MIN_KEYS), Math.min(rate.max(), HIGHEST_RATE));
    return largest >= half * bytes.min() && smallest * half <= bytes.max();
  }

  private static double size(double keys, double rate) {
    return (double) TableLayout.smallest(FilterSpec.of((long) keys, rate)).bits() / Byte.SIZE;
  }

  /** Returns whether filters of a size are in the window, in some situation. */
  boolean has(FilterSpec spec, long payloadBytes) {
    return keys.has((double) spec.expectedKeys())
        && rate.has(spec.falsePositiveRate())
        && bytes.has((double) payloadBytes);
  }

  boolean has(Filter filter, Situation situation, long hash) {
    return further.condition().holds(situation, filter.spec(), hash);
  }

  @Override
  public String toString() {
    String text =
        keys.of("keys")
            + rate.of("rate")
            + bytes.of("bytes")
            + (further.words().isEmpty() ? "" : ", " + further.words());
    return text.isEmpty() ? "everywhere" : text.substring(2);
  }
}
