package io.bloomery.redis;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.opentest4j.TestAbortedException;
import redis.clients.jedis.CommandArguments;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.exceptions.JedisException;

/**
 * A Redis server of its own, on a free port of the loopback address, in a fresh folder. A shell
 * that waits for this JVM stops it and removes the folder when this is closed, and also when the
 * JVM is killed.
 */
public final class RedisServer implements AutoCloseable {

  /** The servers that there are. */
  public enum Release {
    SIX("redis-server-6.2.6-v5"),
    SEVEN("redis-server-7.0.9");

    private final String program;

    Release(String program) {
      this.program = program;
    }
  }

  private static final long PATIENCE = TimeUnit.MINUTES.toNanos(10);

  // $1 is the folder; what follows is the server with its options.
  private static final String WATCHER =
      """
      folder=$1; shift
      "$@" >>"$folder/log" 2>&1 </dev/null &
      pid=$!
      if read -r order; then
        kill "-$order" $pid; wait $pid 2>/dev/null
      else
        kill -KILL $pid; wait $pid 2>/dev/null; rm -rf "$folder"
      fi
      """;

  private final Release release;
  private final Path folder;
  private final int port;
  private final List<String> options;
  private Process watcher;

  private RedisServer(Release release, Path folder, int port, List<String> options) {
    this.release = release;
    this.folder = folder;
    this.port = port;
    this.options = options;
  }

