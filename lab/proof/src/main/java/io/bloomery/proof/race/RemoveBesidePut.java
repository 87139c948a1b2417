package io.bloomery.proof.race;

import io.bloomery.filter.RemovableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZZ_Result;

/** Puts and removals of two threads leave what is left. */
@JCStressTest
@Outcome(
    id = "true, true, true",
    expect = Expect.ACCEPTABLE,
    desc = "as many removals as puts leave it empty")
@Outcome(expect = Expect.FORBIDDEN, desc = "a count is wrong")
@State
public class RemoveBesidePut {

  private static final long ONE = 0x9E3779B97F4A7C15L;
  private static final long[] OTHERS = Variant.crowd();

  private final RemovableFilter filter = Variant.removable(1);

  public RemoveBesidePut() {
    filter.put(ONE);
  }

  @Actor
  public void put() {
    filter.putAll(OTHERS, 0, OTHERS.length);
    filter.put(ONE);
  }

  @Actor
  public void remove(ZZZ_Result result) {
    result.r1 = filter.remove(ONE);
  }

  @Arbiter
  public void after(ZZZ_Result result) {
    result.r2 =
        filter.mightContain(ONE)
            && filter.select(OTHERS, 0, OTHERS.length, new int[OTHERS.length]) == OTHERS.length;
    filter.remove(ONE);
    filter.removeAll(OTHERS, 0, OTHERS.length);
    result.r3 = filter.stats().setBits() == 0;
  }
}
