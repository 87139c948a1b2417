package io.bloomery.counting;

import io.bloomery.filter.FilterSpec;
import io.bloomery.internal.BlockSizing;
import io.bloomery.internal.Sizing;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * The size and rate of a counting filter, and the search for its smallest layout.
 *
 * <p>A block has a fixed size, unless the counts of one of its words need more bits than the layout
 * has for them. It is then spilled, and takes an additional plane of 128 bits for each binary digit
 * of its largest count less one. Spilled blocks are rare if the load is low; the best load and the
 * best number of positions depend on the rate. All results are means over filters of distinct keys.
 *
 * <p>The size in a file never decreases with more keys or a lower rate. The size in the heap can
 * decrease by a fortieth at a change to another kind of layout with fewer spilled blocks.
 */
final class CountingSizing {
  // decisions.md#the-layout-is-the-one-with-the-least-expected-bytes-of-nine-kinds

  /**
   * The bytes that a spilled block takes in the heap besides its planes: an array header, a
   * reference, and its share of the collection of its stripe.
   */
  private static final int HEAP_BYTES_OF_SPILLED = 24;

  // Closer to 1, rounding errors are as large as the differences, and the rate would not
  // be monotonic.
  private static final double NEARLY_ALL = 1 - 1e-11;

  /** Sizes filters of {@code counting}. */
  // Other kinds would save a block or two in filters of a few hundred keys, and nothing in
  // larger ones.
  static final CountingSizing SMALL =
      new CountingSizing(
          1e-5,
          new Kind(1, 64),
          new Kind(1, 48),
          new Kind(1, 32),
          new Kind(2, 48),
          new Kind(2, 32),
          new Kind(3, 48),
          new Kind(3, 32),
          new Kind(4, 48),
          new Kind(4, 32));

  /** Sizes filters of {@code counting-fast}. */
  static final CountingSizing FAST =
      new CountingSizing(
          2e-4,
          new Kind(1, CountingLayout.FAST_COUNT_BITS),
          new Kind(2, CountingLayout.FAST_COUNT_BITS),
          new Kind(3, CountingLayout.FAST_COUNT_BITS),
          new Kind(4, CountingLayout.FAST_COUNT_BITS));

  // Computed on first use: each takes milliseconds.
  private static final Map<Integer, BlockSizing> SIZINGS = new ConcurrentHashMap<>();
  private static final Map<Integer, double[]> PLANES = new ConcurrentHashMap<>();
  private static final Map<Kind, Spill> SPILLS = new ConcurrentHashMap<>();

  /**
   * The lowest rate. Not far below it, blocks have so few keys that the filter takes more space
   * than the usual counting filter with four bits for each position.
   */
  final double lowestRate;

  private final List<Kind> kinds;

  private CountingSizing(double lowestRate, Kind... kinds) {
    this.lowestRate = lowestRate;
    this.kinds = List.of(kinds);
  }

  /** A layout without its number of blocks. */
  private record Kind(int probesPerWord, int countBits) {

    static Kind of(CountingLayout layout) {
      return new Kind(layout.probesPerWord(), layout.countBits());
    }

    CountingLayout layout(long blocks) {
      return new CountingLayout((int) blocks, probesPerWord, countBits);
    }

    int maxBlocks() {
      return CountingLayout.maxBlocks(countBits);
    }

    /** Returns the bytes of a block that is not spilled. */
    int bytesOfBlock() {
      return CountingLayout.BLOCK_BYTES + CountingLayout.BLOCK_WORDS * countBits / Byte.SIZE;
    }

    BlockSizing sizing() {
      return SIZINGS.computeIfAbsent(
          probesPerWord,
          probes ->
              (probes == BlockProbes.PAIR
                      ? Pairs.rotated().sizing(0)
                      : new BlockSizing(CountingLayout.BLOCK_WORDS, probes))
                  .pickedByWordProbes(1));
    }

