package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/** A filter that another thread finds by a plain field contains what was put before. */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "not found yet, or with its hash")
@Outcome(expect = Expect.FORBIDDEN, desc = "found without its hash")
@State
public class PlainPublication {

  private static final long HASH = 0x9E3779B97F4A7C15L;

  private @Nullable Filter published;

  @Actor
  public void publish() {
    Filter filter = Variant.filter(1);
    filter.put(HASH);
    published = filter;
  }

  @Actor
  public void query(Z_Result result) {
    Filter filter = published;
    result.r1 = filter == null || filter.mightContain(HASH);
  }
}
