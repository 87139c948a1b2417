package io.bloomery.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Windows and filters that expire keep their promises whatever happens to their servers: histories
 * of those who share them say nothing that the promises do not allow.
 */
class FaultHistoryTest {

  private static final long EPOCH_MICROS = 1_795_000_000_000_000L;
  private static final Duration TIME_OUT = Duration.ofSeconds(1);
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void drawnFaultsOfTwentySeconds() throws Exception {
    campaign(TimeUnit.SECONDS.toMillis(20));
  }

  @Test
  @Tag("nightly")
  void drawnFaultsOfTenMinutes() throws Exception {
    campaign(TimeUnit.MINUTES.toMillis(10));
  }

  private static void campaign(long millis) throws Exception {
    Random draw = Servers.draw();
    FaultCampaign campaign = new FaultCampaign(draw);
    onAServer(campaign, RedisServer.Release.SEVEN, false, draw, millis * 2 / 5);
    onAServer(campaign, RedisServer.Release.SIX, true, draw, millis * 2 / 5);
    onACluster(campaign, draw, millis / 5);
    campaign.report();
  }

  private static long micros() {
    return EPOCH_MICROS + System.nanoTime() / 1000;
  }

  private static void onAServer(
      FaultCampaign campaign,
      RedisServer.Release release,
      boolean isSynced,
      Random draw,
      long millis)
      throws Exception {
    AtomicLong setBack = new AtomicLong();
    String[] options =
        isSynced
            ? Fault.options("--appendonly", "yes", "--appendfsync", "always")
            : Fault.options();
    try (RedisServer server = RedisServer.start(release, options);
        RedisServer other = RedisServer.start(release)) {
      String uri = server.uri().replace("//", "//" + Fault.USER + ':' + Fault.PASSWORD + '@');
      run(
          campaign,
          uri,
          node -> micros() - setBack.get(),
          Fault.of(server, other, isSynced, setBack, draw),
          millis);
    }
  }

  private static void onACluster(FaultCampaign campaign, Random draw, long millis)
      throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      List<RedisServer> nodes = cluster.nodes();
      // The clocks of the nodes differ by hours.
      ToLongFunction<String> clocks =
          node -> {
            for (int i = 0; i < nodes.size(); i++) {
              if (node.endsWith(":" + nodes.get(i).port())) {
                return micros() + TimeUnit.HOURS.toMicros(i);
              }
            }
            throw new IllegalArgumentException(node);
          };
      run(campaign, cluster.uri(), clocks, Fault.of(cluster, draw), millis);
    }
  }

  private static void run(
      FaultCampaign campaign,
      String uri,
      ToLongFunction<String> clocks,
      List<Fault> faults,
      long millis)
      throws Exception {
    try (RedisLink jedis = JedisLink.connect(uri, TIME_OUT);
        RedisLink lettuce = LettuceLink.connect(uri, TIME_OUT);
        RedisLink control = JedisLink.connect(uri, PATIENCE)) {
      campaign.run(
          List.of(links(jedis, clocks), links(lettuce, clocks)),
          links(control, clocks),
          new ArrayList<>(faults),
          millis);
    }
  }

  private static Shared.Links links(RedisLink link, ToLongFunction<String> clocks) {
    return new Shared.Links(link, new ClockLink(link, clocks));
  }
}
