package io.bloomery.redis;

import static io.bloomery.redis.Errors.assertUnavailable;
import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterUnavailableException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Each fault of a connection is one exception type and one sentence, whichever client finds it, by
 * whichever address, while it connects or later.
 */
class FaultsTest {

  private static final Duration LONG = Duration.ofMinutes(2);

  // For what never replies: the wait is the test's, and a slow machine only makes it longer.
  private static final Duration SHORT = Duration.ofSeconds(1);

  private enum Address {
    SINGLE("redis://", ""),
    SENTINEL("redis-sentinel://", "/0#main"),
    CLUSTER("redis-cluster://", "");

    private final String scheme;
    private final String end;

    Address(String scheme, String end) {
      this.scheme = scheme;
      this.end = end;
    }

    String of(String login, String place) {
      return scheme + login + place + end;
    }
  }

  private interface Case {
    void run(Servers.Client client, Address address) throws Exception;
  }

  /** Runs cases with all clients and addresses at a time: some of them wait for a while. */
  private static void forAll(Case... cases) throws Exception {
    List<Callable<Void>> tasks = new ArrayList<>();
    for (Case each : cases) {
      for (Servers.Client client : Servers.Client.values()) {
        for (Address address : Address.values()) {
          tasks.add(
              () -> {
                each.run(client, address);
                return null;
              });
        }
      }
    }
    atOnce(tasks);
  }

  private static <T> void atOnce(List<Callable<T>> tasks) throws Exception {
    ExecutorService executor = Executors.newFixedThreadPool(tasks.size());
    try {
      for (Future<T> done : executor.invokeAll(tasks)) {
        try {
          done.get();
        } catch (ExecutionException e) {
          throw new AssertionError(e.getCause());
        }
      }
    } finally {
      executor.shutdownNow();
    }
  }

  private static void assertSays(String place, String words, Throwable e) {
    StringWriter trace = new StringWriter();
    e.printStackTrace(new PrintWriter(trace));
    String all = trace.toString();
    assertEquals(FilterUnavailableException.class, e.getClass(), all);
    String message = String.valueOf(e.getMessage());
    assertTrue(message.startsWith("cannot answer: Redis at " + place + " "), all);
    assertTrue(message.contains(words), all);
    assertFalse(all.contains("secret"), all);
    assertEquals(all.indexOf(message), all.lastIndexOf(message), all);
  }

  private static void assertSays(String place, String words, Executable call) {
    assertSays(place, words, assertThrows(RuntimeException.class, call));
  }

  /** Returns calls of each kind: scripts, waited for and not, and what servers are asked. */
  private static List<Executable> calls(RedisLink link) {
    RedisFilters filters = RedisFilters.of(link);
    return List.of(
        () -> filters.open("seen"),
        () -> filters.accept("seen"),
        () -> filters.names(),
        () -> {
          CompletableFuture<?> started =
              new Calls(link)
                  .start(List.of(FilterRecord.readCall(new Name("seen"))), Calls.Wait.NONE, true);
          throw assertThrows(CompletionException.class, started::join).getCause();
        });
  }

  private static void assertEachSays(String place, String words, RedisLink link) {
    calls(link).forEach(call -> assertSays(place, words, call));
  }

  private static Case cannotConnect(
      String greeting, String login, String words, boolean tls, Duration timeout) {
    return (client, address) -> {
      try (RefusingServer server = new RefusingServer("").greets(greeting)) {
        String place = server.place();
        String uri = address.of(login, place);
        assertSays(
            place,
            words,
            () -> client.connect(tls ? uri.replace("redis", "rediss") : uri, timeout).close());
      }
    };
  }

  private static Case cannotConnect(String place, String words) {
    return (client, address) ->
        assertSays(place, words, () -> client.connect(address.of("ada:secret@", place), LONG));
  }

