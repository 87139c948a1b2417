package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static io.bloomery.redis.Servers.Client.LETTUCE;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.hash.KeyHasher;
import io.bloomery.window.SlidingBloomFilter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.redisson.Redisson;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.config.Config;

/**
 * Keys a second beside Redisson's filter, on one server, in turns: of each contender the median of
 * its rounds, and of every batch size the ratio of the two, round by round.
 */
@Tag("nightly")
class SpeedTest {

  private static final int ROUNDS = 7;
  private static final int EXPECTED = 1_000_000;
  private static final double FPP = 0.01;

  /** What puts or asks a batch of keys. */
  private record Contender(String name, Consumer<List<String>> put, Consumer<List<String>> query) {}

  @Test
  void batchesOfAThousandAreThreeTimesAsFastAsThoseOfRedisson() {
    RedisServer server = Servers.shared(RedisServer.Release.SEVEN);
    Config config = new Config();
    config.useSingleServer().setAddress(server.uri());
    RedissonClient redisson = Redisson.create(config);
    try (RedisLink jedis = JEDIS.connect(server.uri());
        RedisLink lettuce = LETTUCE.connect(server.uri())) {
      RBloomFilter<String> theirs = redisson.getBloomFilter("redisson");
      theirs.tryInit(EXPECTED, FPP);
      List<Contender> contenders = new ArrayList<>();
      contenders.add(new Contender("redisson", theirs::add, theirs::contains));
      for (String variant : List.of("blocked", "standard")) {
        contenders.add(ours(jedis, "jedis", variant));
        contenders.add(ours(lettuce, "lettuce", variant));
      }
      contenders.add(window(jedis, "jedis"));
      contenders.add(window(lettuce, "lettuce"));
      for (int batch : new int[] {1, 100, 1000}) {
        for (boolean put : new boolean[] {true, false}) {
          compare(contenders, batch, put);
        }
      }
    } finally {
      redisson.shutdown();
    }
  }

  private static Contender ours(RedisLink link, String client, String variant) {
    BloomFilter<String> filter =
        BloomFilter.of(
            RedisFilters.of(link)
                .create(
                    "speed-" + client + "-" + variant,
                    Bloomery.strings().expect(EXPECTED).fpp(FPP).variant(variant).plan()),
            KeyHasher.strings());
    return new Contender(variant + ", " + client, filter::putAll, filter::select);
  }

  private static Contender window(RedisLink link, String client) {
    RedisSlidingBloomFilter<String> window =
        RedisWindows.of(link)
            .create(
                "speed-" + client,
                SlidingBloomFilter.builder(
                    // So few that it has three generations when batches are large.
                    Bloomery.strings().expect(EXPECTED / 5).fpp(FPP).variant("blocked")));
    return new Contender("window, " + client, window::putAll, window::select);
  }

  private static void compare(List<Contender> contenders, int batch, boolean put) {
    int batches = batch == 1 ? 1000 : batch == 100 ? 100 : 30;
    double[][] rates = new double[contenders.size()][ROUNDS];
    for (int round = -2; round < ROUNDS; round++) { // two to warm up
      for (int i = 0; i < contenders.size(); i++) {
        Consumer<List<String>> call = put ? contenders.get(i).put() : contenders.get(i).query();
        List<List<String>> keys = keys(put, round, batch, batches);
        long begin = System.nanoTime();
        keys.forEach(call);
        double seconds = (System.nanoTime() - begin) / 1e9;
        if (round >= 0) {
          rates[i][round] = batch * (double) batches / seconds;
        }
      }
    }
    for (int i = 0; i < contenders.size(); i++) {
      String name = contenders.get(i).name();
      if (batch == 1000 && name.startsWith("window")) {
        double[] times = new double[ROUNDS];
        int filter = names(contenders).indexOf(name.replace("window", "blocked"));
        for (int round = 0; round < ROUNDS; round++) {
          times[round] = rates[filter][round] / rates[i][round];
        }
        Arrays.sort(times);
        System.out.printf(
            Locale.ROOT,
            "%5s %5d a batch %-22s takes %.2f times as long as blocked (%.2f to %.2f)%n",
            put ? "put" : "query",
            batch,
            name,
            times[ROUNDS / 2],
            times[0],
            times[ROUNDS - 1]);
      }
    }
    for (int i = 0; i < contenders.size(); i++) {
      double[] ratios = new double[ROUNDS];
      for (int round = 0; round < ROUNDS; round++) {
        ratios[round] = rates[i][round] / rates[0][round];
      }
      Arrays.sort(ratios);
      Arrays.sort(rates[i]);
      System.out.printf(
          Locale.ROOT,
          "%5s %5d a batch %-22s %9.0f keys/s, %5.2f times redisson (%.2f to %.2f)%n",
          put ? "put" : "query",
          batch,
          contenders.get(i).name(),
          rates[i][ROUNDS / 2],
          ratios[ROUNDS / 2],
          ratios[0],
          ratios[ROUNDS - 1]);
      if (batch == 1000 && contenders.get(i).name().startsWith("blocked")) {
        assertTrue(
            ratios[ROUNDS / 2] >= 3, contenders.get(i).name() + ": " + Arrays.toString(ratios));
      }
    }
  }

  private static List<String> names(List<Contender> contenders) {
    return contenders.stream().map(Contender::name).toList();
  }

  /** Makes keys that are new to all contenders, or, to be asked for, were never put. */
  private static List<List<String>> keys(boolean put, int round, int batch, int batches) {
    List<List<String>> all = new ArrayList<>();
    for (int i = 0; i < batches; i++) {
      List<String> keys = new ArrayList<>();
      for (int j = 0; j < batch; j++) {
        keys.add((put ? "put" : "query") + ' ' + batch + ' ' + round + ' ' + i + ' ' + j);
      }
      all.add(keys);
    }
    return all;
  }
}
