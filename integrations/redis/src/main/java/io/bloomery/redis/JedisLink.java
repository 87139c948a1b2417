package io.bloomery.redis;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.JedisClientConfig;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.commands.ProtocolCommand;
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

  private static final String PRIMARY = "primary";

  private final ConnectionProvider provider;
  private final @Nullable ClusterConnectionProvider cluster; // null if not a Cluster
  private final ExecutorService executor =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "bloomery-redis");
            thread.setDaemon(true);
            return thread;
          });

  private JedisLink(ConnectionProvider provider) {
    this.provider = provider;
    this.cluster = provider instanceof ClusterConnectionProvider found ? found : null;
  }

  /**
   * Connects to a server, a Cluster or the primary that sentinels name, by a URI such as {@code
   * redis://user:password@host:6379/0}, {@code redis-cluster://host:6379,host:6380} or {@code
   * redis-sentinel://host:26379/0#primary}; {@code rediss} is for TLS. The time-out for a
   * connection or a reply is two seconds.
   *
   * @throws IllegalArgumentException if the URI has none of these forms
   * @throws JedisException if the server cannot be reached
   */
  public static JedisLink connect(String uri) {
    return connect(uri, Duration.ofSeconds(2));
  }

  /** Connects as {@link #connect(String)} does, with another time-out. */
  public static JedisLink connect(String uri, Duration timeout) {
    RedisAddress address = RedisAddress.of(uri);
    DefaultJedisClientConfig.Builder builder =
        DefaultJedisClientConfig.builder()
            .timeoutMillis(Math.toIntExact(timeout.toMillis()))
            .database(address.database());
    DefaultJedisClientConfig.Builder sentinels =
        DefaultJedisClientConfig.builder().timeoutMillis(Math.toIntExact(timeout.toMillis()));
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
    Set<HostAndPort> hosts = new HashSet<>();
    for (RedisAddress.Host host : address.hosts()) {
      hosts.add(new HostAndPort(host.name(), host.port()));
    }
    return of(
        switch (address.kind()) {
          case SINGLE -> new PooledConnectionProvider(hosts.iterator().next(), config);
          case CLUSTER -> new ClusterConnectionProvider(hosts, config);
          case SENTINEL ->
              new SentineledConnectionProvider(address.primary(), config, hosts, sentinels.build());
        });
  }

  /** Creates a link of an application's own connections, which {@link #close} closes. */
  @SuppressWarnings("exports") // callers have the library
  public static JedisLink of(ConnectionProvider provider) {
    return new JedisLink(Objects.requireNonNull(provider, "provider"));
  }

  @Override
  public boolean isCluster() {
    return cluster != null;
  }

  @Override
  public String node(byte[] key) {
    if (cluster == null) {
      return PRIMARY;
    }
    HostAndPort node = cluster.getNode(JedisClusterCRC16.getSlot(key));
    return node == null ? primaries().get(0) : node.toString();
  }

  @Override
  public List<String> primaries() {
    return cluster == null ? List.of(PRIMARY) : List.copyOf(cluster.getPrimaryNodes().keySet());
  }

  @Override
  public void refresh() {
    if (cluster != null) {
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
    return CompletableFuture.supplyAsync(() -> send(node, commands), executor);
  }

  private List<Object> send(String node, List<List<byte[]>> commands) {
    try (Connection connection = connection(node)) {
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
