package io.bloomery.conformance.broken;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A filter that grows with one drawn fault, and right in all else. */
public final class FaultyGrowth extends GrowingReference {

  private final GrowthFault.Drawn drawn;
  private final boolean isInWindow;
  private boolean hasLost;
  private long repeated;

  public FaultyGrowth(Shape shape, GrowthFault.Drawn drawn) {
    super(shape);
    this.drawn = drawn;
    this.isInWindow = drawn.fault() != null && drawn.window().has(shape.spec(), 1);
  }

  private boolean is(GrowthFault wanted) {
    return isInWindow && drawn.fault() == wanted && layers().size() >= drawn.layers();
  }

  @Override
  public synchronized boolean put(long hash) {
    if (is(GrowthFault.GROWTH_LOSES_THE_OLDEST) && !hasLost) {
      hasLost = true;
      forgetOldest();
    }
    if (is(GrowthFault.REPEATED_PUTS_COUNT) && mightContain(hash)) {
      if (++repeated % 16 == 0) {
        if (isFull()) {
          grow();
        }
        Layer newest = layers().get(layers().size() - 1);
        replaceNewest(new Layer(newest.filter(), newest.keys() + 1));
      }
      return false;
    }
    if (is(GrowthFault.LAYERS_TAKE_TWICE_THE_KEYS) && !mightContain(hash)) {
      Layer newest = layers().get(layers().size() - 1);
      boolean isEven = (repeated++ & 1) == 0;
      if (isEven && newest.keys() > 0) {
        // Counts every other key only.
        replaceNewest(new Layer(newest.filter(), newest.keys() - 1));
      }
    }
    boolean changed = super.put(hash);
    if (!changed) {
      return is(GrowthFault.SAYS_NEW_OF_WHAT_IS_THERE);
    }
    return !is(GrowthFault.SAYS_OLD_OF_WHAT_IS_NEW);
  }

  @Override
  List<Layer> queried() {
    List<Layer> all = layers();
    return is(GrowthFault.QUERY_LEAVES_OUT_A_LAYER) ? all.subList(1, all.size()) : all;
  }

  @Override
  public synchronized FilterStats stats() {
    FilterStats stats = super.stats();
    return is(GrowthFault.STATS_LEAVE_OUT_A_LAYER) && stats.approximateKeys().isPresent()
        ? stats.toBuilder()
            .approximateKeys(OptionalLong.of(stats.approximateKeys().getAsLong() / 2))
            .build()
        : stats;
  }

  @Override
  public synchronized Filter copy() {
    FaultyGrowth copy = (FaultyGrowth) super.copy();
    copy.hasLost = hasLost;
    copy.repeated = repeated;
    Layer newest = layers().get(layers().size() - 1);
    if (is(GrowthFault.COPY_LOSES_THE_NEWEST)) {
      Filter empty = newest.filter().copy();
      empty.clear();
      copy.replaceNewest(new Layer(empty, newest.keys()));
    } else if (is(GrowthFault.COPY_SHARES_THE_NEWEST)) {
      copy.replaceNewest(newest);
    }
    return copy;
  }

  @Override
  public synchronized void clear() {
    if (is(GrowthFault.CLEAR_LEAVES_LAYERS)) {
      List<Layer> left = new ArrayList<>();
      for (Layer layer : layers()) {
        layer.filter().clear();
        left.add(new Layer(layer.filter(), 0));
      }
      replaceNewest(left.get(left.size() - 1));
    } else {
      super.clear();
    }
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    List<Layer> all = layers();
    Layer newest = all.get(all.size() - 1);
    if (is(GrowthFault.WRITE_LOSES_THE_NEWEST)) {
      Filter empty = newest.filter().copy();
      empty.clear();
      write(with(all.subList(0, all.size() - 1), new Layer(empty, newest.keys())), out);
    } else {
      super.writePayload(out);
    }
  }
}
