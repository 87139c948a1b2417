package io.bloomery.guard;

import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.Filters;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.guard.DrawnSource.Trouble;
import io.bloomery.hash.KeyHasher;
import io.bloomery.scalable.ScalableProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** The settings of a guard, as drawn. */
final class DrawnGuard {

  private static final List<FilterProvider> PROVIDERS =
      List.copyOf(FilterProviders.installed().all());

  final FilterProvider provider;
  final boolean removes;
  final boolean isShortOfMemory;
  final boolean isKept;
  final double rate;
  private final FilterBuilder<String> filter;
  private final AnswerLimits limits;
  private final GuardBuilder<String, Long> builder;

  /**
   * Draws the settings.
   *
   * @param folder where its filter may live
   */
  DrawnGuard(SplittableRandom random, DrawnSource source, Path folder) {
    FilterProvider any = PROVIDERS.get(random.nextInt(PROVIDERS.size()));
    // One that may be full, often.
    provider = random.nextInt(4) == 0 ? new ScalableProvider() : any;
    removes = RemovableFilter.class.isAssignableFrom(provider.filterType()) && random.nextBoolean();
    isShortOfMemory = random.nextInt(provider instanceof ScalableProvider ? 2 : 3) == 0;
    // So high now and then that keys share most of their counters.
    rate = random.nextInt(4) == 0 ? 0.3 : 0.02;
    int expected = random.nextBoolean() ? 100 + random.nextInt(50) : 1 << random.nextInt(4, 12);
    Filters<String> keys = random.nextBoolean() ? Bloomery.of(slowly(source)) : Bloomery.strings();
    FilterBuilder<String> plain = keys.expect(expected).variant(provider).fpp(rate);
    filter =
        isShortOfMemory
            ? plain.maxBytes(plain.plan().sizeInBits() / 8 * random.nextInt(8, 16) / 8)
            : plain;
    AnswerLimits some =
        AnswerLimits.defaults()
            .values(random.nextInt(3) * 200L, Duration.ofMillis(1 + random.nextInt(50)))
            .absences(random.nextInt(3) * 500L, Duration.ofMinutes(1));
    // Only a load with a time limit can be told from one that hangs for ever.
    Duration timeout = source.has(Trouble.HANGING_LOADS) ? Duration.ofMillis(20) : Guards.LONG;
    limits =
        source.has(Trouble.HANGING_LOADS) || random.nextInt(3) == 0
            ? some.loadTimeout(timeout)
            : some;
    GuardBuilder<String, Long> timed =
        Guard.builder(filter, source)
            .name("campaign")
            .answers(limits)
            .pause(Duration.ofMillis(5 + random.nextInt(100)))
            .patience(
                source.has(Trouble.HANGING_KEYS) ? Duration.ofMillis(50) : Duration.ofMinutes(2));
    GuardBuilder<String, Long> scheduled =
        random.nextBoolean()
            ? timed.rebuildEvery(Duration.ofMillis(5 + random.nextInt(50)))
            : timed;
    isKept = provider.liveLayout(FilterSpec.of(expected, rate)).isPresent() && random.nextBoolean();
    builder = removes ? scheduled.removeDeleted() : isKept ? scheduled.liveIn(folder) : scheduled;
  }

  /** Returns a hasher that takes its time now and then, as long as a rebuild needs to end. */
  private static KeyHasher<String> slowly(DrawnSource source) {
    return new KeyHasher<>() {
      @Override
      public String id() {
        return "slow";
      }

      @Override
      public long hash(String key) {
        source.hash();
        return KeyHasher.strings().hash(key);
      }
    };
  }

  Guard<String, Long> build(WriteBarrier barrier) {
    return builder.build(barrier);
  }

  /** Returns filters for a read-only guard. */
  FilterBuilder<String> filter() {
    return filter;
  }

  AnswerLimits limits() {
    return limits;
  }

  @Override
  public String toString() {
    return provider.variant()
        + " at "
        + rate
        + (removes ? " that removes" : "")
        + (isKept ? " in a folder" : "")
        + (isShortOfMemory ? " short of memory" : "")
        + ", "
        + limits;
  }
}
