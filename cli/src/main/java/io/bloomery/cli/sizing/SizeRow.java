package io.bloomery.cli.sizing;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterPlan;

/**
 * What one variant answers to a request.
 *
 * @param variant its name
 * @param plan what it would build, or null if it cannot
 * @param refusal why it cannot, or null if it can
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

  /** Returns the rate at so many times the keys that the filter is made for. */
  double rate(long times) {
    return plan.falsePositiveRate(Math.min(keys(), Long.MAX_VALUE / times) * times);
  }

  /** Returns what the variant says of the filter. */
  FilterDescription description() {
    return plan.description();
  }
}
