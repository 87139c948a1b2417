package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.redis.RedisFilterInfo.State;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds out what is on the servers under a name. */
final class Inspection {

  private final Name name;
  private final Calls calls;

  Inspection(Name name, Calls calls) {
    this.name = name;
    this.calls = calls;
  }

  Optional<RedisFilterInfo> info() {
    List<?> fields = (List<?>) calls.run(FilterRecord.readCall(name));
    StoredKeys stored = StoredKeys.ofAny(name, calls);
    if (fields.isEmpty() && !stored.sizes().isEmpty()) { // or it was made since
      fields = (List<?>) calls.run(FilterRecord.readCall(name));
    }
    if (fields.isEmpty()) {
      return stored.areEnded()
          ? Optional.empty()
          : Optional.of(
              info(
                  State.LOST,
                  "Redis key "
                      + name.recordKeyText()
                      + " is missing; rebuild the filter from its source, or delete what is left",
                  null,
                  null,
                  stored,
                  0));
    }
    FilterRecord record;
    try {
      record = FilterRecord.of(name, fields);
    } catch (FilterUnavailableException e) {
      return Optional.of(info(State.UNAVAILABLE, problem(e), null, null, stored, 1));
    }
    try {
      record.current();
      Generation serving = Served.open(name, calls).verified();
      return Optional.of(info(State.SERVING, "", record, serving, stored, 1));
    } catch (FilterUnavailableException e) {
      State state = record.isFirst() ? State.LOADING : State.UNAVAILABLE;
      Generation known = record.isFirst() ? record.next() : record.serving();
      return Optional.of(info(state, problem(e), record, known, stored, 1));
    }
  }

  private static String problem(FilterUnavailableException e) {
    return String.valueOf(e.getMessage());
  }

  private RedisFilterInfo info(
      State state,
      String problem,
      @Nullable FilterRecord record,
      @Nullable Generation generation,
      StoredKeys stored,
      int records) {
    int keys = records;
    long bytes = 0;
    for (StoredKeys.Sizes sizes : stored.sizes().values()) {
      keys += (sizes.current() > 0 ? 1 : 0) + (sizes.next() > 0 ? 1 : 0);
      bytes += sizes.both();
    }
    return new RedisFilterInfo(
        name.text(),
        state,
        problem,
        Optional.ofNullable(generation).map(Generation::header),
        generation == null ? 0 : generation.chunks().count(),
        state == State.LOADING || generation == null ? 0 : generation.sequence(),
        record != null
            && state != State.LOADING
            && record.next() != null
            && generation != null
            && !record.next().is(generation),
        keys,
        bytes,
        record == null || record.leftMillis() < 0
            ? Optional.empty()
            : Optional.of(Duration.ofMillis(record.leftMillis())));
  }
}
