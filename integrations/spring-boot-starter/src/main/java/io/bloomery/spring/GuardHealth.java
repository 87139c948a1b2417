package io.bloomery.spring;

import io.bloomery.guard.GuardState;
import io.bloomery.guard.GuardStats;
import io.bloomery.guard.GuardView;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The health of all guards, independent of the version of Spring Boot.
 *
 * <p>A failed guard still answers, from its old filter or the source. That is no reason to take the
 * application out of service, because every instance would be taken out together with the source:
 * health is then unknown, never down.
 */
final class GuardHealth {

  private final Collection<GuardView<?, ?>> guards;
  private final FileGuards files;

  GuardHealth(Collection<GuardView<?, ?>> guards, FileGuards files) {
    this.guards = List.copyOf(guards);
    this.files = files;
  }

  boolean isGood() {
    return guards.stream()
        .allMatch(
            guard ->
                (guard.state() == GuardState.READY || guard.state() == GuardState.REBUILDING)
                    && files.lastError(guard.name()).isEmpty());
  }

  Map<String, Object> details() {
    Map<String, Object> details = new LinkedHashMap<>();
    guards.forEach(guard -> details.put(guard.name(), details(guard)));
    return details;
  }

  private Map<String, Object> details(GuardView<?, ?> guard) {
    GuardStats stats = guard.stats();
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("state", stats.state());
    details.put("generation", stats.generation());
    details.put("age", stats.age());
    stats.filter().ifPresent(filter -> details.put("filter", filter.toString()));
    stats.measuredRate().ifPresent(rate -> details.put("measuredRate", rate.rate()));
    Optional<String> error = stats.lastError().or(() -> files.lastError(guard.name()));
    error.ifPresent(text -> details.put("error", text));
    return details;
  }
}
