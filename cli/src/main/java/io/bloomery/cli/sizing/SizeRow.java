package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;

/**
 * The result of a request for one variant.
 *
 * @param variant the name of the variant
 * @param plan the planned filter, or null if it is not possible
 * @param refusal why it is not possible, or null if it is
 */
public record SizeRow(String variant, FilterPlan plan, String refusal) {

  public static SizeRow of(SizeRequest request, Bloomery bloomery, String variant) {
    try {
      return new SizeRow(variant, request.plan(bloomery, variant), null);
    } catch (IllegalArgumentException e) {
      return new SizeRow(variant, null, e.getMessage());
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

  /** Returns the rate at a multiple of the expected keys. */
  double rate(long times) {
    return plan.falsePositiveRate(Math.min(keys(), Long.MAX_VALUE / times) * times);
  }

  /** Returns the variant's description of the filter. */
  FilterDescription description() {
    return plan.description();
  }
}
