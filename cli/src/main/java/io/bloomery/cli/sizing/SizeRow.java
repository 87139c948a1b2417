package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.StaticFilterProvider;
import java.util.OptionalDouble;

/**
 * The result of a request for one variant.
 *
 * @param variant the name of the variant
 * @param plan the planned filter, or null if it is not possible
 * @param isBuiltOnce whether it takes no more than the expected keys
 * @param refusal why it is not possible, or null if it is
 */
public record SizeRow(String variant, FilterPlan plan, boolean isBuiltOnce, String refusal) {

  public static SizeRow of(SizeRequest request, Bloomery bloomery, String variant) {
    boolean isBuiltOnce = bloomery.providers().variant(variant) instanceof StaticFilterProvider;
    try {
      return new SizeRow(variant, request.plan(bloomery, variant), isBuiltOnce, null);
    } catch (IllegalArgumentException e) {
      return new SizeRow(variant, null, isBuiltOnce, e.getMessage());
    }
  }

  boolean isPossible() {
    return plan != null;
  }

  long keys() {
    return plan.spec().expectedKeys();
  }

  long bytes() {
    return plan.sizeInBits() / Byte.SIZE;
  }

  /** Returns the rate at the expected keys. */
  double rate() {
    return plan.falsePositiveRate(keys());
  }

  /** Returns the rate at twice the expected keys, or empty if no filter has so many. */
  OptionalDouble rateAtTwice() {
    return isBuiltOnce
        ? OptionalDouble.empty()
        : OptionalDouble.of(plan.falsePositiveRate(Math.min(keys(), Long.MAX_VALUE / 2) * 2));
  }

  /** Returns the variant's description of the filter. */
  FilterDescription description() {
    return plan.description();
  }
}
