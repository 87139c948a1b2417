package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisChannelHandler;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisConnectionStateListener;
import io.lettuce.core.RedisURI;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.codec.ByteArrayCodec;
import io.lettuce.core.output.CommandOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.ProtocolKeyword;
import io.lettuce.core.protocol.RedisCommand;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A link through Lettuce, which does not block: all threads share one connection to a node. */
public final class LettuceLink implements RedisLink {

  /**
   * How often to connect where the connection ends meanwhile: now and then Lettuce reports that in
   * place of the reason that the server gave, a wrong password for example.
   */
  private static final int ATTEMPTS = 3;

  private static final Pattern UNREACHED =
      Pattern.compile("Unable to connect to (?<host>[^/]+)/.*:(?<port>[0-9]+)");

  private final @Nullable AbstractRedisClient client; // null if it is the application's
  private final @Nullable RedisClusterClient clusterClient;
  private final @Nullable StatefulRedisConnection<byte[], byte[]> single;
  private final @Nullable StatefulRedisClusterConnection<byte[], byte[]> cluster;
  private final Primary primary;
  private volatile boolean closed;

  private LettuceLink(
      @Nullable AbstractRedisClient client,
      @Nullable RedisClusterClient clusterClient,
      @Nullable StatefulRedisConnection<byte[], byte[]> single,
      @Nullable StatefulRedisClusterConnection<byte[], byte[]> cluster,
      Primary primary) {
    this.client = client;
    this.clusterClient = clusterClient;
    this.single = single;
    this.cluster = cluster;
    this.primary = primary;
  }

  /** The name of the server that there is a connection to, unless this is a Cluster. */
  private static final class Primary implements RedisConnectionStateListener {

    private volatile String name;

    Primary(String name) {
      this.name = name;
    }

    @Override
    public void onRedisConnected(RedisChannelHandler<?, ?> connection, SocketAddress address) {
      // Not of the connections to sentinels.
      if (connection instanceof StatefulRedisConnection
          && address instanceof InetSocketAddress remote) {
        name = remote.getHostString() + ":" + remote.getPort();
      }
    }
  }

  /**
   * Connects by a URI as {@link JedisLink#connect(String)} does. The time-out for a connection or a
   * reply is two seconds. A lost connection is re-established; its pending commands fail, and none
   * is sent twice.
   *
   * @throws IllegalArgumentException if the URI has none of these forms
   * @throws FilterUnavailableException if the server cannot be reached, or refuses the login
   */
  public static LettuceLink connect(String uri) {
    return connect(uri, Duration.ofSeconds(2));
  }

  /** Connects as {@link #connect(String)} does, with another time-out, of at least 1 ms. */
  public static LettuceLink connect(String uri, Duration timeout) {
    RedisAddress address = RedisAddress.of(uri);
    Duration wait = Duration.ofMillis(RedisOptions.millis(timeout));
    Primary primary = new Primary(address.place());
    if (address.kind() == RedisAddress.Kind.CLUSTER) {
      RedisClusterClient client =
          RedisClusterClient.create(
              address.hosts().stream()
                  .map(host -> login(RedisURI.Builder.redis(host.name(), host.port()), address))
                  .map(builder -> builder.withTimeout(wait).build())
                  .toList());
      client.setOptions(ClusterClientOptions.builder(options(wait)).build());
      return connected(
          client,
          address,
          () ->
              new LettuceLink(
                  client, client, null, client.connect(ByteArrayCodec.INSTANCE), primary));
    }
    RedisClient client = RedisClient.create();
    client.setOptions(options(wait));
    client.addListener(primary);
    RedisURI server = uri(address, wait);
    return connected(
        client,
        address,
        () ->
            new LettuceLink(
                client, null, client.connect(ByteArrayCodec.INSTANCE, server), null, primary));
  }

