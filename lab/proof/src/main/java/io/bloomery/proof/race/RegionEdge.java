package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZZ_Result;

/** Two hashes that set bits of one word under different locks are both kept. */
@JCStressTest
@Outcome(
    id = "true, true, true, true",
    expect = Expect.ACCEPTABLE,
    desc = "both were new and are contained")
@Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
@State
public class RegionEdge {

  private static final int KEYS = 2_000;
  private static final long[] HASHES = Variant.neighbours(KEYS);

  private final Filter filter = Variant.filter(KEYS);

  @Actor
  public void one(ZZZZ_Result result) {
    result.r1 = filter.put(HASHES[0]);
  }

  @Actor
  public void two(ZZZZ_Result result) {
    result.r2 = filter.put(HASHES[1]);
  }

  @Arbiter
  public void after(ZZZZ_Result result) {
    result.r3 = filter.mightContain(HASHES[0]);
    result.r4 = filter.mightContain(HASHES[1]);
  }
}
