package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Puts of two threads are kept, also while the filter grows. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are contained")
@Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
@State
public class PutsAtGrowth {

  private static final long[] HASHES = Variant.untilGrowth();

  private final Filter filter = Variant.filter(1);

  public PutsAtGrowth() {
    filter.putAll(HASHES, 0, HASHES.length - 2);
  }

  @Actor
  public void one() {
    filter.put(HASHES[HASHES.length - 2]);
  }

  @Actor
  public void two() {
    filter.put(HASHES[HASHES.length - 1]);
  }

  @Arbiter
  public void after(ZZ_Result result) {
    result.r1 = filter.mightContain(HASHES[HASHES.length - 2]);
    result.r2 = filter.mightContain(HASHES[HASHES.length - 1]);
  }
}
