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
 * The health of all guards, in no line of Boot's terms.
 *
 * <p>A guard that failed answers still, by its old filter or by the source. That is no reason to
 * take the application out of service, where every instance would go when the source does: health
 * is then unknown, never down.
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
    details.put("measuredRate", stats.measuredRate().rate());
    Optional<String> error = stats.lastError().or(() -> files.lastError(guard.name()));
    error.ifPresent(text -> details.put("error", text));
    return details;
  }
}