  private static LettuceLink connected(
      AbstractRedisClient client, RedisAddress address, Supplier<LettuceLink> connect) {
    for (int attempt = 1; ; attempt++) {
      try {
        return connect.get();
      } catch (RuntimeException e) {
        if (attempt == ATTEMPTS || !Faults.isEndedEarly(e)) {
          client.shutdown();
          throw Faults.connecting(place(address, e), address.tls(), e);
        }
      }
    }
  }

  /** Returns the primary that sentinels have named, if that is what Lettuce does not reach. */
  private static String place(RedisAddress address, RuntimeException failure) {
    Matcher primary = UNREACHED.matcher(String.valueOf(failure.getMessage()));
    return primary.matches()
        ? primary.group("host") + ":" + primary.group("port")
        : address.place();
  }

  /** Returns options under which no command is sent twice, and none waits for a connection. */
  private static ClientOptions options(Duration timeout) {
    return ClientOptions.builder()
        .disconnectedBehavior(ClientOptions.DisconnectedBehavior.REJECT_COMMANDS)
        .replayFilter(command -> true)
        .timeoutOptions(TimeoutOptions.enabled(timeout))
        .build();
  }

  private static RedisURI uri(RedisAddress address, Duration timeout) {
    RedisAddress.Host first = address.hosts().get(0);
    RedisURI.Builder builder;
    if (address.kind() == RedisAddress.Kind.SENTINEL) {
      builder = RedisURI.Builder.sentinel(first.name(), first.port(), address.primary());
      for (RedisAddress.Host host : address.hosts().subList(1, address.hosts().size())) {
        builder.withSentinel(host.name(), host.port());
      }
    } else {
      builder = RedisURI.Builder.redis(first.name(), first.port());
    }
    return login(builder, address).withDatabase(address.database()).withTimeout(timeout).build();
  }

  private static RedisURI.Builder login(RedisURI.Builder builder, RedisAddress address) {
    builder.withSsl(address.tls());
    if (address.password() != null) {
      if (address.user() == null) {
        builder.withPassword(address.password().toCharArray());
      } else {
        builder.withAuthentication(address.user(), address.password().toCharArray());
      }
    }
    return builder;
  }

  /**
   * Creates a link of an application's own connection, which stays open when the link is closed.
   * Its client must not resend commands after a connection was lost, or none of several concurrent
   * equal puts might return true.
   */
  @SuppressWarnings("exports") // callers have the library
  public static LettuceLink of(StatefulRedisConnection<byte[], byte[]> connection) {
    return new LettuceLink(
        null, null, Objects.requireNonNull(connection, "connection"), null, ofTheApplication());
  }

  /** Creates a link of an application's own Cluster connection, as the other method does. */
  @SuppressWarnings("exports") // callers have the library
  public static LettuceLink of(
      RedisClusterClient client, StatefulRedisClusterConnection<byte[], byte[]> connection) {
    return new LettuceLink(
        null,
        Objects.requireNonNull(client, "client"),
        null,
        Objects.requireNonNull(connection, "connection"),
        ofTheApplication());
  }

  private static Primary ofTheApplication() {
    return new Primary("the application's connection");
  }

  @Override
  public boolean isCluster() {
    return cluster != null;
  }

  @Override
  public String node(byte[] key) {
    if (cluster == null) {
      return primary.name;
    }
    RedisClusterNode node = cluster.getPartitions().getMasterBySlot(SlotHash.getSlot(key));
    return node == null ? primaries().stream().findFirst().orElse(primary.name) : name(node);
  }

  @Override
  public List<String> primaries() {
    // By the view of readers: a refresh changes the list that getPartitions().getPartitions() is.
    return cluster == null
        ? List.of(primary.name)
        : cluster.getPartitions().stream()
            .filter(node -> node.getRole().isUpstream() && !node.getSlots().isEmpty())
            .map(LettuceLink::name)
            .toList();
  }

  private static String name(RedisClusterNode node) {
    return node.getUri().getHost() + ":" + node.getUri().getPort();
  }

  @Override
  public void refresh() {
    if (clusterClient != null && !closed) {
      clusterClient.refreshPartitions();
    }
  }

