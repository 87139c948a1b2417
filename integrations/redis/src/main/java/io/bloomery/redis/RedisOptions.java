package io.bloomery.redis;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;

/** Options of filters on Redis. They are immutable: each method returns new ones. */
@CheckReturnValue
@SuppressWarnings("exports") // @CheckReturnValue: users do not need its module
public final class RedisOptions {

  private static final int AS_MANY_AS_SUIT = 0;

  private final Calls.Wait wait;
  private final int chunks;
  private final boolean synced;
  private final boolean replacesLost;
  private final Life life;

  private RedisOptions(
      Calls.Wait wait, int chunks, boolean synced, boolean replacesLost, Life life) {
    this.wait = wait;
    this.chunks = chunks;
    this.synced = synced;
    this.replacesLost = replacesLost;
    this.life = life;
  }

  /**
   * Returns the defaults: no wait for replicas, a suitable number of chunks, no trust in restarted
   * servers, no end of life.
   */
  public static RedisOptions defaults() {
    return new RedisOptions(Calls.Wait.NONE, AS_MANY_AS_SUIT, false, false, Life.ENDLESS);
  }

  /**
   * Makes every put wait until a number of replicas have it, by {@code WAIT}; it throws {@link
   * io.bloomery.filter.FilterUnavailableException} after the time-out, and has then been applied on
   * the primary nevertheless. Each replica waited for reduces what a promotion can lose.
   *
   * @param replicas at least 1
   * @param timeout at least a millisecond, and less than that of the connection
   */
  public RedisOptions waitForReplicas(int replicas, Duration timeout) {
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas must be at least 1, but was " + replicas);
    }
    return new RedisOptions(
        new Calls.Wait(replicas, millis(timeout)), chunks, synced, replacesLost, life);
  }

  /** Returns a time-out in milliseconds, of which there must be one at least. */
  static int millis(Duration timeout) {
    Duration longest = Duration.ofMillis(Integer.MAX_VALUE);
    if (timeout.compareTo(Duration.ofMillis(1)) < 0 || timeout.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          "timeout must be from 1 ms to 24 days, but was " + timeout);
    }
    return (int) timeout.toMillis();
  }

  /**
   * Sets the number of Redis keys of filters that are created; it never changes afterwards. By
   * default a key has at most 16 MiB, and in a Cluster there are up to eight for each primary.
   * Filters of the variant {@code standard} have one.
   *
   * @param count from 1 to 16,384
   */
  public RedisOptions chunks(int count) {
    if (count < 1 || count > Chunks.MAX_COUNT) {
      throw new IllegalArgumentException("chunks must be from 1 to 16,384, but was " + count);
    }
    return new RedisOptions(wait, count, synced, replacesLost, life);
  }

  /**
   * Declares that the servers of filters that are created lose no acknowledged write, by {@code
   * appendfsync always} and without failover to replicas that lag. A server that was restarted or
   * promoted is then trusted. If the declaration is wrong, keys that were put will be reported as
   * absent.
   */
  public RedisOptions everyWriteIsSynced() {
    return new RedisOptions(wait, chunks, true, replacesLost, life);
  }

  /**
   * Lets filters that are created or loaded take the place of what is left of one that has lost its
   * record: its keys are called absent then, unless they are in the new one. Without this, creating
   * refuses, and only a rebuild takes its place.
   */
  public RedisOptions replaceLost() {
    return new RedisOptions(wait, chunks, synced, true, life);
  }

  /**
   * Makes filters that are created, loaded or rebuilt expire, as a whole, a time after they have
   * begun to serve. There is no filter of that name then: {@link RedisFilters#open} and every call
   * of those who have it open throw {@link io.bloomery.filter.FilterUnavailableException}, and it
   * can be created anew. A rebuild begins the time anew when it is committed, and keeps the life of
   * the filter if these options have none.
   *
   * <p>The clocks of the servers decide. Where the primary with the record is replaced by one whose
   * clock differs, the end moves by as much; a difference of up to a minute leaves no part of the
   * filter without the other.
   *
   * <p>{@link RedisWindows#of(RedisLink, RedisOptions)} says what it is for windows.
   *
   * <p>Such filters are refused by a server with {@code maxmemory} and a {@code volatile-} policy,
   * which evicts them first.
   *
   * @param life from a second to 36,500 days
   */
  public RedisOptions expireAfter(Duration life) {
    return new RedisOptions(wait, chunks, synced, replacesLost, Life.of(life, false));
  }

  /**
   * The same, but puts begin the time anew: a filter lives for at least three quarters of it after
   * a put into it has returned, unless it is sealed, and for all of it at most. Each process renews
   * it once in a quarter of the time at most, which takes three round trips more.
   *
   * @param life from a second to 36,500 days
   */
  public RedisOptions expireAfterPut(Duration life) {
    return new RedisOptions(wait, chunks, synced, replacesLost, Life.of(life, true));
  }

  Calls.Wait waiting() {
    return wait;
  }

  int chunks(String variant, long payloadSize, int nodes) {
    return chunks == AS_MANY_AS_SUIT ? Chunks.preferred(variant, payloadSize, nodes) : chunks;
  }

  boolean isSynced() {
    return synced;
  }

  Life life() {
    return life;
  }

  boolean replacesLost() {
    return replacesLost;
  }
}
