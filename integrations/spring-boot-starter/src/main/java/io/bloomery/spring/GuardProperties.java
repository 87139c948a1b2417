package io.bloomery.spring;

import io.bloomery.FilterBuilder;
import io.bloomery.guard.AnswerLimits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The properties of a guard. Either {@code expect} is set, and the guard fills its filter from a
 * source, or {@code file}, and it queries a filter saved by others.
 *
 * @param key the type of keys
 * @param expect the expected number of distinct keys in the source
 * @param fpp the fraction of absent keys that reach the source nevertheless
 * @param variant the variant of the filter; the default is standard, or counting for removal
 * @param source the name of the bean of type GuardSource, or ValueSource with a file; the default
 *     is NAMESource
 * @param file a saved filter, which is memory-mapped; others replace it
 * @param fileCheck the interval at which to check whether the file was replaced
 * @param rebuildEvery the time from a rebuild to the next; by default rebuilds happen only if
 *     necessary
 * @param rebuildAtRate the multiple of the planned rate at which the filter is rebuilt
 * @param pause the minimum time between two automatic rebuilds, also after a failure
 * @param patience how long a rebuild waits for an earlier write to end, and for the next key
 * @param removeDeleted whether delete removes keys from the filter; every key must then be written
 *     by write of this guard
 * @param liveIn the folder that the filter lives in, so that the next start serves from it; by
 *     default the filter is in memory
 * @param maxValues the maximum number of cached values
 * @param valueAge how long a value is cached
 * @param maxAbsences the maximum number of cached confirmed absences
 * @param absenceAge how long a confirmed absence is cached
 * @param loadTimeout the time limit for a load, in a thread of the guard; by default a load runs in
 *     the calling thread without a limit
 * @param maxLoads how many loads with a time limit run at a time; further ones wait for their turn
 * @param caches the names of the Spring caches that are queried only for keys that might be present
 */
public record GuardProperties(
    @DefaultValue("string") KeyType key,
    @Nullable Long expect,
    @DefaultValue("0.01") double fpp,
    @Nullable String variant,
    @Nullable String source,
    @Nullable Path file,
    @DefaultValue("10s") Duration fileCheck,
    @Nullable Duration rebuildEvery,
    @DefaultValue("2") double rebuildAtRate,
    @DefaultValue("1m") Duration pause,
    @DefaultValue("5m") Duration patience,
    @DefaultValue("false") boolean removeDeleted,
    @Nullable Path liveIn,
    @DefaultValue("10000") long maxValues,
    @DefaultValue("10m") Duration valueAge,
    @DefaultValue("10000") long maxAbsences,
    @DefaultValue("1m") Duration absenceAge,
    @Nullable Duration loadTimeout,
    @DefaultValue("256") int maxLoads,
    @DefaultValue List<String> caches) {

  AnswerLimits answers() {
    AnswerLimits limits =
        AnswerLimits.defaults()
            .values(maxValues, valueAge)
            .absences(maxAbsences, absenceAge)
            .maxLoads(maxLoads);
    return loadTimeout == null ? limits : limits.loadTimeout(loadTimeout);
  }

  FilterBuilder<?> filters(long expected) {
    FilterBuilder<?> filters = key.filters().expect(expected).fpp(fpp);
    return variant == null ? filters : filters.variant(variant);
  }
}
