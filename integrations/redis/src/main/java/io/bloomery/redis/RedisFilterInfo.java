package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * What is on the servers under the name of a filter.
 *
 * @param name the name
 * @param state whether it answers
 * @param problem why it does not answer, and what to do; empty if it does
 * @param header its variant, specification and layout, if its record says them
 * @param chunks the number of chunks by its record; 0 if that is missing
 * @param generation the number of the generation that serves; 0 if none does
 * @param rebuilding whether a rebuild has begun and was not committed, be it under way or broken
 *     off
 * @param keys the number of Redis keys, with that of the record
 * @param bytes the size of all chunks
 * @param left how long it lives if nothing renews its life; empty if that does not end, or has not
 *     begun
 */
public record RedisFilterInfo(
    String name,
    State state,
    String problem,
    Optional<FilterHeader> header,
    int chunks,
    long generation,
    boolean rebuilding,
    int keys,
    long bytes,
    Optional<Duration> left) {

  /** Whether a filter answers. */
  public enum State {
    /** It answers. */
    SERVING,
    /** Its first content is being loaded, or that was broken off. */
    LOADING,
    /** It has a record, but has lost a key, or is on a server that was restarted or promoted. */
    UNAVAILABLE,
    /** It has lost its record; chunks are left. */
    LOST
  }

  /** Checks that nothing is null. */
  public RedisFilterInfo {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(problem, "problem");
    Objects.requireNonNull(header, "header");
    Objects.requireNonNull(left, "left");
  }
}
