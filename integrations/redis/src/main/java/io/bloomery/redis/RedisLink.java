package io.bloomery.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A connection to a Redis server or Cluster through a client library: {@link JedisLink}, {@link
 * LettuceLink}, or one of your own.
 *
 * <p>A link only carries bytes. It follows no redirection and repeats no command: what a filter
 * promises about answers of {@code put} would not survive a command that is sent twice unseen. Any
 * number of threads may use one.
 */
public interface RedisLink extends AutoCloseable {

  /** Returns whether this is a Cluster, so that keys lie on different nodes. */
  boolean isCluster();

  /**
   * Returns the name of the primary that is known to have the slot of a key: {@code host:port} in a
   * Cluster, anything elsewhere.
   */
  String node(byte[] key);

  /** Returns the names of all primaries that are known. */
  List<String> primaries();

  /** Asks the Cluster anew which primary has which slot; does nothing elsewhere. */
  void refresh();

  /**
   * Sends commands to a node over one connection, in order, without anything of others between
   * them, in one round trip.
   *
   * <p>A reply is a {@code Long}, a {@code byte[]}, a {@code List} of replies, null, or a {@link
   * RedisErrorReply}. The future fails if the connection does; it is then not known which of the
   * commands were run.
   *
   * @param commands each of its name and its arguments
   * @param executor runs what would block; links that do not block need none
   */
  CompletableFuture<List<Object>> send(String node, List<List<byte[]>> commands, Executor executor);

  /** Returns what runs that which would block, where no thread waits for it. */
  Executor executor();

  /** Closes the connections that this link has opened. */
  @Override
  void close();
}
