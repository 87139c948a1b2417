package io.bloomery.proof.race;

import io.bloomery.filter.RemovableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A hash is found while others that share its counters are removed. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "it is contained")
@Outcome(expect = Expect.FORBIDDEN, desc = "it is absent for a moment")
@State
public class RemoveBesideQuery {

  private static final long KEPT = 0x9E3779B97F4A7C15L;
  private static final long[] OTHERS = Variant.crowd();

  private final RemovableFilter filter = Variant.removable(1);

  public RemoveBesideQuery() {
    filter.put(KEPT);
    filter.put(KEPT);
    filter.putAll(OTHERS, 0, OTHERS.length);
  }

  @Actor
  public void remove() {
    filter.removeAll(OTHERS, 0, OTHERS.length);
    filter.remove(KEPT);
    filter.put(OTHERS[0]);
  }

  @Actor
  public void query(Z_Result result) {
    result.r1 = filter.mightContain(KEPT);
  }
}