  @Test
  void aServerThatIsNotThereOrDoesNotLetIn() throws Exception {
    forAll(
        cannotConnect("127.0.0.1:" + RedisServer.freePort(), "refuses the connection"),
        cannotConnect("no-such-host.invalid:1", "unknown host"),
        cannotConnect(
            "-WRONGPASS invalid username-password pair or user is disabled.\r\n",
            "ada:secret@",
            "refuses the user or the password",
            false,
            LONG),
        cannotConnect(
            "-NOAUTH Authentication required.\r\n", "", "requires a password", false, LONG),
        cannotConnect(RefusingServer.NOTHING, "", "does not reply within", false, SHORT),
        cannotConnect(RefusingServer.END, "", "has ended it", false, LONG),
        cannotConnect("\u0015\u0003\u0001\r\n", "", "does not speak", false, LONG),
        cannotConnect(RefusingServer.END, "ada:secret@", "does not agree on TLS", true, LONG));
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aPrimaryThatASentinelNamesIsTheOneAtFault(Servers.Client client) {
    int free = RedisServer.freePort();
    try (RefusingServer primary = new RefusingServer("").greets("-WRONGPASS\r\n");
        RefusingServer sentinel = new RefusingServer("").names(primary.port());
        RefusingServer other = new RefusingServer("").names(free)) {
      assertSays(
          "127.0.0.1:" + primary.port(),
          "refuses the user or the password",
          () -> client.connect(sentinels("ada:secret@", sentinel)));
      assertSays(
          "127.0.0.1:" + free,
          "refuses the connection",
          () -> client.connect(sentinels("", other)));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "OOM command not allowed when used memory > 'maxmemory'. script: 77, raise its maxmemory",
    "ERR Error running script (call to f_77): -OOM command not allowed, raise its maxmemory",
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL, end that by SCRIPT KILL"
  })
  void whatAServerRefusesForNowHasANextStep(String reply, String step) {
    String message = Faults.of("127.0.0.1:1", "key k", new RedisErrorReply(reply)).getMessage();
    assertTrue(String.valueOf(message).contains(step), message);
  }

  private static String sentinels(String login, RefusingServer sentinel) {
    return Address.SENTINEL.of(login, "127.0.0.1:" + sentinel.port());
  }

  private interface Linked {
    void run(RedisLink link, RefusingServer server) throws Exception;
  }

  /** A server that lets a link connect, and gives one reply to all that it is asked then. */
  private static Case linked(String reply, Duration timeout, Linked linked) {
    return (client, address) -> {
      try (RefusingServer server = new RefusingServer(reply);
          RedisLink link = client.connect(address.of("ada:secret@", server.place()), timeout)) {
        linked.run(link, server);
      }
    };
  }

  private static Case refuses(String reply, String words, Duration timeout) {
    return linked(reply, timeout, (link, server) -> assertEachSays(server.place(), words, link));
  }

  /** For what calls wait and ask again, or connect again: one kind of calls for each link. */
  private static Case refusesAtLast(AtomicInteger next, String reply, String words) {
    return linked(
        reply,
        LONG,
        (link, server) -> {
          List<Executable> calls = calls(link);
          assertSays(server.place(), words, calls.get(next.getAndIncrement() % calls.size()));
        });
  }

  @Test
  void aServerThatFailsLater() throws Exception {
    AtomicInteger next = new AtomicInteger(Servers.draw().nextInt(4));
    forAll(
        refuses(
            "-NOPERM this user has no permissions to run the 'evalsha' command\r\n",
            "does not permit it",
            LONG),
        refuses("-NOAUTH Authentication required.\r\n", "requires a password", LONG),
        refuses("-READONLY You can't write against a read only replica.\r\n", "is a replica", LONG),
        refusesAtLast(
            next, "-LOADING Redis is loading the dataset in memory\r\n", "is still loading"),
        refusesAtLast(next, "-CLUSTERDOWN The cluster is down\r\n", "Cluster that is down"),
        refuses("-ERR nonsense\r\n", "nonsense", LONG));
  }

  @Test
  void aServerThatEndsConnectionsOrNeverReplies() throws Exception {
    AtomicInteger next = new AtomicInteger(Servers.draw().nextInt(4));
    forAll(
        refusesAtLast(next, RefusingServer.END, "has ended it"),
        refusesAtLast(next, "\u0015\u0003\u0001\r\n", "does not speak"),
        refuses(RefusingServer.NOTHING, "does not reply within", SHORT));
  }

  @Test
  void aLinkThatIsClosed() throws Exception {
    forAll(
        linked(
            "-ERR never asked\r\n",
            LONG,
            (link, server) -> {
              link.close();
              assertEachSays(server.place(), "the link to it is closed; open another", link);
            }));
  }

  @Test
  void aLinkThatIsClosedWhileACallWaits() throws Exception {
    forAll(
        linked(
            "-LOADING\r\n",
            LONG,
            (link, server) -> {
              CompletableFuture<?> call =
                  CompletableFuture.runAsync(() -> RedisFilters.of(link).open("seen"));
              RedisServer.await("a call that waits", () -> server.asked() > 0);
              link.close();
              ExecutionException e =
                  assertThrows(ExecutionException.class, () -> call.get(600, TimeUnit.SECONDS));
              assertEquals(FilterUnavailableException.class, e.getCause().getClass());
            }));
  }

  @Test
  void aNodeOfAClusterThatWasNotSaidToBeOne() throws Exception {
    forAll(
        linked(
            "-MOVED 1 127.0.0.1:1\r\n",
            LONG,
            (link, server) -> {
              if (!link.isCluster()) {
                assertSays(
                    server.place(), "redis-cluster://", () -> RedisFilters.of(link).open("seen"));
              }
            }));
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aServerOfItsOwnIsNoCluster(Servers.Client client) {
    RedisServer server = Servers.shared(SEVEN);
    String uri = server.uri().replace("redis://", "redis-cluster://");
    assertSays("127.0.0.1:" + server.port(), "not in a Cluster", () -> client.connect(uri));
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void usersOfARealServer(Servers.Client client) {
    try (RedisServer primary = RedisServer.start(SIX)) {
      String at = "127.0.0.1:" + primary.port();
      try (RedisLink link = client.connect(primary.uri())) {
        RedisFilters.of(link).create("seen", Servers.plan("blocked", 100, 0.01));
      }
      primary.command("ACL", "SETUSER", "ada", "on", ">word", "~bloomery:*", "+@all", "-info");
      try (RedisLink link = client.connect("redis://ada:word@" + at)) {
        assertSays(at, "does not permit it", () -> RedisFilters.of(link).open("seen").put(1));
        assertSays(at, "does not permit it", () -> RedisFilters.of(link).accept("seen"));
      }
      assertSays(
          at, "refuses the user or the password", () -> client.connect("redis://ada:secret@" + at));
      primary.command("CONFIG", "SET", "requirepass", "word");
      assertSays(at, "requires a password", () -> client.connect(primary.uri()));
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  void aRealServerThatStopsOrHangs(Servers.Client client) throws Exception {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = client.connect(server.uri(), SHORT)) {
      String at = "127.0.0.1:" + server.port();
      server.signal("STOP");
      assertSays(at, "does not reply within", () -> RedisFilters.of(link).open("seen"));
      server.kill();
      RedisServer.await(
          "an end of connections",
          () ->
              !assertThrows(RuntimeException.class, () -> RedisFilters.of(link).open("seen"))
                  .getMessage()
                  .contains("does not reply"));
      RuntimeException e =
          assertThrows(RuntimeException.class, () -> RedisFilters.of(link).open("seen"));
      assertSays(at, e.getMessage().contains("refuses") ? "start it" : "has ended it", e);
    }
  }

  @Test
  void aTimeOutIsAtLeastAMillisecond() throws Exception {
    forAll(
        (client, address) -> {
          for (Duration timeout :
              List.of(Duration.ofNanos(999_999), Duration.ZERO, Duration.ofDays(25))) {
            IllegalArgumentException e =
                assertThrows(
                    IllegalArgumentException.class,
                    () -> client.connect(address.of("", "127.0.0.1:1"), timeout));
            assertTrue(e.getMessage().endsWith("but was " + timeout), e.getMessage());
          }
        });
  }

  /** One that waited for a connection of others' must not then wait for its own, and for more. */
  @Test
  void threadsOfJedisThatWaitForAServerOpenNoMoreConnectionsThanThereAreCalls() throws Exception {
    int calls = 24;
    try (RefusingServer server = new RefusingServer(RefusingServer.NOTHING)) {
      try (RedisLink link = JedisLink.connect("redis://127.0.0.1:" + server.port(), SHORT)) {
        server.greets(RefusingServer.NOTHING);
        Callable<Void> task =
            () -> {
              assertSays(
                  server.place(),
                  "does not reply within",
                  () -> RedisFilters.of(link).open("seen"));
              return null;
            };
        atOnce(Collections.nCopies(calls, task));
      }
      assertTrue(server.asked() <= calls, () -> server.asked() + " waits for replies");
    }
  }

  @ParameterizedTest
  @EnumSource(Address.class)
  void closingALinkOfLettuceWarnsOfNothing(Address address) {
    List<String> warnings = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("io.lettuce.core.RedisChannelHandler");
    logger.setFilter(
        record -> {
          if (record.getMessage().contains("already closed")) {
            warnings.add(record.getMessage());
          }
          return true;
        });
    try (RefusingServer server = new RefusingServer("-ERR no\r\n")) {
      RedisLink link = LettuceLink.connect(address.of("", server.place()), LONG);
      assertThrows(FilterUnavailableException.class, () -> RedisFilters.of(link).open("seen"));
      link.close();
      assertEquals(List.of(), warnings);
    } finally {
      logger.setFilter(null);
    }
  }

  @Test
  void aScriptIsSentHoweverLateTheServerSaysThatItHasNone() {
    try (RedisServer server = RedisServer.start(SEVEN);
        RedisLink link = JEDIS.connect(server.uri())) {
      RedisLink late =
          new ForwardingLink(link) {
            @Override
            public CompletableFuture<List<Object>> send(
                String node, List<List<byte[]>> commands, Executor executor) {
              return super.send(node, commands, executor)
                  .whenComplete(
                      (replies, failure) -> {
                        if (replies.toString().contains("NOSCRIPT")) {
                          // Longer than a Cluster is waited for, as a process that is suspended.
                          LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5_200));
                        }
                      });
            }
          };
      server.command("SCRIPT", "FLUSH");
      assertUnavailable("there is no filter 'none'", () -> RedisFilters.of(late).open("none"));
    }
  }
}
