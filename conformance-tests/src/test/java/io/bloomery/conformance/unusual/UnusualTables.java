package io.bloomery.conformance.unusual;

import io.bloomery.conformance.broken.ReferenceProvider;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.Sizing;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.Probes;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Providers whose tables are right, but of another size or probed in another way. */
final class UnusualTables {

  private UnusualTables() {}

  private static TableLayout withBits(TableLayout layout, long bits) {
    return TableLayout.ofBits(bits).withProbes(layout.probes());
  }

  private static long powerOfTwo(long bits) {
    return Math.max(Long.SIZE, Long.highestOneBit(bits - 1) << 1);
  }

  private static long mixed(long hash) {
    long mixed = (hash ^ hash >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }

  /** Rounds its bits up to a multiple of a number, itself one of 64. */
  static final class RoundedUp extends ReferenceProvider {
    private final long unit;

    RoundedUp(long unit) {
      this.unit = unit;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      return withBits(layout, (layout.bits() + unit - 1) / unit * unit);
    }
  }

  /** Takes so many probes for each of the best number, and the bits that takes. */
  static final class OtherProbes extends ReferenceProvider {
    private final int max;
    private final int times;

    OtherProbes(int max, int times) {
      this.max = max;
      this.times = times;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      int best = TableLayout.smallest(spec).probes();
      int probes = Math.min(max, times * best);
      double rate = spec.falsePositiveRate() - Sizing.collisionRate(spec.expectedKeys());
      long words = Sizing.wordsNeeded(spec.expectedKeys(), rate, probes);
      if (words > BitTable.MAX_BITS / Long.SIZE) {
        throw TableLayout.tooLarge(spec, (double) words * Long.SIZE);
      }
      return TableLayout.ofBits(words * Long.SIZE).withProbes(probes);
    }
  }

  /** Finds its size by trial, with a formula that is slow until it is compiled. */
  static final class PlansByTrial extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout best = TableLayout.smallest(spec);
      double rate = spec.falsePositiveRate();
      double bits = 0;
      for (int probes = 1; probes <= TableLayout.MAX_PROBES; probes++) {
        double fill = StrictMath.pow(rate, 1.0 / probes);
        bits = Math.max(bits, StrictMath.pow(1 - fill, 1.0 / spec.expectedKeys()));
      }
      return bits >= 0 ? best : best.withProbes(1);
    }
  }

  /** Refuses what need not be offered. */
  static final class Refusing extends ReferenceProvider {
    private final long maxKeys;
    private final double minRate;

    Refusing(long maxKeys, double minRate) {
      this.maxKeys = maxKeys;
      this.minRate = minRate;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      if (spec.expectedKeys() > maxKeys || spec.falsePositiveRate() < minRate) {
        throw new IllegalArgumentException(
            "there must be at most " + maxKeys + " keys at " + minRate + " or more, but: " + spec);
      }
      return TableLayout.smallest(spec);
    }
  }

  /** Has what was asked for in its layout, so that only filters of one spec merge. */
  static final class LayoutHasTheSpec extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      return TableLayout.smallest(spec)
          .with("expected", spec.expectedKeys())
          .with("rate", Double.doubleToLongBits(spec.falsePositiveRate()));
    }

    @Override
    protected Set<String> furtherNumbers() {
      return Set.of("expected", "rate");
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      double rate = Double.longBitsToDouble(layout.get("rate"));
      if (layout.get("expected") < 1 || !(rate > 0 && rate < 1)) {
        throw new IllegalArgumentException("keys or rate out of range in " + layout);
      }
    }
  }

  /** Begins at the other end of the table, and names its positions. */
  static final class Mirrored extends ReferenceProvider {
    @Override
    protected long position(long hash, int i, long bits) {
      return bits - 1 - super.position(hash, i, bits);
    }

    @Override
    public Optional<long[]> positions(long hash, long bits, int probes) {
      long[] positions = new long[probes];
      for (int i = 0; i < probes; i++) {
        positions[i] = position(hash, i, bits);
      }
      return Optional.of(positions);
    }
  }

  /** Cuts one mixed hash into two numbers of 32 bits for each two probes; for a million keys. */
  static final class SplitHash extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      if (layout.bits() > 1 << 26) {
        throw new IllegalArgumentException("bits must be at most 2^26 for 32 bits of a hash");
      }
      return layout;
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      if (layout.bits() > 1 << 26) {
        throw new IllegalArgumentException("bits must be at most 2^26, but: " + layout);
      }
    }

    @Override
    protected long position(long hash, int i, long bits) {
      long mixed = mixed(hash + (i / 2) * 0x9e3779b97f4a7c15L);
      long half = i % 2 == 0 ? mixed >>> Integer.SIZE : mixed & 0xffff_ffffL;
      return (half * bits) >>> Integer.SIZE;
    }
  }

  /**
   * Takes equal steps, odd in a table of a power of two, or steps that become longer. Keys of which
   * all positions coincide are allowed for, which takes larger tables for few keys.
   */
  static final class Steps extends ReferenceProvider {
    private final boolean longer;

    Steps(boolean longer) {
      this.longer = longer;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      if (spec.falsePositiveRate() < Subject.ALWAYS_RATE) {
        throw new IllegalArgumentException("rate must be at least 0.001, but: " + spec);
      }
      TableLayout layout = TableLayout.smallest(spec);
      layout = withBits(layout, powerOfTwo(layout.bits()));
      while (rate(spec.expectedKeys(), layout) + Sizing.collisionRate(spec.expectedKeys())
          > spec.falsePositiveRate()) {
        layout = withBits(layout, 2 * layout.bits());
      }
      return layout;
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      double coinciding = 4.0 * layout.probes() * layout.probes() * keys;
      return Math.min(1, super.rate(keys, layout) + coinciding / layout.bits() / layout.bits());
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      if (Long.bitCount(layout.bits()) != 1) {
        throw new IllegalArgumentException("bits must be a power of two, but: " + layout);
      }
    }

    @Override
    protected long position(long hash, int i, long bits) {
      long begin = mixed(hash);
      long step = mixed(hash ^ 0x9e3779b97f4a7c15L) | 1;
      long further = longer ? (long) i * (i - 1) * (i + 1) / 6 : 0;
      return begin + i * step + further & bits - 1;
    }
  }

  /** Has a slice of the table for each probe. */
  static final class Sliced extends ReferenceProvider {
    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      long unit = (long) Long.SIZE * layout.probes();
      return withBits(layout, (layout.bits() + unit - 1) / unit * unit);
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      if (layout.bits() % layout.probes() != 0) {
        throw new IllegalArgumentException("slices must be equal, but: " + layout);
      }
    }

    @Override
    protected long position(long hash, int i, long bits) {
      throw new AssertionError("a slice depends on the number of probes");
    }

    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      int stripe = table.lock(hash);
      try {
        boolean changed = false;
        for (int i = 0; i < probes; i++) {
          changed |= table.set(bit(hash, i, probes, table.sizeInBits()));
        }
        return changed;
      } finally {
        table.unlock(stripe);
      }
    }

    private static long bit(long hash, int i, int probes, long bits) {
      long slice = bits / probes;
      return i * slice + Probes.within(slice).position(mixed(hash + i));
    }

    @Override
    protected boolean contains(BitTable table, long hash, int probes) {
      for (int i = 0; i < probes; i++) {
        if (!table.get(bit(hash, i, probes, table.sizeInBits()))) {
          return false;
        }
      }
      return true;
    }
  }

  /** Leaves the last word of its table alone. */
  static final class UnusedWord extends TableProvider {
    @Override
    public String variant() {
      return "unused-word";
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      TableLayout layout = TableLayout.smallest(spec);
      return withBits(layout, layout.bits() + Long.SIZE);
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      if (layout.bits() < 2 * Long.SIZE) {
        throw new IllegalArgumentException("bits must be 128 or more, but: " + layout);
      }
    }

    @Override
    protected long usableBits(TableLayout layout) {
      return layout.bits() - Long.SIZE;
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      return Sizing.rate(keys, usableBits(layout), layout.probes());
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      Probes within = Probes.within(usableBits(layout));
      return new TableFilter(this, spec, layout, table) {
        @Override
        public boolean put(long hash) {
          int stripe = table.lock(hash);
          try {
            boolean changed = false;
            long probe = hash;
            for (int i = 0; i < layout.probes(); i++) {
              changed |= table.set(within.position(probe));
              probe = Probes.next(probe);
            }
            return changed;
          } finally {
            table.unlock(stripe);
          }
        }

        @Override
        public boolean mightContain(long hash) {
          long probe = hash;
          for (int i = 0; i < layout.probes(); i++) {
            if (!table.get(within.position(probe))) {
              return false;
            }
            probe = Probes.next(probe);
          }
          return true;
        }

        @Override
        public FilterStats stats() {
          return withBits(layout, usableBits(layout)).stats(spec, table.countSetBits());
        }
      };
    }
  }

  /** Puts a key into one small block, with a part of the block for each probe. */
  static final class Blocks extends TableProvider {
    private final int blockBits;
    private final int probes;
    private final double minRate;

    /**
     * Makes blocks.
     *
     * @param minRate the lowest rate; below, few probes would take very large tables, and the sum
     *     of the plan is of rounding errors
     */
    Blocks(int blockBits, int probes, double minRate) {
      this.blockBits = blockBits;
      this.probes = probes;
      this.minRate = minRate;
    }

    @Override
    public String variant() {
      return "blocks-of-" + blockBits;
    }

    @Override
    protected TableLayout layoutFor(FilterSpec spec) {
      if (spec.falsePositiveRate() < minRate) {
        throw new IllegalArgumentException("rate must be at least " + minRate + ", but: " + spec);
      }
      double rate = spec.falsePositiveRate() - Sizing.collisionRate(spec.expectedKeys());
      long tooFew = 0;
      long enough = 1;
      while (rate(spec.expectedKeys(), enough) > rate) {
        tooFew = enough;
        enough *= 2;
        if (enough > BitTable.MAX_BITS / blockBits) {
          throw TableLayout.tooLarge(spec, (double) enough * blockBits);
        }
      }
      while (enough - tooFew > 1) {
        long middle = tooFew + (enough - tooFew) / 2;
        if (rate(spec.expectedKeys(), middle) > rate) {
          tooFew = middle;
        } else {
          enough = middle;
        }
      }
      return TableLayout.ofBits(enough * blockBits).withProbes(probes);
    }

    @Override
    protected void checkLayout(TableLayout layout) {
      if (layout.bits() % blockBits != 0 || layout.probes() != probes) {
        throw new IllegalArgumentException("blocks must be whole, but: " + layout);
      }
    }

    @Override
    protected double rate(long keys, TableLayout layout) {
      return rate(keys, layout.bits() / blockBits);
    }

    /** Sums over how many keys a block has, which is binomial; far from the mean is nothing. */
    private double rate(long keys, long blocks) {
      if (blocks == 1) {
        return ofBlock(keys);
      }
      double mean = (double) keys / blocks;
      if (mean > 40.0 * blockBits) {
        return 1;
      }
      long to = (long) Math.min((double) keys, mean + 12 * Math.sqrt(mean + 1) + 12);
      double log = StrictMath.log(1.0 / blocks);
      double logOther = StrictMath.log1p(-1.0 / blocks);
      double rate = 0;
      double inAll = 0;
      double logChance = keys * logOther;
      for (long j = 0; j <= to; j++) {
        double chance = StrictMath.exp(logChance);
        rate += chance * ofBlock(j);
        inAll += chance;
        logChance += StrictMath.log((double) (keys - j) / (j + 1)) + log - logOther;
      }
      return Math.min(1, rate + Math.max(0, 1 - inAll));
    }

    private double ofBlock(long keys) {
      double fill = -StrictMath.expm1(keys * StrictMath.log1p(-(double) probes / blockBits));
      return StrictMath.pow(fill, probes);
    }

    @Override
    protected TableFilter wrap(FilterSpec spec, TableLayout layout, BitTable table) {
      return new BlockFilter(this, spec, layout, table);
    }
  }

  private static final class BlockFilter extends TableFilter {
    private final int blockBits;
    private final int probes;
    private final int part;
    private final long blocks;

    BlockFilter(Blocks provider, FilterSpec spec, TableLayout layout, BitTable table) {
      super(provider, spec, layout, table);
      this.blockBits = provider.blockBits;
      this.probes = provider.probes;
      this.part = blockBits / probes;
      this.blocks = layout.bits() / blockBits;
    }

    private long bit(long block, long hash, int i) {
      return block * blockBits
          + (long) i * part
          + Long.remainderUnsigned(mixed(hash + i + 1), part);
    }

    private long block(long hash) {
      return Probes.within(blocks).position(mixed(hash));
    }

    @Override
    public boolean put(long hash) {
      long block = block(hash);
      int stripe = table().lock(block);
      try {
        boolean changed = false;
        for (int i = 0; i < probes; i++) {
          changed |= table().set(bit(block, hash, i));
        }
        return changed;
      } finally {
        table().unlock(stripe);
      }
    }

    @Override
    public boolean mightContain(long hash) {
      long block = block(hash);
      for (int i = 0; i < probes; i++) {
        if (!table().get(bit(block, hash, i))) {
          return false;
        }
      }
      return true;
    }

    @Override
    public FilterStats stats() {
      double rate = 0;
      long set = 0;
      for (long block = 0; block < blocks; block++) {
        double found = 1;
        for (int i = 0; i < probes; i++) {
          long begin = block * blockBits + (long) i * part;
          int ofPart = 0;
          for (long bit = begin; bit < begin + part; bit++) {
            ofPart += table().get(bit) ? 1 : 0;
          }
          set += ofPart;
          found *= (double) ofPart / part;
        }
        rate += found;
      }
      long bits = blocks * part * probes;
      return FilterStats.of(spec())
          .sizeInBits(bits)
          .setBits(set)
          .falsePositiveRate(set == bits ? 1 : rate / blocks)
          .approximateKeys(
              set == bits
                  ? OptionalLong.empty()
                  : OptionalLong.of(Math.round(Sizing.keys(set, bits, probes))))
          .build();
    }
  }
}
