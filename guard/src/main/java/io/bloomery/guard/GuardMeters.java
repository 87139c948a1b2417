package io.bloomery.guard;

import io.bloomery.filter.FilterStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Micrometer meters of a guard, bound by {@code new GuardMeters(guard).bindTo(registry)}. All have
 * the tag {@code guard} with the name of the guard, which must therefore be its own; docs/guard.md
 * lists them. They read statistics that the guard keeps anyway; no filter is scanned for them.
 * Micrometer is an optional dependency and must be present.
 */
@SuppressWarnings("exports") // of Micrometer, an optional dependency
public final class GuardMeters implements MeterBinder {

  private final GuardView<?, ?> guard;

  /**
   * Creates meters of a guard. Registries that they are bound to reference the guard weakly, so
   * that its meters do not keep a guard from being collected; this object references it strongly,
   * and need not be kept after {@link #bindTo}. Once a guard is collected, its gauges are NaN, and
   * its counters stay as they are.
   */
  public GuardMeters(GuardView<?, ?> guard) {
    this.guard = Objects.requireNonNull(guard, "guard must not be null");
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    Tags tags = Tags.of("guard", guard.name());
    lookups(registry, tags, "absent", GuardStats::absent);
    lookups(registry, tags, "maybe", GuardStats::maybe);
    lookups(registry, tags, "unfiltered", GuardStats::withoutFilter);
    count(registry, tags, "bloom.guard.known.absent", GuardStats::knownAbsent);
    count(registry, tags, "bloom.guard.cached", GuardStats::cached);
    count(registry, tags, "bloom.guard.loads", GuardStats::loads);
    count(registry, tags, "bloom.guard.load.failures", GuardStats::loadFailures);
    count(registry, tags, "bloom.guard.rebuilds", GuardStats::rebuilds);
    count(registry, tags, "bloom.guard.rebuild.failures", GuardStats::rebuildFailures);
    filter(registry, tags, "bloom.filter.fill", FilterStats::fill);
    filter(registry, tags, "bloom.filter.fpp.estimated", FilterStats::falsePositiveRate);
    filter(
        registry,
        tags,
        "bloom.filter.keys.estimated",
        stats -> stats.approximateKeys().orElse(stats.expectedKeys()));
    filter(registry, tags, "bloom.filter.keys.expected", FilterStats::expectedKeys);
    filter(registry, tags, "bloom.filter.size.bytes", stats -> stats.sizeInBits() / 8.0);
    gauge(
        registry,
        tags,
        "bloom.filter.fpp.measured",
        stats -> stats.measuredRate().map(MeasuredRate::rate).orElse(Double.NaN));
    gauge(registry, tags, "bloom.guard.known.absences", GuardStats::knownAbsences);
    gauge(registry, tags, "bloom.guard.generation", GuardStats::generation);
    TimeGauge.builder(
            "bloom.guard.age", guard, TimeUnit.SECONDS, any -> any.stats().age().toSeconds())
        .tags(tags)
        .register(registry);
    for (GuardState state : GuardState.values()) {
      gauge(
          registry,
          tags.and("state", state.name().toLowerCase(Locale.ROOT)),
          "bloom.guard.state",
          stats -> stats.state() == state ? 1 : 0);
    }
  }

  private void lookups(
      MeterRegistry registry, Tags tags, String result, ToDoubleFunction<GuardStats> count) {
    count(registry, tags.and("result", result), "bloom.filter.lookups", count);
  }

  private void count(
      MeterRegistry registry, Tags tags, String name, ToDoubleFunction<GuardStats> count) {
    FunctionCounter.builder(name, guard, any -> count.applyAsDouble(any.stats()))
        .tags(tags)
        .register(registry);
  }

  private void gauge(
      MeterRegistry registry, Tags tags, String name, ToDoubleFunction<GuardStats> value) {
    Gauge.builder(name, guard, any -> value.applyAsDouble(any.stats()))
        .tags(tags)
        .register(registry);
  }

  // NaN while no filter serves, or it has no such number.
  private void filter(
      MeterRegistry registry, Tags tags, String name, ToDoubleFunction<FilterStats> value) {
    gauge(
        registry, tags, name, stats -> stats.filter().map(value::applyAsDouble).orElse(Double.NaN));
  }
}
