package io.bloomery;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.Sizing;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plans filters that fit into a number of bytes: see {@link Filters#within}. Immutable. */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class FilterBudget {

  private final FilterProviders providers;
  private final FilterLimits limits;
  private final @Nullable VariantProvider provider; // null if not set

  FilterBudget(FilterProviders providers, FilterLimits limits) {
    this(providers, limits, null);
  }

  private FilterBudget(
      FilterProviders providers, FilterLimits limits, @Nullable VariantProvider provider) {
    this.providers = providers;
    this.limits = limits;
    this.provider = provider;
  }

  /** Sets the variant; the default is {@value FilterBuilder#DEFAULT_VARIANT}. */
  public FilterBudget variant(String name) {
    return variant(providers.variant(name));
  }

  /** Sets the variant by its provider, which need not be installed. */
  public FilterBudget variant(VariantProvider other) {
    return new FilterBudget(providers, limits, Objects.requireNonNull(other, "provider"));
  }

  /**
   * Plans the filter with the lowest false-positive probability for a number of keys.
   *
   * @param keys the expected number of distinct keys, at least 1
   * @throws IllegalArgumentException if the keys do not fit at any false-positive probability
   */
  public FilterPlan lowestFpp(long keys) {
    return Budget.lowestRate(provider(), FilterBuilder.checkedKeys(keys), limits.maxBytes());
  }

  /**
   * Plans the filter for the largest number of keys at a false-positive probability.
   *
   * @param falsePositiveRate between 0 and 1, exclusive
   * @throws IllegalArgumentException if not even one key fits
   */
  public FilterPlan maxKeys(double falsePositiveRate) {
    Sizing.checkRate(falsePositiveRate);
    return Budget.maxKeys(provider(), falsePositiveRate, limits.maxBytes());
  }

  private VariantProvider provider() {
    return provider == null ? providers.variant(FilterBuilder.DEFAULT_VARIANT) : provider;
  }
}
