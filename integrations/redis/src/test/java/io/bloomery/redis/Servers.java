package io.bloomery.redis;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.opentest4j.TestAbortedException;

/** What tests share: one server of each release for the whole JVM, and filters of numbered keys. */
final class Servers {

  private static final Map<RedisServer.Release, RedisServer> RUNNING =
      new EnumMap<>(RedisServer.Release.class);
  private static final Map<String, RedisLink> LINKS = new ConcurrentHashMap<>();

  private Servers() {}

  /** Returns a server that is started when it is first asked for, and ends with this JVM. */
  static synchronized RedisServer shared(RedisServer.Release release) {
    return RUNNING.computeIfAbsent(release, RedisServer::start);
  }

  private static final class SharedCluster {
    static final RedisCluster RUNNING = RedisCluster.start();
  }

  /** Returns a Cluster that is started when it is first asked for, and ends with this JVM. */
  static RedisCluster cluster() {
    return SharedCluster.RUNNING;
  }

  /** A client library. */
  enum Client {
    JEDIS,
    LETTUCE;

    RedisLink connect(String uri) {
      return connect(uri, TIMEOUT);
    }

    RedisLink connect(String uri, Duration timeout) {
      return this == JEDIS ? JedisLink.connect(uri, timeout) : LettuceLink.connect(uri, timeout);
    }

    /** Returns a link to a shared server that is used by all, and ends with this JVM. */
    RedisLink shared(RedisServer.Release release) {
      return LINKS.computeIfAbsent(
          release + " " + this, any -> connect(Servers.shared(release).uri()));
    }
  }

  // Longer than users would wait: the machines that run tests may do much else.
  private static final Duration TIMEOUT = Duration.ofMinutes(2);

  static FilterPlan plan(String variant, long keys, double fpp) {
    return Bloomery.longs().expect(keys).fpp(fpp).variant(variant).plan();
  }

  static BloomFilter<Long> keyed(RedisFilter filter) {
    return BloomFilter.of(filter, KeyHasher.longs());
  }

  static List<Long> keys(long from, long to) {
    List<Long> keys = new ArrayList<>();
    for (long i = from; i < to; i++) {
      keys.add(i);
    }
    return keys;
  }

  static long[] hashes(long from, long to) {
    return keys(from, to).stream().mapToLong(KeyHasher.longs()::hash).toArray();
  }

  /** Waits until a call has an answer: a connection of before, or a wait, may have none. */
  static void awaitAnswer(Runnable call) {
    RedisServer.await(
        "an answer",
        () -> {
          try {
            call.run();
            return true;
          } catch (FilterUnavailableException e) {
            return false;
          }
        });
  }

  /** Returns what draws a part of the cases for a build, by a seed that it prints. */
  static Random draw() {
    long seed = Long.getLong("bloomery.draw", System.nanoTime());
    System.out.println("drawn by -Dbloomery.draw=" + seed);
    return new Random(seed);
  }

  /** Starts a process of this class path, whose errors are printed. */
  static Process process(Class<?> main, String... arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/java",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-BytecodeVerificationRemote",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
  }

  static RuntimeException aborted(String reason) {
    System.err.println("NOT TESTED: " + reason);
    return new TestAbortedException(reason);
  }
}
