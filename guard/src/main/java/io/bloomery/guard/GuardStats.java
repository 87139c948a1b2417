package io.bloomery.guard;

import io.bloomery.filter.FilterStats;
import java.time.Duration;
import java.util.Optional;

/** What a guard knows of itself at one moment. Counts are since it was made. */
public final class GuardStats {

  private final GuardState state;
  private final long absent;
  private final long maybe;
  private final long withoutFilter;
  private final long knownAbsent;
  private final long cached;
  private final long loads;
  private final long loadFailures;
  private final long knownAbsences;
  private final MeasuredRate rate;
  private final Optional<FilterStats> filter;
  private final long generation;
  private final Duration age;
  private final long rebuilds;
  private final long rebuildFailures;
  private final Optional<String> lastError;

  private GuardStats(
      GuardState state,
      Lookup<?, ?> lookup,
      Generations<?> generations,
      long rebuilds,
      long rebuildFailures,
      Optional<String> lastError) {
    Generation<?> serving = generations.serving();
    Counts counts = lookup.counts();
    this.state = state;
    this.absent = counts.absent.sum();
    this.maybe = counts.maybe.sum();
    this.withoutFilter = counts.withoutFilter.sum();
    this.knownAbsent = counts.knownAbsent.sum();
    this.cached = counts.cached.sum();
    this.loads = counts.loads.sum();
    this.loadFailures = counts.loadFailures.sum();
    this.knownAbsences = lookup.knownAbsences();
    this.rate = serving == null ? new MeasuredRate(0, 0) : serving.rate();
    this.filter = serving == null ? Optional.empty() : serving.measurement().last();
    this.generation = generations.number();
    this.age =
        serving == null
            ? Duration.ZERO
            : Duration.ofNanos(System.nanoTime() - serving.startNanos());
    this.rebuilds = rebuilds;
    this.rebuildFailures = rebuildFailures;
    this.lastError = lastError;
  }

  static GuardStats of(
      GuardState state, Lookup<?, ?> lookup, Generations<?> generations, Rebuilds<?> rebuilds) {
    return new GuardStats(
        state, lookup, generations, rebuilds.completed(), rebuilds.failed(), rebuilds.lastError());
  }

  static GuardStats readOnly(GuardState state, Lookup<?, ?> lookup, Generations<?> generations) {
    return new GuardStats(state, lookup, generations, 0, 0, Optional.empty());
  }

  /** Returns what the guard is doing. */
  public GuardState state() {
    return state;
  }

  /** Returns for how many keys it was asked: the sum of the next three. */
  public long lookups() {
    return absent + maybe + withoutFilter;
  }

  /** Returns how many of these the filter kept back: they are certainly absent. */
  public long absent() {
    return absent;
  }

  /** Returns how many the filter let through: they may be there. */
  public long maybe() {
    return maybe;
  }

  /** Returns how many no filter could tell of, and were let through. */
  public long withoutFilter() {
    return withoutFilter;
  }

  /** Returns how many were let through, and known to be absent as the source had said so. */
  public long knownAbsent() {
    return knownAbsent;
  }

  /** Returns how many were let through, and answered from the cache. */
  public long cached() {
    return cached;
  }

  /** Returns how often the source was asked; a batch counts once. */
  public long loads() {
    return loads;
  }

  /** Returns how often the source failed to answer. */
  public long loadFailures() {
    return loadFailures;
  }

  /** Returns how many confirmed absences are remembered now. */
  public long knownAbsences() {
    return knownAbsences;
  }

  /**
   * Returns the rate of the filter that serves, measured on different keys that the source does not
   * have. Keys that were deleted since the filter was filled count as let through.
   */
  public MeasuredRate measuredRate() {
    return rate;
  }

  /**
   * Returns the statistics of the filter that serves as they were taken last, which is from time to
   * time: its fill, its keys and whether it is overfull. Empty if it cannot tell, or none serves.
   */
  public Optional<FilterStats> filter() {
    return filter;
  }

  /** Returns the number of the generation that serves, or served last; 0 if none did. */
  public long generation() {
    return generation;
  }

  /** Returns how long ago the filling of the filter that serves began; zero if none serves. */
  public Duration age() {
    return age;
  }

  /** Returns how many rebuilds were completed, the first filling among them. */
  public long rebuilds() {
    return rebuilds;
  }

  /** Returns how many rebuilds failed. */
  public long rebuildFailures() {
    return rebuildFailures;
  }

  /** Returns why the last rebuild failed; empty once one was completed. */
  public Optional<String> lastError() {
    return lastError;
  }

  @Override
  public String toString() {
    return state
        + ", generation "
        + generation
        + " since "
        + age
        + ": "
        + lookups()
        + " lookups, "
        + absent
        + " absent, "
        + knownAbsent
        + " known to be absent, "
        + cached
        + " cached, "
        + loads
        + " loads, "
        + loadFailures
        + " failed; measured rate "
        + rate
        + filter.map(stats -> "; " + stats).orElse("")
        + lastError.map(error -> "; " + error).orElse("");
  }
}
