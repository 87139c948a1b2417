package io.bloomery.redis;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * A connection to a Redis server or Cluster through a client library: {@link JedisLink}, {@link
 * LettuceLink}, or an implementation of the user's.
 *
 * <p>A link only transports bytes. It must not follow redirections or resend commands: the results
 * of {@code put} would be wrong if a command could run twice. A link must be thread-safe.
 */
public interface RedisLink extends AutoCloseable {
  // decisions.md#links-carry-bytes-and-redirections-are-followed-here

  /** Returns whether this is a Cluster, whose keys are on different nodes. */
  boolean isCluster();

  /**
   * Returns the name of the primary that has the slot of a key by current knowledge: {@code
   * host:port} in a Cluster, otherwise any name, which errors state.
   */
  String node(byte[] key);

  /** Returns the names of all known primaries. */
  List<String> primaries();

  /** Refreshes the mapping of slots to primaries from the Cluster; does nothing otherwise. */
  void refresh();

  /**
   * Sends commands to a node over one connection, in order, not interleaved with others, in one
   * round trip.
   *
   * <p>A reply is a {@code Long}, a {@code byte[]}, a {@code List} of replies, null, or a {@link
   * RedisErrorReply}. The future fails if the connection does; it is then not known which of the
   * commands were run.
   *
   * @param commands the commands, each with its name and its arguments
   * @param executor runs blocking calls; links that do not block ignore it
   */
  CompletableFuture<List<Object>> send(String node, List<List<byte[]>> commands, Executor executor);

  /** Returns the executor of blocking calls that no thread waits for. */
  Executor executor();

  /** Closes the connections that this link has opened. */
  @Override
  void close();
}
