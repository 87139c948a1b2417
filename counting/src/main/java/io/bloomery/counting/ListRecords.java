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
 * The counts of all blocks in the payload of {@code counting-fast}: which are at least 2, and for
 * each block a sorted {@link CountList}, or its number of planes if it is spilled.
 */
final class ListRecords implements CounterFormat.Records {

  private final LongUnaryOperator present;
  private final LongUnaryOperator twice;
  private final LongUnaryOperator lists;

  /** Creates records of words, and of lists as longs that are not negative. */
  private ListRecords(LongUnaryOperator present, LongUnaryOperator twice, LongUnaryOperator lists) {
    this.present = present;
    this.twice = twice;
    this.lists = lists;
  }

  /** Reads counters, and rejects every payload that {@link FastCounters} would not have written. */
  static FastCounters read(CountingLayout layout, PayloadInput in, FilterLimits limits, int stripes)
      throws IOException {
    CounterFormat.begin(layout, in);
    BitTable present = BitTable.read(layout.bits(), in, ThreadMode.CONFINED);
    BitTable twice = BitTable.read(layout.bits(), in, ThreadMode.CONFINED);
    int[] lists = in.readInts(layout.blocks());
    SpilledStripes spilled = new SpilledStripes(new SpillRoom(limits, layout), stripes);
    FastCounters counters = new FastCounters(layout, present, twice, lists, spilled);
    format(
            layout,
            i -> present.sharedWords()[(int) i],
            i -> twice.sharedWords()[(int) i],
            i -> lists[(int) i] & 0xffff_ffffL,
            in)
        .restore(counters);
    return counters;
  }

  /** Checks a payload without storing it. */
  static void check(CountingLayout layout, PayloadInput in) throws IOException {
    CounterFormat.checkSize(layout, in);
    MappedTable present = MappedTable.map(layout.bits(), in);
    MappedTable twice = MappedTable.map(layout.bits(), in);
    LongUnaryOperator lists = CounterFormat.mapInts(layout.blocks(), in);
    format(layout, present::word, twice::word, lists, in).check();
  }

  private static CounterFormat format(
      CountingLayout layout,
      LongUnaryOperator present,
      LongUnaryOperator twice,
      LongUnaryOperator lists,
      PayloadInput in) {
    return new CounterFormat(layout, present, new ListRecords(present, twice, lists), in);
  }

  private int list(int block) {
    return (int) lists.applyAsLong(block);
  }

  @Override
  public boolean isSpilled(int block) {
    return CountList.isSpilled(list(block));
  }

  @Override
  public long planes(int block) {
    return CountList.number(list(block));
  }

  @Override
  public @Nullable String unsound(int block) {
    long twice0 = twice.applyAsLong(2L * block);
    long twice1 = twice.applyAsLong(2L * block + 1);
    if (isSpilled(block)) {
      return (twice0 & twice1) == -1
          ? null
          : "all positions of a spilled block must be marked as counted twice, but one of block "
              + block
              + " is not";
    }
    long absent0 = ~present.applyAsLong(2L * block);
    long absent1 = ~present.applyAsLong(2L * block + 1);
    if (((twice0 & absent0) | (twice1 & absent1)) != 0) {
      return "a position must be present to be counted twice, but one of block "
          + block
          + " is not";
    }
    return CountList.isSound(list(block), twice0, twice1)
        ? null
        : "entries must be at most "
            + CountList.MAX
            + " positions in ascending order that are counted twice, and nothing behind them, but"
            + " those of block "
            + block
            + " are not";
  }

  @Override
  public boolean fit(int block, long[] planes) {
    return Planes.fitList(planes);
  }
}
