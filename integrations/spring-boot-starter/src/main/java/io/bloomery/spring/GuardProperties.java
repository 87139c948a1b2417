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
 * source, or {@code file}, and it queries a filter that others save.
 *
 * @param key the type of keys
 * @param expect how many different keys the source will have
 * @param fpp the share of absent keys that reach the source all the same
 * @param variant the kind of filter; standard, or counting to remove, if not set
 * @param source the name of the bean of type GuardSource, or ValueSource with a file; NAMESource if
 *     not set
 * @param file a saved filter, which is memory-mapped; others replace it
 * @param fileCheck how often to look whether the file was replaced
 * @param rebuildEvery how long after a rebuild the next begins; only if need be if not set
 * @param rebuildAtRate how many times the planned rate may be measured before the filter is rebuilt
 * @param pause the shortest time between two rebuilds that nobody asked for, also after a failure
 * @param patience how long a rebuild waits for an earlier write to end, and for the next key
 * @param removeDeleted whether delete takes keys out of the filter; every key must then be written
 *     by write of this guard
 * @param maxValues how many values are cached
 * @param valueAge for how long a value is cached
 * @param maxAbsences how many confirmed absences are remembered
 * @param absenceAge for how long a confirmed absence is remembered
 * @param loadTimeout how long a load may take, on a thread of the guard; as long as it likes, on
 *     the thread that asks, if not set
 * @param caches the names of the caches of Spring that are asked only for keys that may be there
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
    @DefaultValue("10000") long maxValues,
    @DefaultValue("10m") Duration valueAge,
    @DefaultValue("10000") long maxAbsences,
    @DefaultValue("1m") Duration absenceAge,
    @Nullable Duration loadTimeout,
    @DefaultValue List<String> caches) {

  AnswerLimits answers() {
    AnswerLimits limits =
        AnswerLimits.defaults().values(maxValues, valueAge).absences(maxAbsences, absenceAge);
    return loadTimeout == null ? limits : limits.loadTimeout(loadTimeout);
  }

  FilterBuilder<?> filters(long expected) {
    FilterBuilder<?> filters = key.filters().expect(expected).fpp(fpp);
    return variant == null ? filters : filters.variant(variant);
  }
}
