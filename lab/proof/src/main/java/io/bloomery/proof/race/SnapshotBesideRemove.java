package io.bloomery.proof.race;

import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.Z_Result;

/**
 * A copy, what is saved, and what is merged beside removals and puts have the counts of one moment.
 */
@JCStressTest
@Outcome(id = "true", expect = Expect.ACCEPTABLE, desc = "the counts of one moment")
@Outcome(expect = Expect.FORBIDDEN, desc = "counts that there never were")
@State
public class SnapshotBesideRemove {

  private static final int KINDS = 3;
  private static final long[] OTHERS = Variant.crowd();
  private static final byte[][][] MOMENTS = moments();

  private final RemovableFilter filter = full();
  private final int kind = ThreadLocalRandom.current().nextInt(KINDS);

  /** Returns a filter all hashes of which share a lock. */
  private static RemovableFilter full() {
    RemovableFilter filter = Variant.removable(1);
    filter.putAll(OTHERS, 0, OTHERS.length);
    return filter;
  }

  /** Returns all snapshots of each kind that there are between two steps. */
  private static byte[][][] moments() {
    byte[][][] moments = new byte[KINDS][2 * OTHERS.length + 1][];
    for (int kind = 0; kind < KINDS; kind++) {
      RemovableFilter filter = full();
      moments[kind][0] = snapshot(filter, kind);
      for (int i = 0; i < 2 * OTHERS.length; i++) {
        step(filter, i);
        moments[kind][i + 1] = snapshot(filter, kind);
      }
    }
    return moments;
  }

  /** Removes a hash, or puts one once all are removed. */
  private static void step(RemovableFilter filter, int i) {
    if (i < OTHERS.length) {
      filter.remove(OTHERS[i]);
    } else {
      filter.put(OTHERS[i - OTHERS.length]);
    }
  }

  private static byte[] snapshot(Filter filter, int kind) {
    if (kind == 0) {
      return Variant.bytes(filter.copy());
    }
    if (kind == 1) {
      return Variant.bytes(filter);
    }
    MergeableFilter into = Variant.mergeable(1);
    into.putAll(filter);
    return Variant.bytes(into);
  }

  @Actor
  public void change() {
    for (int i = 0; i < 2 * OTHERS.length; i++) {
      step(filter, i);
    }
  }

  @Actor
  public void look(Z_Result result) {
    byte[] seen = snapshot(filter, kind);
    result.r1 = Arrays.stream(MOMENTS[kind]).anyMatch(moment -> Arrays.equals(moment, seen));
  }
}
