package io.bloomery.cli.option;

import io.bloomery.filter.FilterPlan;

/** Tells filters that grow from those that are made for a number of keys. */
public final class Growth {

  /** So many times the expected keys would fill any table of bits. */
  private static final int WELL_BEYOND = 1_000;

  private Growth() {}

  /** Returns whether a filter keeps its rate however many keys it was planned for. */
  public static boolean isIn(FilterPlan plan) {
    return plan.falsePositiveRate(WELL_BEYOND * plan.spec().expectedKeys())
        <= plan.spec().falsePositiveRate();
  }
}
