package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whether what messages tell to do leads out of what they are about. */
class NextStepsTest {

  private static final int KEYS = 500;
  private static final long[] HASHES = Servers.hashes(0, KEYS);

  /** What is done to a filter, or what a message says that can be done. */
  private interface Step {
    void on(String name) throws IOException;
  }

  private final RedisServer server =
      RedisServer.start(
          RedisServer.Release.SEVEN, "--appendonly", "yes", "--appendfsync", "always");
  private RedisLink link;
  private RedisFilters filters;
  private int cases;

  @BeforeEach
  void connect() {
    link = JEDIS.connect(server.uri());
    filters = KillCampaign.filters(link);
  }

  @AfterEach
  void stop() {
    link.close();
    server.close();
  }

  /** Gets a filter into trouble, once for each step that a message names, and takes that step. */
  private void follow(Step trouble, Step call, List<String> words, Step... steps)
      throws IOException {
    assertEquals(words.size(), steps.length);
    for (int i = 0; i < steps.length; i++) {
      String name = "case-" + cases++;
      create(name);
      trouble.on(name);
      IllegalStateException e =
          assertThrows(IllegalStateException.class, () -> call.on(name), words.get(i));
      String message = String.valueOf(e.getMessage());
      assertTrue(message.contains(words.get(i)), () -> message);
      steps[i].on(name);
      RedisFilter filter = filters.open(name);
      assertEquals(KEYS, filter.select(HASHES, 0, KEYS, new int[KEYS]), message);
      assertTrue(filter.put(-1), message);
      assertEquals(filter.served().verified().sequence(), filter.generation(), message);
    }
  }

  private void create(String name) {
    fill(filters.create(name, Servers.plan("blocked", KEYS, 0.01)));
  }

  private static void fill(RedisFilter filter) {
    filter.putAll(HASHES, 0, KEYS);
  }

  private void rebuild(String name) {
    try (RedisRebuild rebuild = filters.rebuild(name, Servers.plan("blocked", KEYS, 0.01))) {
      rebuild.putAll(HASHES, 0, KEYS);
      rebuild.commit();
    }
  }

  private void open(String name) {
    filters.open(name);
  }

  private void delete(String... keys) {
    for (String key : keys) {
      assertEquals(1L, server.command("DEL", key));
    }
  }

  private void cutALoad(String name) {
    filters.delete(name);
    Work.LOAD_OVER_A_HALF.prepare(filters, name);
  }

  @Test
  void whereThereIsNoFilter() throws IOException {
    follow(
        name -> filters.delete(name),
        this::open,
        List.of("create it", "rebuild it"),
        this::create,
        this::rebuild);
    follow(
        name -> delete("bloomery:{" + name + "}"),
        name -> filters.accept(name),
        List.of("rebuild it"),
        this::rebuild);
    follow(
        name -> delete("bloomery:{" + name + "}"),
        this::create,
        List.of("rebuild it", "delete what is left", "RedisOptions.replaceLost()"),
        this::rebuild,
        name -> {
          filters.delete(name);
          create(name);
        },
        name ->
            fill(
                RedisFilters.of(link, RedisOptions.defaults().replaceLost())
                    .create(name, Servers.plan("blocked", KEYS, 0.01))));
  }

  @Test
  void whereAFilterIsNotThereYet() throws IOException {
    follow(
        this::cutALoad,
        this::open,
        List.of("load or rebuild it again", "load or rebuild it again"),
        name -> fill(filters.load(name, Work.CONTENT)),
        this::rebuild);
  }

  @Test
  void whereKeysAreLostOrOthers() throws IOException {
    Step one = this::open;
    follow(name -> delete("bloomery:{" + name + "/1}"), one, List.of("rebuild"), this::rebuild);
    follow(
        name -> server.command("APPEND", "bloomery:{" + name + "/1}", "x"),
        one,
        List.of("rebuild"),
        this::rebuild);
    follow(
        name -> {
          delete("bloomery:{" + name + "/1}");
          server.command("LPUSH", "bloomery:{" + name + "/1}", "a list");
        },
        one,
        List.of("rebuild it"),
        this::rebuild);
    follow(
        name -> server.command("SET", "bloomery:{" + name + "/1}", "x"),
        one,
        List.of("rebuild it"),
        this::rebuild);
    follow(
        name -> server.command("SET", "bloomery:{" + name + "}", "x"),
        one,
        List.of("delete the filter, then rebuild it from its source"),
        name -> {
          filters.delete(name);
          create(name);
        });
  }

  @Test
  void whereAFilterWasMadeAnew() throws IOException {
    RedisFilter[] before = new RedisFilter[1];
    follow(
        name -> {
          before[0] = filters.open(name);
          filters.delete(name);
          create(name);
        },
        name -> before[0].put(1),
        List.of("open it again"),
        this::open);
  }

  @Test
  void whereThereIsAFilterAlready() throws IOException {
    follow(
        name -> {},
        this::create,
        List.of("open", "rebuild", "delete"),
        this::open,
        this::rebuild,
        name -> {
          filters.delete(name);
          create(name);
        });
    follow(
        name -> filters.open(name).seal(),
        name -> filters.open(name).put(1),
        List.of("rebuild it with the keys to add"),
        this::rebuild);
  }

  @Test
  void whereARebuildWasSupersededOrCannotBeCompleted() throws IOException {
    RedisRebuild[] first = new RedisRebuild[1];
    Step begin = name -> first[0] = filters.rebuild(name, Servers.plan("blocked", KEYS, 0.01));
    Step commit = name -> first[0].commit();
    follow(
        name -> {
          begin.on(name);
          filters.rebuild(name, Servers.plan("blocked", KEYS, 0.01)).close();
        },
        commit,
        List.of("begin again"),
        this::rebuild);
    follow(
        name -> {
          begin.on(name);
          filters.delete(name);
        },
        commit,
        List.of("begin again"),
        this::rebuild);
    follow(
        name -> {
          begin.on(name);
          first[0].putAll(HASHES, 0, KEYS);
          server.command("RENAME", "bloomery:{" + name + "/0}:next", "bloomery:{" + name + "/0}");
          delete("bloomery:{" + name + "/2}:next");
        },
        this::open,
        List.of("rebuild it if that does not help"),
        this::rebuild);
  }

  @Test
  void whereAServerWasStartedAgain() throws IOException {
    follow(
        name -> {
          server.kill();
          server.startAgain();
          Servers.awaitAnswer(() -> filters.exists(name));
        },
        this::open,
        List.of("rebuild the filter", "accept the server"),
        this::rebuild,
        name -> filters.accept(name));
  }
}
