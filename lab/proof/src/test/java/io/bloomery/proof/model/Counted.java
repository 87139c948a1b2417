package io.bloomery.proof.model;

import io.bloomery.counting.CountingProvider;
import io.bloomery.counting.FastCountingProvider;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A shared counting filter of one block, in which all hashes share counters. */
@Param(name = "key", gen = IntGen.class, conf = "0:" + (Hashes.SIZE - 1))
public class Counted {

  private final RemovableFilter filter;
  private final long[] hashes;

  Counted(FilterProvider provider, long[] hashes) {
    this.filter = filter(provider);
    this.hashes = hashes;
  }

  private static RemovableFilter filter(FilterProvider provider) {
    return (RemovableFilter) provider.create(FilterSpec.of(1, 0.01), ThreadMode.SHARED);
  }

  @Operation
  public boolean put(@Param(name = "key") int key) {
    return filter.put(hashes[key]);
  }

  @Operation
  public boolean remove(@Param(name = "key") int key) {
    return filter.remove(hashes[key]);
  }

  @Operation
  public boolean mightContain(@Param(name = "key") int key) {
    return filter.mightContain(hashes[key]);
  }

  @Operation
  public long approximateCount(@Param(name = "key") int key) {
    return filter.approximateCount(hashes[key]);
  }

  /** {@code CountingFilter}. */
  public static final class Packed extends Counted {
    private static final FilterProvider PROVIDER = new CountingProvider();
    private static final long[] HASHES = Hashes.distinct(() -> filter(PROVIDER));

    public Packed() {
      super(PROVIDER, HASHES);
    }
  }

  /** {@code FastCountingFilter}. */
  public static final class Fast extends Counted {
    private static final FilterProvider PROVIDER = new FastCountingProvider();
    private static final long[] HASHES = Hashes.distinct(() -> filter(PROVIDER));

    public Fast() {
      super(PROVIDER, HASHES);
    }
  }

  /** Exact counts. */
  public static final class Model {
    private final long[] counts = new long[Hashes.SIZE];

    public boolean put(int key) {
      return counts[key]++ == 0;
    }

    public boolean remove(int key) {
      if (counts[key] == 0) {
        return false;
      }
      counts[key]--;
      return true;
    }

    public boolean mightContain(int key) {
      return counts[key] != 0;
    }

    public long approximateCount(int key) {
      return counts[key];
    }
  }
}
