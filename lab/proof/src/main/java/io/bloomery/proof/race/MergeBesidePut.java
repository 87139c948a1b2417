package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A put and a merge into one filter at the same time are both kept. */
@JCStressTest
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "both are contained")
@Outcome(expect = Expect.FORBIDDEN, desc = "one is lost")
@State
public class MergeBesidePut {

  private static final int KEYS = 2_000;
  private static final long[] HASHES = Variant.neighbours(KEYS);
  private static final Filter OTHER = Variant.filter(KEYS);

  static {
    OTHER.put(HASHES[0]);
  }

  private final MergeableFilter filter = Variant.mergeable(KEYS);

  @Actor
  public void merge() {
    filter.putAll(OTHER);
  }

  @Actor
  public void put() {
    filter.put(HASHES[1]);
  }

  @Arbiter
  public void after(ZZ_Result result) {
    result.r1 = filter.mightContain(HASHES[0]);
    result.r2 = filter.mightContain(HASHES[1]);
  }
}
