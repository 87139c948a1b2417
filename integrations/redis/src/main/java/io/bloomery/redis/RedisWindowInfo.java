package io.bloomery.redis;

import io.bloomery.filter.FilterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What is on a server under the name of a window.
 *
 * @param name the name
 * @param problem why it does not answer, and what to do; empty if it does
 * @param spec the number of keys and the rate of the whole window, if its record says them
 * @param time the time for which keys are remembered; empty if keys are counted, or the record does
 *     not say it
 * @param keys the distinct keys of each of its three generations, the youngest first; empty if it
 *     does not answer
 * @param expiresIn how long it is kept if nobody uses it; empty if it does not answer
 * @param redisKeys the number of Redis keys, with that of the record
 * @param bytes the size of its parts
 */
public record RedisWindowInfo(
    String name,
    String problem,
    Optional<FilterSpec> spec,
    Optional<Duration> time,
    List<Long> keys,
    Optional<Duration> expiresIn,
    int redisKeys,
    long bytes) {

  /** Checks that nothing is null. */
  public RedisWindowInfo {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(spec, "spec");
    Objects.requireNonNull(time, "time");
    keys = List.copyOf(keys);
    Objects.requireNonNull(expiresIn, "expiresIn");
  }
}
