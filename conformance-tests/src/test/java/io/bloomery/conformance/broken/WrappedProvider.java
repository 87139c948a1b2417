package io.bloomery.conformance.broken;

import io.bloomery.conformance.broken.WrappedFilter.Habit;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.io.IOException;
import java.util.function.Function;
import java.util.stream.Stream;

/** Makes right filters of another provider, whose calls are made by habits within a window. */
public class WrappedProvider implements FilterProvider {

  final FilterProvider inner;
  private final FaultWindow window;
  private final Function<FilterSpec, Habit> habits;
  private final Class<? extends Filter> type;

  WrappedProvider(FilterProvider inner, FaultWindow window, Function<FilterSpec, Habit> habits) {
    this.inner = inner;
    this.window = window;
    this.habits = habits;
    this.type = WrappedFilter.type(inner.create(FilterSpec.of(1, 0.5), ThreadMode.SHARED));
  }

  /** What is wrapped. */
  enum Kind {
    STANDARD(new StandardProvider()),
    COUNTING(new CountingReference.Provider(CountingReference::new)),
    GROWING(new GrowingReference.Provider(GrowingReference::new)),
    /** Grows up to a few layers. */
    FULL(
        new GrowingReference.Provider(
            shape ->
                new GrowingReference(shape) {
                  @Override
                  protected void checkRoom(long bytes) {
                    super.checkRoom(bytes);
                    if (layers().size() >= 3) {
                      throw new FilterFullException("three layers are full; create a larger one");
                    }
                  }
                }));

    @SuppressWarnings("ImmutableEnumChecker") // makes filters, and keeps nothing
    final FilterProvider provider;

    Kind(FilterProvider provider) {
      this.provider = provider;
    }
  }

  /** Returns a provider of each kind without a fault. */
  public static Stream<FilterProvider> right() {
    return Stream.of(Kind.values())
        .map(
            kind ->
                new WrappedProvider(kind.provider, FaultWindow.EVERYWHERE, spec -> new Habit()));
  }

  Habit habit(FilterSpec spec) {
    return habits.apply(spec);
  }

  boolean isInWindow(WrappedFilter filter) {
    return window.has(filter.inner.spec(), bytes(filter.inner))
        && window.has(filter.inner, filter, 0);
  }

  /** Returns the bytes that as many bits would take, whatever is kept for each. */
  private static long bytes(Filter filter) {
    return filter instanceof CountingReference
        ? filter.payloadSize() / Integer.SIZE
        : filter.payloadSize();
  }

  private Filter wrap(Filter filter, ThreadMode mode) {
    return WrappedFilter.of(this, filter, mode, habit(filter.spec()));
  }

  @Override
  public String variant() {
    return inner.variant();
  }

  @Override
  public Class<? extends Filter> filterType() {
    return type;
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return inner.plan(spec);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    return wrap(inner.create(spec, mode, limits), mode);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    WrappedFilter read = (WrappedFilter) wrap(inner.read(spec, layout, in, mode, limits), mode);
    read.remember(Step.READ);
    return read;
  }
}