    Spill spill() {
      return SPILLS.computeIfAbsent(this, Spill::of);
    }
  }

  /** Returns the possible numbers of bits for the counts of a word. */
  SortedSet<Integer> countBits() {
    return kinds.stream().map(Kind::countBits).collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * Returns the layout with the smallest file after the expected number of keys is put.
   *
   * @throws IllegalArgumentException if the rate is too low for any layout, or there are too many
   *     keys
   */
  CountingLayout smallest(FilterSpec spec) {
    checkRate(spec);
    long keys = spec.expectedKeys();
    double rate = spec.falsePositiveRate() - Sizing.collisionRate(keys);
    CountingLayout smallest = null;
    long fewest = Long.MAX_VALUE;
    for (Kind kind : kinds) {
      Optional<CountingLayout> layout = fewestBlocks(kind, keys, rate, fewest);
      if (layout.isPresent()) {
        long bytes = payloadBytes(layout.get(), keys);
        if (bytes < fewest) {
          smallest = layout.get();
          fewest = bytes;
        }
      }
    }
    if (smallest == null) {
      throw new IllegalArgumentException(tooManyKeys(spec));
    }
    return smallest;
  }

  /**
   * Returns the layout of a kind with the fewest blocks, if these take at most {@code maxBytes}.
   */
  private static Optional<CountingLayout> fewestBlocks(
      Kind kind, long keys, double rate, long maxBytes) {
    long most = Math.min(kind.maxBlocks(), maxBytes / kind.bytesOfBlock());
    double blocks = StrictMath.ceil(keys / kind.spill().maxLoad);
    BlockSizing sizing = kind.sizing();
    // Checked first, since the search is slow, and does not terminate if no number of
    // blocks suffices.
    if (blocks > most || sizing.rate(keys, (double) most) > rate) {
      return Optional.empty();
    }
    return Optional.of(
        kind.layout(
            sizing.rate(keys, blocks) <= rate ? (long) blocks : sizing.minBlocks(keys, rate)));
  }

  private void checkRate(FilterSpec spec) {
    double rate = spec.falsePositiveRate();
    if (rate < lowestRate) {
      double bits = -StrictMath.log(rate) / (StrictMath.log(2) * StrictMath.log(2));
      throw new IllegalArgumentException(
          "rate of a counting filter must be at least "
              + lowestRate
              + ", but was "
              + rate
              + "; ask for "
              + lowestRate
              + (this != SMALL && rate >= SMALL.lowestRate ? smaller(spec) : "")
              + ", or take variant 'standard', which keeps lower rates in about "
              + (long) StrictMath.ceil(bits)
              + " bits a key but cannot remove");
    }
  }

  private static String smaller(FilterSpec spec) {
    double bytes = payloadBytes(SMALL.smallest(spec), spec.expectedKeys());
    return ", or take variant '"
        + CountingProvider.VARIANT
        + "', which keeps this rate in about "
        + (long) StrictMath.ceil(Byte.SIZE * bytes / spec.expectedKeys())
        + " bits a key";
  }

  private String tooManyKeys(FilterSpec spec) {
    long keys = spec.expectedKeys();
    double mostKeys = 0;
    double lowest = 1;
    Kind best = kinds.get(0);
    for (Kind kind : kinds) {
      double hold = kind.maxBlocks() * kind.spill().maxLoad;
      double rate = kind.sizing().rate(keys, kind.maxBlocks());
      mostKeys = Math.max(mostKeys, hold);
      if (keys <= hold && rate < lowest) {
        lowest = rate;
        best = kind;
      }
    }
    if (keys > mostKeys) {
      return String.format(
          Locale.ROOT,
          "%d keys must be at most %.0f, which fit into the most blocks that a filter can have;"
              + " ask for fewer keys, or spread the keys over several filters",
          keys,
          StrictMath.floor(mostKeys));
    }
    return String.format(
        Locale.ROOT,
        "%d keys at a rate of %s must fit into blocks of %d bits, which keep a rate of %.3g;"
            + " ask for that, or for fewer keys, or spread the keys over several filters",
        keys,
        spec.falsePositiveRate(),
        best.layout(best.maxBlocks()).bits(),
        lowest);
  }

  /**
   * Returns the size of the payload with a number of keys, rounded to a multiple of eight bytes.
   */
  static long payloadBytes(CountingLayout layout, long keys) {
    return layout.bytesOfBlocks() + toWords(layout.blocks() * planeBytes(layout, keys));
  }

  /** Returns the size in the heap with a number of keys, rounded to a multiple of eight bytes. */
  static long heapBytes(CountingLayout layout, long keys) {
    Kind kind = Kind.of(layout);
    double besides = HEAP_BYTES_OF_SPILLED * kind.spill().spilled(layout, keys);
    double spilled = layout.blocks() * (planeBytes(layout, keys) + besides);
    return toWords((double) layout.blocks() * kind.bytesOfBlock() + spilled);
  }

  private static double planeBytes(CountingLayout layout, long keys) {
    return CountingLayout.BLOCK_BYTES * Kind.of(layout).spill().planes(layout, keys);
  }

  private static long toWords(double bytes) {
    return StrictMath.round(bytes / Long.BYTES) * Long.BYTES;
  }

  /** Returns the false positive rate with a number of keys. */
  static double rate(CountingLayout layout, long keys) {
    double rate = Kind.of(layout).sizing().rate(keys, layout.blocks()) + Sizing.collisionRate(keys);
    return rate > NEARLY_ALL ? 1 : rate;
  }

  /** The probability that a block of a kind is spilled, and the number of its planes. */
  private static final class Spill {

    /**
     * The largest share of puts that may go to spilled blocks, as those take longer. Up to this
     * share, a lower load always takes more bytes: the size has its minimum at a higher load.
     */
    private static final double MAX_SHARE_OF_PUTS = 0.03;

    // So many keys that the number in a block has nearly a Poisson distribution.
    private static final long MANY_KEYS = 1L << 40;

    // Bisections until the interval is as small as the precision of a double.
    private static final int STEPS = 53;

    /**
     * The mean number of keys in a block at which the share of puts to spilled blocks is the
     * largest allowed.
     */
    final double maxLoad;

    // Indexed by the number of keys in a block.
    private final double[] spilled;
    private final double[] planes;

    private Spill(double[] spilled, double[] planes) {
      this.spilled = spilled;
      this.planes = planes;
      this.maxLoad = maxLoad(spilled);
    }

    static Spill of(Kind kind) {
      if (kind.countBits() == CountingLayout.FAST_COUNT_BITS) {
        ListChances chances = new ListChances(chanceOfPosition(kind.probesPerWord()));
        return new Spill(chances.spilled, chances.planes);
      }
      double[] spilled = spilledInBlock(kind.probesPerWord(), kind.countBits());
      double[] planes = PLANES.computeIfAbsent(kind.probesPerWord(), Spill::planesInBlock).clone();
      for (int keys = 0; keys < planes.length; keys++) {
        // An approximation: spilled blocks have slightly larger counts than others with as
        // many keys.
        planes[keys] *= spilled[keys];
      }
      return new Spill(spilled, planes);
    }

    /** Returns the share of blocks that are spilled. */
    double spilled(CountingLayout layout, long keys) {
      return BlockSizing.mean(spilled, 1, keys, layout.blocks());
    }

    /** Returns the mean number of planes of all blocks; those that are not spilled have none. */
    double planes(CountingLayout layout, long keys) {
      return BlockSizing.mean(planes, planes[planes.length - 1], keys, layout.blocks());
    }

    private static double maxLoad(double[] spilled) {
      double[] keysInSpilled = spilled.clone();
      for (int keys = 0; keys < keysInSpilled.length; keys++) {
        keysInSpilled[keys] *= keys;
      }
      double enough = 0;
      double tooMany = Long.SIZE; // each key takes at least one bit of a word's counts
      for (int i = 0; i < STEPS; i++) {
        double middle = (enough + tooMany) / 2;
        double keys =
            BlockSizing.mean(keysInSpilled, BlockSizing.OVERFULL, MANY_KEYS, MANY_KEYS / middle);
        if (keys <= MAX_SHARE_OF_PUTS * middle) {
          enough = middle;
        } else {
          tooMany = middle;
        }
      }
      return enough;
    }

    /**
     * Returns, by the number of keys, the probability that the counts of either word of a block
     * exceed their bits.
     */
    private static double[] spilledInBlock(int probesPerWord, int countBits) {
      double[] spilled = new double[BlockSizing.OVERFULL];
      Arrays.fill(spilled, 1); // as every key has a position in each word
      double[] ofKey = chancesOfPositions(probesPerWord);
      double[] chances = new double[countBits + 2]; // by sum of counts; the last is for larger ones
      chances[0] = 1;
      for (int keys = 0; keys <= countBits; keys++) {
        double above = chances[countBits + 1];
        spilled[keys] = above * (2 - above);
        chances = withOneMore(chances, ofKey);
      }
      return spilled;
    }

    private static double[] withOneMore(double[] chances, double[] ofKey) {
      double[] more = new double[chances.length];
      for (int sum = 0; sum < chances.length; sum++) {
        for (int i = 0; i < ofKey.length; i++) {
          more[Math.min(sum + i, more.length - 1)] += chances[sum] * ofKey[i];
        }
      }
      return more;
    }

    /** Returns the distribution of the number of distinct positions of a key in a word. */
    private static double[] chancesOfPositions(int probesPerWord) {
      double[] chances = new double[probesPerWord + 1];
      if (probesPerWord == BlockProbes.PAIR) {
        chances[probesPerWord] = 1;
        return chances;
      }
      chances[0] = 1;
      for (int i = 0; i < probesPerWord; i++) {
        for (int different = probesPerWord; different > 0; different--) {
          double before = chances[different - 1] * (Long.SIZE - different + 1);
          chances[different] = (chances[different] * different + before) / Long.SIZE;
        }
        chances[0] = 0;
      }
      return chances;
    }

    /** Returns the probability that a key has a given position of its block. */
    private static double chanceOfPosition(int probesPerWord) {
      double chance = 0;
      double[] ofKey = chancesOfPositions(probesPerWord);
      for (int different = 1; different < ofKey.length; different++) {
        chance += ofKey[different] * different / Long.SIZE;
      }
      return chance;
    }

    /** Returns the mean number of planes of a spilled block, by its number of keys. */
    private static double[] planesInBlock(int probesPerWord) {
      double chance = chanceOfPosition(probesPerWord);
      double[] planes = new double[BlockSizing.OVERFULL];
      for (int keys = 1; keys < planes.length; keys++) {
        planes[keys] = planes(keys, chance);
      }
      return planes;
    }

    /**
     * Returns the mean number of binary digits of a block's largest count less one: one, and one
     * more for each power of two from 2 on that the largest count exceeds. The counts are binomial
     * and nearly independent.
     */
    private static double planes(int keys, double chance) {
      double planes = 1;
      double exactly = StrictMath.pow(1 - chance, keys);
      double atMost = exactly;
      for (int count = 1; count <= keys && atMost < NEARLY_ALL; count++) {
        exactly *= chance / (1 - chance) * (keys - count + 1) / count;
        atMost += exactly;
        if (count > 1 && Integer.bitCount(count) == 1) {
          planes += 1 - StrictMath.pow(Math.min(1, atMost), CountingLayout.BLOCK_BITS);
        }
      }
      return planes;
    }
  }
}
