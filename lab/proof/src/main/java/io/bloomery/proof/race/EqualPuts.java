package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Of two threads that put one hash exactly one is told that it was new. */
@JCStressTest
@Outcome(
    id = {"true, false", "false, true"},
    expect = Expect.ACCEPTABLE,
    desc = "one was first")
@Outcome(expect = Expect.FORBIDDEN, desc = "both were first, or none")
@State
public class EqualPuts {

  private static final long HASH = 0x9E3779B97F4A7C15L;

  private final Filter filter = Variant.filter(1);

  @Actor
  public void one(ZZ_Result result) {
    result.r1 = filter.put(HASH);
  }

  @Actor
  public void two(ZZ_Result result) {
    result.r2 = filter.put(HASH);
  }
}
