package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * Of two threads that put one hash exactly one is told that it was new, also while the filter
 * grows.
 */
@JCStressTest
@Outcome(
    id = {"true, false", "false, true"},
    expect = Expect.ACCEPTABLE,
    desc = "one was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "both were first, or none")
@State
public class EqualPutsAtGrowth {

  private static final long[] HASHES = Variant.untilGrowth();

  private final Filter filter = Variant.filter(1);

  public EqualPutsAtGrowth() {
    filter.putAll(HASHES, 0, HASHES.length - 2);
  }

  @Actor
  public void one(ZZ_Result result) {
    result.r1 = filter.put(HASHES[HASHES.length - 2]);
  }

  @Actor
  public void two(ZZ_Result result) {
    result.r2 = filter.put(HASHES[HASHES.length - 2]);
  }
}