  public static RedisServer start(Release release, String... options) {
    try {
      RedisServer server =
          new RedisServer(
              release, Files.createTempDirectory("bloomery-redis-"), freePort(), List.of(options));
      if (server.options.contains("--sentinel")) {
        Files.createFile(server.folder.resolve("sentinel.conf")); // it writes there what it finds
      }
      server.startAgain();
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Starts a replica of a server, and waits until it has got a copy. */
  static RedisServer replicaOf(RedisServer primary) {
    RedisServer replica = start(Release.SEVEN);
    replica.follow(primary);
    return replica;
  }

  /** Lets this be a replica of another, and waits until it has got a copy. */
  void follow(RedisServer primary) {
    command("REPLICAOF", "127.0.0.1", Integer.toString(primary.port));
    await("a replica", () -> info("replication", "master_link_status").equals("up"));
  }

  /** Waits until this replica has all that its primary has. */
  void awaitStep(RedisServer primary) {
    await(
        "a replica in step",
        () ->
            info("replication", "slave_repl_offset")
                .equals(primary.info("replication", "master_repl_offset")));
  }

  /** Ends being a replica. */
  void promote() {
    command("REPLICAOF", "NO", "ONE");
  }

  static int freePort() {
    // Below the ports from which connections are given theirs.
    for (int i = 0; ; i++) {
      int port = 20_000 + (int) (Math.random() * 12_000);
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        if (i == 100) {
          throw new IllegalStateException("no free port", e);
        }
      }
    }
  }

  /** Returns the program, which the build has unpacked. */
  private static Path program(Release release) {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String name =
        release.program
            + (system.startsWith("mac") ? "-darwin-" : "-" + system + "-")
            + (System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64");
    Path program = Path.of(System.getProperty("redis.servers", "target/servers"), name);
    if (!Files.exists(program)) {
      String reason = "no Redis server for this platform: there is no " + program;
      System.err.println("NOT TESTED: " + reason);
      throw new TestAbortedException(reason);
    }
    if (!program.toFile().setExecutable(true)) {
      throw new IllegalStateException("cannot be made executable: " + program);
    }
    return program.toAbsolutePath();
  }

  /** Starts it again, with what is in its folder. */
  public void startAgain() {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", WATCHER, "redis"));
    command.add(folder.toString());
    command.add(program(release).toString());
    if (options.contains("--sentinel")) {
      command.add(folder.resolve("sentinel.conf").toString());
    }
    command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1"));
    command.addAll(List.of("--dir", folder.toString()));
    if (!options.contains("--sentinel")) {
      command.addAll(List.of("--save", "", "--repl-diskless-sync-delay", "0"));
    }
    command.addAll(options);
    try {
      watcher = new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    awaitReady();
  }

  private void awaitReady() {
    long begin = System.nanoTime();
    while (true) {
      try {
        Object reply = command("PING");
        if (reply instanceof byte[] pong && text(pong).equals("PONG")) {
          return;
        }
      } catch (JedisException e) {
        // Not yet.
      }
      if (System.nanoTime() - begin > PATIENCE || !watcher.isAlive()) {
        throw new IllegalStateException("Redis did not start: " + log());
      }
      pause();
    }
  }

  static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private String log() {
    try {
      return Files.readString(folder.resolve("log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  int port() {
    return port;
  }

  Path folder() {
    return folder;
  }

  public String uri() {
    return "redis://127.0.0.1:" + port;
  }

  /** Sends a command and returns the reply; an error is thrown. */
  public Object command(String... words) {
    try (Connection connection =
        new Connection(
            new HostAndPort("127.0.0.1", port),
            DefaultJedisClientConfig.builder().timeoutMillis(20_000).build())) {
      CommandArguments arguments =
          new CommandArguments(() -> words[0].getBytes(StandardCharsets.UTF_8));
      for (int i = 1; i < words.length; i++) {
        arguments.add(words[i]);
      }
      return connection.executeCommand(arguments);
    }
  }

  /** Returns what INFO says of a property. */
  public String info(String section, String name) {
    return property(command("INFO", section), name);
  }

  /** Returns the bytes that it has taken. */
  long usedMemory() {
    return Long.parseLong(info("memory", "used_memory"));
  }

  /** Lets it take so many bytes more. */
  public void leave(long bytes) {
    command("CONFIG", "SET", "maxmemory", Long.toString(usedMemory() + bytes));
  }

  /** Returns the keys that match a pattern. */
  List<String> keys(String pattern) {
    return ((List<?>) command("KEYS", pattern)).stream().map(RedisServer::text).sorted().toList();
  }

  /** Returns what keys have left to live, as of one moment, in milliseconds; -1 for no end. */
  List<Long> left(List<String> keys) {
    String script =
        "local left = {} for i, key in ipairs(KEYS) do left[i] = redis.call('PTTL', key) end"
            + " return left";
    List<String> command = new ArrayList<>(List.of("EVAL", script, Integer.toString(keys.size())));
    command.addAll(keys);
    return ((List<?>) command(command.toArray(String[]::new)))
        .stream().map(Long.class::cast).toList();
  }

  /** Takes time from the lives of keys, from the last to the first, as if it had passed. */
  void pass(List<String> keys, Duration time) {
    List<Long> left = left(keys);
    for (int i = keys.size() - 1; i >= 0; i--) {
      command("PEXPIRE", keys.get(i), Long.toString(left.get(i) - time.toMillis()));
    }
  }

  /** Returns the keys of a filter. */
  List<String> keysOf(String filter) {
    return keys("bloomery:{" + filter + "[}/]*");
  }

  static String text(Object reply) {
    return new String((byte[]) reply, StandardCharsets.UTF_8);
  }

  /** Returns what INFO or CLUSTER INFO says of a property. */
  static String property(Object info, String name) {
    for (String line : text(info).lines().toList()) {
      if (line.startsWith(name + ":")) {
        return line.substring(name.length() + 1);
      }
    }
    return "";
  }

  /** Waits until something is so, as servers have it. */
  public static void await(String what, java.util.function.BooleanSupplier isSo) {
    long begin = System.nanoTime();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - begin > PATIENCE) {
        throw new IllegalStateException("did not come to be: " + what);
      }
      pause();
    }
  }

  /** Sends its process a signal, also while it is stopped. */
  void signal(String name) {
    long process = watcher.children().findAny().orElseThrow().pid();
    try {
      int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process)).start().waitFor();
      if (exit != 0) {
        throw new IllegalStateException("kill -" + name + " ended with " + exit);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Kills it, as a loss of power would; what is in its folder stays. */
  public void kill() {
    try {
      watcher.getOutputStream().write("KILL\n".getBytes(StandardCharsets.US_ASCII));
      watcher.getOutputStream().close();
      watcher.waitFor();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    try {
      watcher.getOutputStream().close();
      watcher.waitFor();
      if (Files.exists(folder)) { // killed before
        try (java.util.stream.Stream<Path> files = Files.list(folder)) {
          for (Path file : files.toList()) {
            Files.delete(file);
          }
        }
        Files.delete(folder);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