  private CompletableFuture<StatefulRedisConnection<byte[], byte[]>> connection(String node) {
    if (cluster == null) {
      return CompletableFuture.completedFuture(Objects.requireNonNull(single));
    }
    int colon = node.lastIndexOf(':');
    return cluster.getConnectionAsync(
        node.substring(0, colon), Integer.parseInt(node.substring(colon + 1)));
  }

  @Override
  public CompletableFuture<List<Object>> send(
      String node, List<List<byte[]>> commands, Executor executor) {
    if (closed) {
      return CompletableFuture.failedFuture(Faults.closed(node));
    }
    return connection(node).thenCompose(connection -> send(connection, commands));
  }

  private static CompletableFuture<List<Object>> send(
      StatefulRedisConnection<byte[], byte[]> connection, List<List<byte[]>> commands) {
    List<AsyncCommand<byte[], byte[], Object>> sent = new ArrayList<>();
    for (List<byte[]> command : commands) {
      CommandArgs<byte[], byte[]> arguments = new CommandArgs<>(ByteArrayCodec.INSTANCE);
      for (byte[] argument : command.subList(1, command.size())) {
        arguments.add(argument);
      }
      sent.add(new AsyncCommand<>(new Command<>(new Name(command.get(0)), new Reply(), arguments)));
    }
    // As one list, so that commands of other threads are not interleaved.
    List<RedisCommand<byte[], byte[], ?>> batch = new ArrayList<>(sent);
    connection.dispatch(batch);
    return CompletableFuture.allOf(
            sent.stream().map(AsyncCommand::toCompletableFuture).toArray(CompletableFuture[]::new))
        .thenApply(
            done -> sent.stream().map(command -> command.toCompletableFuture().join()).toList());
  }

  /** The name of a command, in the form that Lettuce requires. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Name(byte[] getBytes) implements ProtocolKeyword {
    @Override
    public String toString() {
      return new String(getBytes, StandardCharsets.US_ASCII);
    }
  }

  /** A reply of any form, including errors, so that Lettuce follows no redirection. */
  private static final class Reply extends CommandOutput<byte[], byte[], @Nullable Object> {

    private record Open(List<@Nullable Object> elements, int count) {}

    private final Deque<Open> open = new ArrayDeque<>();

    Reply() {
      super(ByteArrayCodec.INSTANCE, null);
    }

    private void add(@Nullable Object element) {
      attach(element);
      close();
    }

    private void attach(@Nullable Object element) {
      Open innermost = open.peek();
      if (innermost == null) {
        output = element;
      } else {
        innermost.elements().add(element);
      }
    }

    private void close() {
      for (Open innermost = open.peek();
          innermost != null && innermost.elements().size() == innermost.count();
          innermost = open.peek()) {
        open.pop();
      }
    }

    @Override
    public void set(@Nullable ByteBuffer bytes) {
      add(bytes == null ? null : copy(bytes));
    }

    private static byte[] copy(ByteBuffer bytes) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.get(copy);
      return copy;
    }

    @Override
    public void setSingle(@Nullable ByteBuffer bytes) {
      set(bytes);
    }

    @Override
    public void set(long integer) {
      add(integer);
    }

    @Override
    public void setError(ByteBuffer message) {
      setError(StandardCharsets.UTF_8.decode(message).toString());
    }

    @Override
    public void setError(String message) {
      add(new RedisErrorReply(message));
    }

    @Override
    public void multi(int count) {
      if (count < 0) {
        add(null);
        return;
      }
      List<@Nullable Object> elements = new ArrayList<>();
      attach(elements);
      open.push(new Open(elements, count));
      close();
    }
  }

  @Override
  public Executor executor() {
    return ForkJoinPool.commonPool();
  }

  @Override
  public void close() {
    closed = true;
    if (client != null) {
      if (cluster != null) {
        cluster.close(); // with those to its nodes, which the client would close once more
      }
      client.shutdown(Duration.ZERO, Duration.ofSeconds(2));
    }
  }
}
