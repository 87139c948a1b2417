package io.bloomery.proof.model;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.scalable.ScalableProvider;
import java.util.HashSet;
import java.util.Set;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;

/** A shared filter for one key that grows by the second. */
@Param(name = "key", gen = IntGen.class, conf = "0:" + (Hashes.SIZE - 1))
public class Grown {

  private static final long[] HASHES = Hashes.distinct(Grown::filter);

  private final Filter filter = filter();

  private static Filter filter() {
    return new ScalableProvider().create(FilterSpec.of(1, 0.01), ThreadMode.SHARED);
  }

  @Operation
  public boolean put(@Param(name = "key") int key) {
    return filter.put(HASHES[key]);
  }

  @Operation
  public boolean mightContain(@Param(name = "key") int key) {
    return filter.mightContain(HASHES[key]);
  }

  /** An exact set. */
  public static final class Model {
    private final Set<Integer> keys = new HashSet<>();

    public boolean put(int key) {
      return keys.add(key);
    }

    public boolean mightContain(int key) {
      return keys.contains(key);
    }
  }
}
