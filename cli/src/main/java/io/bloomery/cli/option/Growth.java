package io.bloomery.cli.option;

import io.bloomery.filter.FilterPlan;

/** Distinguishes filters that grow from those made for a fixed number of keys. */
public final class Growth {

  /** A multiple of the expected keys that would fill any table of bits. */
  private static final int WELL_BEYOND = 1_000;

  private Growth() {}

  /** Returns whether a filter keeps its rate for any number of keys. */
  public static boolean isIn(FilterPlan plan) {
    return plan.falsePositiveRate(WELL_BEYOND * plan.spec().expectedKeys())
        <= plan.spec().falsePositiveRate();
  }
}
