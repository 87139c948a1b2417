package io.bloomery.guard;

import io.bloomery.filter.FilterStats;
import java.time.Duration;
import java.util.Optional;

/** A snapshot of the statistics of a guard. Counters start at its creation. */
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
  private final Optional<MeasuredRate> rate;
  private final Optional<FilterStats> filter;
  private final long generation;
  private final Duration age;
  private final boolean kept;
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
    this.rate = serving == null ? Optional.empty() : serving.rate();
    this.filter = serving == null ? Optional.empty() : serving.measurement().last();
    this.generation = generations.number();
    this.age =
        serving == null
            ? Duration.ZERO
            : Duration.ofNanos(System.nanoTime() - serving.startNanos());
    this.kept = serving != null && serving.wasKept();
    this.rebuilds = rebuilds;
    this.rebuildFailures = rebuildFailures;
    this.lastError = lastError;
  }

  static GuardStats of(
      GuardState state,
      Lookup<?, ?> lookup,
      Generations<?> generations,
      Rebuilds<?> rebuilds,
      Optional<String> lastError) {
    return new GuardStats(
        state, lookup, generations, rebuilds.completed(), rebuilds.failed(), lastError);
  }

  static GuardStats readOnly(GuardState state, Lookup<?, ?> lookup, Generations<?> generations) {
    return new GuardStats(state, lookup, generations, 0, 0, generations.openReason());
  }

  /** Returns the state of the guard. */
  public GuardState state() {
    return state;
  }

  /**
   * Returns the number of keys queried: the sum of {@link #absent}, {@link #maybe} and {@link
   * #withoutFilter}.
   */
  public long lookups() {
    return absent + maybe + withoutFilter;
  }

  /** Returns the number of keys that the filter rejected as certainly absent. */
  public long absent() {
    return absent;
  }

  /** Returns the number of keys that passed the filter as possibly present. */
  public long maybe() {
    return maybe;
  }

  /** Returns the number of keys that passed because no filter could be queried. */
  public long withoutFilter() {
    return withoutFilter;
  }

  /** Returns the number of keys that passed and were answered from the confirmed absences. */
  public long knownAbsent() {
    return knownAbsent;
  }

  /** Returns the number of keys that passed and were answered from the cached values. */
  public long cached() {
    return cached;
  }

  /** Returns the number of queries to the source; a batch counts once. */
  public long loads() {
    return loads;
  }

  /** Returns the number of failed queries to the source. */
  public long loadFailures() {
    return loadFailures;
  }

  /** Returns the number of confirmed absences in the cache. */
  public long knownAbsences() {
    return knownAbsences;
  }

  /**
   * Returns the false-positive rate of the serving filter, measured on distinct keys that the
   * source does not have. Keys deleted since the filter was filled count as false positives.
   *
   * <p>Empty if it was not measured: if no filter serves, or no such key was queried, or only by
   * {@link GuardView#mightContain} and without {@link GuardView#notFound}, so that the guard does
   * not know which keys passed in vain.
   */
  public Optional<MeasuredRate> measuredRate() {
    return rate;
  }

  /**
   * Returns the statistics of the serving filter as of the last periodic measurement: its fill, its
   * keys and whether it is overfull. Empty if they are unavailable, or if no filter serves.
   */
  public Optional<FilterStats> filter() {
    return filter;
  }

  /** Returns the number of the generation that serves or served last, or 0 if none did. */
  public long generation() {
    return generation;
  }

  /** Returns the time since the filling of the serving filter began, or zero if none serves. */
  public Duration age() {
    return age;
  }

  /**
   * Returns whether the serving filter is one that an earlier run filled, and left in the folder of
   * {@link GuardBuilder#liveIn}. Keys that were written meanwhile by others may be reported as
   * absent until a rebuild has completed, which begins at once.
   */
  public boolean isKept() {
    return kept;
  }

  /** Returns the number of completed rebuilds, including the first filling. */
  public long rebuilds() {
    return rebuilds;
  }

  /** Returns the number of failed rebuilds. */
  public long rebuildFailures() {
    return rebuildFailures;
  }

  /**
   * Returns the reason for the failure of the last rebuild until one has completed, or for which
   * queries do without the filter until it answers; empty if there is none.
   */
  public Optional<String> lastError() {
    return lastError;
  }

  @Override
  public String toString() {
    return state
        + ", generation "
        + generation
        + (kept ? ", kept by an earlier run," : "")
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
        + " failed; "
        + rate.map(measured -> "measured rate " + measured).orElse("rate not measured")
        + filter.map(stats -> "; " + stats).orElse("")
        + lastError.map(error -> "; " + error).orElse("");
  }
}
