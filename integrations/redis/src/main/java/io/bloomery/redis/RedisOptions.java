package io.bloomery.redis;

import com.google.errorprone.annotations.CheckReturnValue;
import java.time.Duration;

/**
 * What is asked of the servers beside answers. Options do not change: each method returns new ones.
 */
@CheckReturnValue
@SuppressWarnings("exports") // of an annotation: whoever lacks it is not told, and needs nothing
public final class RedisOptions {

  private static final int AS_MANY_AS_SUIT = 0;

  private final Calls.Wait wait;
  private final int chunks;
  private final boolean synced;

  private RedisOptions(Calls.Wait wait, int chunks, boolean synced) {
    this.wait = wait;
    this.chunks = chunks;
    this.synced = synced;
  }

  /** Returns options that wait for no replica, cut as it suits, and trust no restarted server. */
  public static RedisOptions defaults() {
    return new RedisOptions(Calls.Wait.NONE, AS_MANY_AS_SUIT, false);
  }

  /**
   * Lets every put wait until so many replicas have it, by {@code WAIT}; it throws {@link
   * io.bloomery.filter.FilterUnavailableException} if they do not in time, and is then on the
   * primary nevertheless. Each replica takes part in what a promotion can lose.
   *
   * @param replicas at least 1
   * @param timeout at least a millisecond, and less than that of the connection
   */
  public RedisOptions waitForReplicas(int replicas, Duration timeout) {
    if (replicas < 1) {
      throw new IllegalArgumentException("replicas must be at least 1, but was " + replicas);
    }
    if (timeout.toMillis() < 1) {
      throw new IllegalArgumentException("timeout must be at least 1 ms, but was " + timeout);
    }
    return new RedisOptions(new Calls.Wait(replicas, timeout.toMillis()), chunks, synced);
  }

  /**
   * Sets into how many keys a filter is cut that is created. They stay as many for its life. If
   * nothing is said, one key has at most 16 MiB, and in a Cluster there are up to eight for each
   * primary. Filters of the variant {@code standard} have one.
   *
   * @param count from 1 to 16,384
   */
  public RedisOptions chunks(int count) {
    if (count < 1 || count > 16_384) {
      throw new IllegalArgumentException("chunks must be from 1 to 16,384, but was " + count);
    }
    return new RedisOptions(wait, count, synced);
  }

  /**
   * Declares, of filters that are created, that their servers lose no acknowledged write, by {@code
   * appendfsync always} and without failover to replicas that lag. A server that was restarted or
   * promoted is then trusted. If that is not so, keys that were put will be called absent.
   */
  public RedisOptions everyWriteIsSynced() {
    return new RedisOptions(wait, chunks, true);
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
}
