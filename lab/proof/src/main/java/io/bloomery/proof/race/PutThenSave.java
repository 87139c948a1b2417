package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** What is written after a put has returned contains it. */
@JCStressTest
@Outcome(
    id = {"false, false", "false, true", "true, true"},
    expect = Expect.ACCEPTABLE,
    desc = "a put that had returned is seen")
@Outcome(expect = Expect.FORBIDDEN, desc = "a put that had returned is not seen")
@State
public class PutThenSave {

  private static final long HASH = 0x9E3779B97F4A7C15L;

  private final Filter filter = Variant.filter(1);
  private volatile boolean told;

  @Actor
  public void put() {
    filter.put(HASH);
    told = true;
  }

  @Actor
  public void query(ZZ_Result result) {
    result.r1 = told;
    result.r2 = Variant.saved(filter).mightContain(HASH);
  }
}
