package io.bloomery.redis;

import io.bloomery.redis.Primaries.NodeInfo;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;

/**
 * The memory that a filter takes on one primary while it is created, loaded or rebuilt. A
 * generation that serves stays until the new one is complete: both are in memory until then.
 *
 * @param node the name of the primary, as {@link RedisLink#primaries} has it
 * @param needed the bytes that are needed beside what is there: those of the new chunks, as the
 *     server allocates them, and some MiB for the commands that fill them, without those of a load
 *     or rebuild that was broken off and whose place they take
 * @param serving the bytes of the generation that serves until then; 0 if none does
 * @param free the bytes that {@code maxmemory} leaves, negative if more is in use; empty if the
 *     server has no such limit, or does not say it
 * @param unknown why the server does not say its limit; empty if it does
 */
public record RedisMemory(
    String node, long needed, long serving, OptionalLong free, String unknown) {

  // A server has a command in its buffer, its arguments, and what it reads to add them to.
  private static final int COMMANDS = 3;

  /** Checks that nothing is null. */
  public RedisMemory {
    Objects.requireNonNull(node, "node");
    Objects.requireNonNull(free, "free");
    Objects.requireNonNull(unknown, "unknown");
  }

  /** What is counted for a primary. */
  static final class Count {

    private final NodeInfo info;
    private long added;
    private long allocated;
    private long replaced;
    private long serving;

    Count(NodeInfo info) {
      this.info = info;
    }

    /** Counts for a node that has become a primary since they were asked. */
    Count(String node) {
      this(new NodeInfo(node, Map.of(), "it has just become a primary"));
    }

    void add(long size) {
      added += size;
      allocated += allocated(size);
    }

    void replace(long size) {
      replaced += allocated(size);
    }

    void keep(long size) {
      serving += allocated(size);
    }

    RedisMemory sum() {
      long limit = info.number("maxmemory");
      long used = info.number("used_memory");
      boolean isKnown = limit >= 0 && used >= 0;
      return new RedisMemory(
          info.node(),
          Math.max(
              0, allocated + COMMANDS * Math.min(added, GenerationWords.PART_BYTES) - replaced),
          serving,
          isKnown && limit > 0 ? OptionalLong.of(limit - used) : OptionalLong.empty(),
          isKnown ? "" : info.error().isEmpty() ? "INFO has no maxmemory" : info.error());
    }

    /**
     * Returns the bytes that the server allocates for a string: jemalloc has four sizes between a
     * power of two and the next.
     */
    private long allocated(long size) {
      boolean rounds = info.properties().getOrDefault("mem_allocator", "").startsWith("jemalloc");
      long step = size > 0 && rounds ? Math.max(16, Long.highestOneBit(size - 1) / 4) : 1;
      return (size + step - 1) / step * step;
    }
  }

  /** Returns whether the server certainly has no room for it. */
  public boolean isTooMuch() {
    return free.isPresent() && needed > free.getAsLong();
  }

  /** Returns whether there is room once the generation that serves is deleted. */
  boolean fitsWithoutServing() {
    return free.isPresent() && needed <= free.getAsLong() + serving;
  }

  /** Returns a sentence about it, for people. */
  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "Redis node %s needs %,d bytes more%s, and %s",
        node,
        needed,
        serving == 0
            ? ""
            : String.format(
                Locale.ROOT, " beside the %,d that serve until the new ones are complete", serving),
        !unknown.isEmpty()
            ? "does not say whether it has them: " + unknown
            : free.isPresent()
                ? String.format(
                    Locale.ROOT, "its maxmemory leaves %,d", Math.max(0, free.getAsLong()))
                : "has no maxmemory");
  }
}
