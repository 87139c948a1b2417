package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.ConnectionPoolConfig;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.commands.ProtocolCommand;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ClusterConnectionProvider;
import redis.clients.jedis.providers.ConnectionProvider;
import redis.clients.jedis.providers.PooledConnectionProvider;
import redis.clients.jedis.providers.SentineledConnectionProvider;
import redis.clients.jedis.util.JedisClusterCRC16;

/**
 * A link through Jedis, which blocks: synchronous calls run in the calling thread, asynchronous
 * ones in threads of the link.
 */
public final class JedisLink implements RedisLink {

  // As many as Jedis has by itself. Threads that wait for one of them do so here and not in the
  // pool, which lets the thread whose connection has failed wait for the next connection, too.
  private static final int CONNECTIONS = 8;

  private static final ThreadFactory THREADS =
      task -> {
        Thread thread = new Thread(task, "bloomery-redis");
        thread.setDaemon(true);
        return thread;
      };

  private final ConnectionProvider provider;
  private final @Nullable ClusterConnectionProvider cluster; // null if not a Cluster
  private final @Nullable Duration timeout; // null if it is the application's
  private final ConcurrentMap<String, Semaphore> connections = new ConcurrentHashMap<>();
  private volatile String place; // of the last connection, unless this is a Cluster
  private volatile boolean closed;
  private final ExecutorService executor =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          60,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          THREADS,
          // What is left to do after close fails there; whoever waits for it must be told.
          (task, closed) -> task.run());

  private JedisLink(ConnectionProvider provider, @Nullable Duration timeout, String place) {
    this.provider = provider;
    this.timeout = timeout;
    this.place = place;
    this.cluster = provider instanceof ClusterConnectionProvider found ? found : null;
  }

  /**
   * Connects to a server, a Cluster or the primary that sentinels name, by a URI such as {@code
   * redis://user:password@host:6379/0}, {@code redis-cluster://host:6379,host:6380} or {@code
   * redis-sentinel://host:26379/0#primary}; {@code rediss} is for TLS. The time-out for a
   * connection or a reply is two seconds; up to eight threads use a server at a time, and the wait
   * of others is part of their time-out.
   *
   * @throws IllegalArgumentException if the URI has none of these forms
   * @throws FilterUnavailableException if the server cannot be reached, or refuses the login
   */
  public static JedisLink connect(String uri) {
    return connect(uri, Duration.ofSeconds(2));
  }

  /** Connects as {@link #connect(String)} does, with another time-out, of at least 1 ms. */
  public static JedisLink connect(String uri, Duration timeout) {
    RedisAddress address = RedisAddress.of(uri);
    int millis = RedisOptions.millis(timeout);
    DefaultJedisClientConfig.Builder builder =
        DefaultJedisClientConfig.builder().timeoutMillis(millis).database(address.database());
    DefaultJedisClientConfig.Builder sentinels =
        DefaultJedisClientConfig.builder().timeoutMillis(millis);
    if (address.tls()) {
      builder.sslOptions(SslOptions.defaults());
      sentinels.sslOptions(SslOptions.defaults());
    }
    if (address.user() != null) {
      builder.user(address.user());
    }
    if (address.password() != null) {
      builder.password(address.password());
    }
    JedisClientConfig config = builder.build();
    List<HostAndPort> hosts =
        address.hosts().stream().map(host -> new HostAndPort(host.name(), host.port())).toList();
    ConnectionPoolConfig pool = new ConnectionPoolConfig();
    pool.setMaxTotal(-1);
    try {
      ConnectionProvider provider =
          switch (address.kind()) {
            case SINGLE -> new PooledConnectionProvider(hosts.get(0), config, pool);
            case CLUSTER ->
                new ClusterConnectionProvider(Set.copyOf(reached(hosts, config)), config, pool);
            case SENTINEL -> {
              // All of them, those that do not reply now after the others.
              Set<HostAndPort> all = new LinkedHashSet<>(reached(hosts, sentinels.build()));
              all.addAll(hosts);
              yield new SentineledConnectionProvider(
                  address.primary(), config, pool, all, sentinels.build());
            }
          };
      JedisLink link = new JedisLink(provider, timeout, address.place());
      if (link.cluster == null) {
        link.greet(address.tls());
      }
      return link;
    } catch (JedisException e) {
      throw Faults.connecting(address.place(), address.tls(), e);
    }
  }

  /**
   * Returns the servers that reply, asked concurrently: a provider asks one after the other, waits
   * for each, and does not say why it found none.
   */
  private static List<HostAndPort> reached(List<HostAndPort> hosts, JedisClientConfig config) {
    JedisConnectionException none = new JedisConnectionException("no server replies");
    List<CompletableFuture<Boolean>> asked =
        hosts.stream()
            .map(
                host -> {
                  CompletableFuture<Boolean> replies = new CompletableFuture<>();
                  THREADS
                      .newThread(
                          () -> {
                            try (Connection connection = new Connection(host, config)) {
                              greet(connection);
                              replies.complete(true);
                            } catch (RuntimeException e) {
                              synchronized (none) {
                                none.addSuppressed(e);
                              }
                              replies.complete(false);
                            }
                          })
                      .start();
                  return replies;
                })
            .toList();
    List<HostAndPort> reached = new ArrayList<>();
    for (int i = 0; i < hosts.size(); i++) {
      if (asked.get(i).join()) {
        reached.add(hosts.get(i));
      }
    }
    if (reached.isEmpty()) {
      throw none;
    }
    return reached;
  }

  private void greet(boolean tls) {
    String primary = place();
    try (Connection connection = provider.getConnection()) {
      greet(connection);
    } catch (JedisException e) {
      close();
      throw Faults.connecting(primary, tls, e);
    }
  }

  /** Asks whether a server lets this client in. */
  private static void greet(Connection connection) {
    try {
      connection.ping();
    } catch (JedisDataException e) {
      // Filters need no PING, and wait while a server loads its data.
      if (!String.valueOf(e.getMessage()).matches("(?s)(NOPERM|LOADING|MASTERDOWN)\\b.*")) {
        throw e;
      }
    }
  }

  /** Creates a link of an application's own connections, which {@link #close} closes. */
  @SuppressWarnings("exports") // callers have the library
  public static JedisLink of(ConnectionProvider provider) {
    return new JedisLink(
        Objects.requireNonNull(provider, "provider"), null, "the application's connections");
  }

  @Override
  public boolean isCluster() {
    return cluster != null;
  }

  @Override
  public String node(byte[] key) {
    if (cluster == null) {
      return place();
    }
    HostAndPort node = cluster.getNode(JedisClusterCRC16.getSlot(key));
    return node == null ? primaries().stream().findFirst().orElse(place) : node.toString();
  }

  @Override
  public List<String> primaries() {
    return cluster == null || closed
        ? List.of(place())
        : List.copyOf(cluster.getPrimaryNodes().keySet());
  }

  private String place() {
    return provider instanceof SentineledConnectionProvider sentinels && !closed
        ? String.valueOf(sentinels.getCurrentMaster())
        : place;
  }

  @Override
  public void refresh() {
    if (cluster != null && !closed) {
      cluster.renewSlotCache();
    }
  }

  private Connection connection(String node) {
    return cluster == null
        ? provider.getConnection()
        : cluster.getConnection(HostAndPort.from(node));
  }

  @Override
  public CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    return closed
        ? CompletableFuture.failedFuture(Faults.closed(node))
        : CompletableFuture.supplyAsync(() -> send(node, commands), executor);
  }

  private List<Object> send(String node, List<List<byte[]>> commands) {
    if (timeout == null) {
      try (Connection connection = connection(node)) {
        if (cluster == null) {
          place = String.valueOf(connection.getHostAndPort());
        }
        return replies(connection, commands);
      }
    }
    long end = System.nanoTime() + timeout.toNanos();
    // The pool lets the thread whose connection has failed open the next one for those that wait,
    // some of them for three times the time-out; so they wait outside of it.
    Semaphore free = connections.computeIfAbsent(node, any -> new Semaphore(CONNECTIONS));
    try {
      if (!free.tryAcquire() && !free.tryAcquire(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
        throw Faults.late(node);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw Faults.interrupted(node, e);
    }
    try (Connection connection = connection(node)) {
      long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
      if (left <= 0) {
        throw Faults.late(node);
      }
      connection.setSoTimeout((int) left);
      return replies(connection, commands);
    } finally {
      free.release();
    }
  }

  private static List<Object> replies(Connection connection, List<List<byte[]>> commands) {
    for (List<byte[]> command : commands) {
      CommandArguments arguments = new CommandArguments(new Name(command.get(0)));
      for (byte[] argument : command.subList(1, command.size())) {
        arguments.add(argument);
      }
      connection.sendCommand(arguments);
    }
    List<Object> replies = new ArrayList<>();
    for (Object reply : connection.getMany(commands.size())) {
      replies.add(
          reply instanceof JedisException e
              ? new RedisErrorReply(String.valueOf(e.getMessage()))
              : reply);
    }
    return replies;
  }

  /** The name of a command, in the form that Jedis requires. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Name(byte[] raw) implements ProtocolCommand {
    @Override
    public byte[] getRaw() {
      return raw;
    }

    @Override
    public String toString() {
      return new String(raw, StandardCharsets.US_ASCII);
    }
  }

  @Override
  public Executor executor() {
    return executor;
  }

  @Override
  public void close() {
    closed = true;
    executor.shutdown();
    try {
      provider.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException("connections cannot be closed", e);
    }
  }
}
