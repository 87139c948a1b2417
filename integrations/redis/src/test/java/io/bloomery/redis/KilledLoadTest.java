package io.bloomery.redis;

import static io.bloomery.redis.RedisServer.Release.SEVEN;
import static io.bloomery.redis.RedisServer.Release.SIX;
import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter serves whole, the old one or the new one, wherever somebody who makes it is killed. */
class KilledLoadTest {

  private static final Set<Work> ALL = EnumSet.allOf(Work.class);
  private static final Set<Work> SOME = EnumSet.of(Work.LOAD, Work.REPLACE);

  /** Cuts a link, so that neither its work nor cleaning up goes on. */
  private static KillCampaign.Killer cutting(RedisLink link) {
    return (work, name, step, isCut, meanwhile) -> {
      AtomicBoolean begun = new AtomicBoolean();
      Runnable ifBegun =
          () -> {
            if (begun.get()) {
              meanwhile.run();
            }
          };
      MortalLink mortal = new MortalLink(link, step, isCut, ifBegun, () -> {});
      try {
        work.run(KillCampaign.filters(mortal), name, () -> begun.set(true));
      } catch (RuntimeException e) {
        assertTrue(mortal.isDead(), () -> work + " failed by itself: " + e);
      }
      return mortal.isDead();
    };
  }

  /** Kills a process by SIGKILL, or by SIGTERM if its last step is cut. */
  private static KillCampaign.Killer killing(Servers.Client client, String uri) {
    return (work, name, step, isCut, meanwhile) -> {
      Process process =
          Servers.process(
              Worker.class,
              client.name(),
              uri,
              work.name(),
              name,
              Integer.toString(step),
              Boolean.toString(isCut));
      try {
        int said = process.getInputStream().read();
        assertTrue(said == 'd' || said == 'k', () -> "it must be done or to be killed: " + said);
        if (isCut) {
          process.destroy();
          process.waitFor();
        }
        return said == 'k';
      } finally {
        process.destroyForcibly().waitFor();
      }
    };
  }

  /** The process: does its work up to a step, and then waits for its end, or that of its input. */
  static final class Worker {

    private Worker() {}

    public static void main(String[] arguments) throws Exception {
      try (RedisLink link = Servers.Client.valueOf(arguments[0]).connect(arguments[1])) {
        MortalLink mortal =
            new MortalLink(
                link,
                Integer.parseInt(arguments[4]),
                Boolean.parseBoolean(arguments[5]),
                () -> {},
                () -> {
                  say('k');
                  awaitEnd();
                });
        Work.valueOf(arguments[2]).run(KillCampaign.filters(mortal), arguments[3], () -> {});
        say('d');
      }
    }

    /**
     * Runs what runs at SIGTERM, since a process that gets it may find the end of its input first.
     */
    private static void awaitEnd() {
      try {
        while (System.in.read() >= 0) {}
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      System.exit(1);
    }

    private static void say(char word) {
      System.out.write(word);
      System.out.flush();
    }
  }

  /** At night at every step, with every half sent command, and for both clients. */
  @Test
  void whereverALinkIsCut() throws Exception {
    Random draw = Servers.draw();
    cut(
        JEDIS,
        campaign -> {
          campaign.run(3, draw, SOME, true);
          campaign.run(6, draw, ALL, false);
        });
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  @Tag("nightly")
  void whereverALinkIsCutInAnyWork(Servers.Client client) throws Exception {
    cut(client, campaign -> campaign.run(ALL, false, true));
  }

  private interface Cuts {
    void of(KillCampaign campaign) throws Exception;
  }

  private static void cut(Servers.Client client, Cuts cuts) throws Exception {
    RedisServer server = Servers.shared(SEVEN);
    try (RedisLink others = JEDIS.connect(server.uri());
        RedisLink link = client.connect(server.uri())) {
      cuts.of(new KillCampaign("a server, " + client, others, List.of(server), cutting(link)));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Work.class,
      names = {"LOAD", "REPLACE", "REBUILD"})
  void commandsThatComeTooLateChangeNothing(Work work) throws Exception {
    comeTooLate(work, 1 + Servers.draw().nextInt(3), 3);
  }

  @ParameterizedTest
  @EnumSource(
      value = Work.class,
      names = {"LOAD", "REPLACE", "REBUILD"})
  @Tag("nightly")
  void commandsOfAnyStepThatComeTooLateChangeNothing(Work work) throws Exception {
    comeTooLate(work, 1, 1);
  }

  /** A server that hung runs what it was sent when somebody else has made the filter meanwhile. */
  private static void comeTooLate(Work work, int first, int every) throws Exception {
    RedisServer server = Servers.shared(SEVEN);
    RedisLink link = JEDIS.shared(SEVEN);
    RedisFilters filters = KillCampaign.filters(link);
    int late = 0;
    for (int step = first; ; step += every) {
      String name = "late-" + work + "-" + step;
      if (work.besideAnother) {
        filters.load(name, Work.CONTENT);
      }
      HoldingLink holding = new HoldingLink(link, step);
      try {
        work.run(KillCampaign.filters(holding), name, () -> {});
        break; // it had no such step
      } catch (FilterUnavailableException e) {
        late++;
      }
      try {
        filters.open(name);
        Work.replace(filters, name, () -> {});
      } catch (FilterUnavailableException e) {
        filters.load(name, Work.CONTENT);
      }
      holding.release();
      RedisFilter filter = filters.open(name);
      assertEquals(0, KillCampaign.missing(filter, Work.HASHES), name);
      assertTrue(filter.put(-1) && filter.mightContain(-1), name);
      assertEquals(4, server.keysOf(name).size(), name);
      filter.seal();
      assertTrue(filters.delete(name));
    }
    assertTrue(late * every > 8, late + " steps");
  }

  /** Keeps the commands of one step and of those that follow. */
  private static final class HoldingLink extends ForwardingLink {

    private record Held(String node, List<List<byte[]>> commands) {}

    private final List<Held> held = new ArrayList<>();
    private int left;

    HoldingLink(RedisLink link, int step) {
      super(link);
      this.left = step;
    }

    @Override
    public CompletableFuture<List<Object>> send(
        String node, List<List<byte[]>> commands, Executor executor) {
      if (--left > 0) {
        return super.send(node, commands, executor);
      }
      held.add(new Held(node, commands));
      return CompletableFuture.failedFuture(new TimeoutException("no reply"));
    }

    void release() {
      for (Held each : held) {
        super.send(each.node(), each.commands(), Runnable::run).join();
      }
    }
  }

  @Test
  void whereverALinkToAClusterIsCut() throws Exception {
    RedisCluster cluster = Servers.cluster();
    try (RedisLink link = JEDIS.connect(cluster.uri())) {
      new KillCampaign("a Cluster", link, cluster.nodes(), cutting(link))
          .run(3, Servers.draw(), SOME, true);
    }
  }

  @ParameterizedTest
  @EnumSource(Servers.Client.class)
  @Tag("nightly")
  void whereverAProcessIsKilled(Servers.Client client) throws Exception {
    RedisServer server = Servers.shared(SIX);
    kill(client, "a server", server.uri(), List.of(server));
    kill(client, "a Cluster", Servers.cluster().uri(), Servers.cluster().nodes());
  }

  private static void kill(
      Servers.Client client, String where, String uri, List<RedisServer> servers) throws Exception {
    String title = "processes, " + where + ", " + client;
    try (RedisLink link = client.connect(uri)) {
      new KillCampaign(title, link, servers, killing(client, uri)).run(ALL, false, true);
    }
  }
}
