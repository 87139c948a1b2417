package io.bloomery.redis;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Windows and filters that expire keep their promises whatever happens to their servers: histories
 * of the processes that share them say nothing that the promises do not allow.
 */
class FaultHistoryTest {

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @Test
  void drawnFaultsOfTwentySeconds(@TempDir Path folder) throws Exception {
    campaign(folder, TimeUnit.SECONDS.toMillis(20));
  }

  @Test
  @Tag("nightly")
  void drawnFaultsOfTenMinutes(@TempDir Path folder) throws Exception {
    campaign(folder, TimeUnit.MINUTES.toMillis(10));
  }

  private static void campaign(Path folder, long millis) throws Exception {
    Random draw = Servers.draw();
    FaultCampaign campaign = new FaultCampaign(draw, folder);
    onAServer(campaign, RedisServer.Release.SEVEN, false, draw, millis * 2 / 5);
    onAServer(campaign, RedisServer.Release.SIX, true, draw, millis * 2 / 5);
    onACluster(campaign, draw, millis / 5);
    campaign.report();
  }

  private static void onAServer(
      FaultCampaign campaign,
      RedisServer.Release release,
      boolean isSynced,
      Random draw,
      long millis)
      throws Exception {
    String[] options =
        isSynced
            ? Fault.options("--appendonly", "yes", "--appendfsync", "always")
            : Fault.options();
    try (RedisServer server = RedisServer.start(release, options);
        RedisServer other = RedisServer.start(release)) {
      run(
          campaign,
          server.uri().replace("//", "//" + Fault.USER + ':' + Fault.PASSWORD + '@'),
          List.of(server),
          Fault.of(server, other, isSynced, campaign::setBack, draw),
          millis);
    }
  }

  private static void onACluster(FaultCampaign campaign, Random draw, long millis)
      throws Exception {
    try (RedisCluster cluster = RedisCluster.start()) {
      run(campaign, cluster.uri(), cluster.nodes(), Fault.of(cluster, draw), millis);
    }
  }

  private static void run(
      FaultCampaign campaign,
      String uri,
      List<RedisServer> servers,
      List<Fault> faults,
      long millis)
      throws Exception {
    try (RedisLink control = JedisLink.connect(uri, PATIENCE)) {
      campaign.run(uri, servers, control, faults, millis);
    }
  }
}
