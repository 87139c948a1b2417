package io.bloomery.counting;

import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.MappedTable;
import java.io.IOException;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The counts of all blocks in the payload of {@code counting}: {@link PackedCounts}, whose second
 * field is the number of planes if the block is spilled.
 */
final class UnaryRecords implements CounterFormat.Records {

  private final CountingLayout layout;
  private final LongUnaryOperator present;
  private final LongUnaryOperator counts;
  private final long mask;

  /**
   * Creates records.
   *
   * @param present returns a word that queries read, by its index
   * @param counts returns an int of the counts, by its index, as a long that is not negative
   */
  private UnaryRecords(CountingLayout layout, LongUnaryOperator present, LongUnaryOperator counts) {
    this.layout = layout;
    this.present = present;
    this.counts = counts;
    this.mask = PackedCounts.mask(layout.countBits());
  }

  /** Reads counters, and rejects every payload that {@link Counters} would not have written. */
  static Counters read(CountingLayout layout, PayloadInput in, FilterLimits limits, int stripes)
      throws IOException {
    CounterFormat.begin(layout, in);
    BitTable present = BitTable.read(layout.bits(), in, ThreadMode.CONFINED);
    int[] counts = in.readInts((long) layout.blocks() * layout.countInts());
    Counters counters = new Counters(layout, present, counts, limits, stripes);
    format(layout, i -> present.sharedWords()[(int) i], i -> counts[(int) i] & 0xffff_ffffL, in)
        .restore(counters);
    return counters;
  }

  /** Checks a payload without storing it. */
  static void check(CountingLayout layout, PayloadInput in) throws IOException {
    CounterFormat.checkSize(layout, in);
    MappedTable present = MappedTable.map(layout.bits(), in);
    LongUnaryOperator counts =
        CounterFormat.mapInts((long) layout.blocks() * layout.countInts(), in);
    format(layout, present::word, counts, in).check();
  }

  private static CounterFormat format(
      CountingLayout layout, LongUnaryOperator present, LongUnaryOperator counts, PayloadInput in) {
    return new CounterFormat(layout, present, new UnaryRecords(layout, present, counts), in);
  }

  private long first(int block) {
    return pair((long) block * layout.countInts()) & mask;
  }

  private long second(int block) {
    return pair((block + 1L) * layout.countInts() - 2) >>> -layout.countBits();
  }

  private long pair(long index) {
    return counts.applyAsLong(index) | counts.applyAsLong(index + 1) << Integer.SIZE;
  }

  @Override
  public boolean isSpilled(int block) {
    return first(block) == mask;
  }

  @Override
  public long planes(int block) {
    return second(block);
  }

  @Override
  public @Nullable String unsound(int block) {
    if (isSpilled(block)) {
      return null;
    }
    String reason = unsound(2L * block, first(block));
    return reason != null ? reason : unsound(2L * block + 1, second(block));
  }

  private @Nullable String unsound(long word, long field) {
    return UnaryCounts.isSound(present.applyAsLong(word), field, layout.countBits())
        ? null
        : "counts must be of the positions that are present and nothing else, but those of word "
            + word
            + " are not";
  }

  @Override
  public boolean fit(int block, long[] planes) {
    return Planes.fit(planes, 0, present.applyAsLong(2L * block), layout.countBits())
        && Planes.fit(planes, 1, present.applyAsLong(2L * block + 1), layout.countBits());
  }
}
