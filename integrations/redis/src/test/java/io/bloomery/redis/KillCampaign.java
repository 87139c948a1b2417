package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Kills whoever makes or replaces a filter, at each round trip. Then a reader asks for all keys,
 * another makes the filter again, and what is left on the servers is counted.
 */
final class KillCampaign {

  /** Ends somebody in the midst of his work. */
  interface Killer {

    /**
     * Returns whether the work took so many steps; it was done in full otherwise.
     *
     * @param isCut whether the server gets only the first half of the commands of the last step
     * @param meanwhile is run before each step that follows its beginning, if the killer can
     */
    boolean kill(Work work, String name, int step, boolean isCut, Runnable meanwhile)
        throws Exception;
  }

  private static final long[] HASHES_BEFORE = Servers.hashes(Work.KEYS, 2 * Work.KEYS);
  private static final long[] HASHES_MEANWHILE = Servers.hashes(2 * Work.KEYS, 3 * Work.KEYS);

  private final String title;
  private final RedisLink link;
  private final List<RedisServer> servers;
  private final Killer killer;

  private int kills;
  private final List<String> failures = new ArrayList<>();

  /**
   * Creates a campaign.
   *
   * @param link the link of everybody but the one who is killed
   * @param servers the servers on which what is left is counted
   */
  KillCampaign(String title, RedisLink link, List<RedisServer> servers, Killer killer) {
    this.title = title;
    this.link = link;
    this.servers = servers;
    this.killer = killer;
  }

  /** Kills at each step of some works, and fails if anything went wrong. */
  void run(Collection<Work> works, boolean... cuts) throws Exception {
    run(1, new Random(0), works, cuts);
  }

  /** Kills at each step that is so many after another, from a drawn one on. */
  void run(int every, Random draw, Collection<Work> works, boolean... cuts) throws Exception {
    for (Work work : works) {
      for (boolean isCut : cuts) {
        for (int step = 1 + draw.nextInt(every); kill(work, step, isCut); step += every) {
          kills++;
        }
      }
    }
    System.out.printf("%s, %s: %,d kills%n", title, works, kills);
    assertTrue(kills * every > 10, () -> kills + " kills");
    assertEquals(List.of(), failures);
  }

  private boolean kill(Work work, int step, boolean isCut) throws Exception {
    String name = "killed-" + work + "-" + step + "-" + isCut;
    RedisFilters filters = filters(link);
    try {
      RedisFilter before = work.besideAnother ? filters.load(name, Work.CONTENT) : null;
      work.prepare(filters, name);
      List<Long> acknowledged = new ArrayList<>();
      if (before != null) {
        before.clear();
        before.putAll(HASHES_BEFORE, 0, Work.KEYS);
      }
      Runnable meanwhile =
          () -> {
            if (before != null) {
              long hash = HASHES_MEANWHILE[acknowledged.size()];
              before.put(hash);
              acknowledged.add(hash);
            }
          };
      if (!killer.kill(work, name, step, isCut, meanwhile)) {
        return false;
      }
      long[] put = acknowledged.stream().mapToLong(Long::longValue).toArray();
      boolean isServing = read(work, filters, name, put);
      try {
        makeAgain(isServing, filters, name);
      } catch (IOException | RuntimeException e) {
        failures.add(name + ", second maker: " + e);
      }
    } finally {
      remove(name);
    }
    return true;
  }

  static RedisFilters filters(RedisLink link) {
    return RedisFilters.of(link, RedisOptions.defaults().chunks(3));
  }

  /** Asks for all keys, of which none may be called absent, and returns whether it could. */
  private boolean read(Work work, RedisFilters filters, String name, long[] put) {
    RedisFilter filter;
    try {
      filter = filters.open(name);
    } catch (FilterUnavailableException e) {
      if (work.besideAnother) {
        failures.add(name + ", reader: " + e.getMessage());
      }
      return false;
    }
    int missing = missing(filter, Work.HASHES);
    if (work.besideAnother) {
      missing = missing(filter, put) + Math.min(missing, missing(filter, HASHES_BEFORE));
    } else if (work == Work.CREATE) {
      missing = 0;
    }
    if (missing > 0) {
      failures.add(name + ", reader: " + missing + " absent");
    }
    return true;
  }

  private void makeAgain(boolean isServing, RedisFilters filters, String name) throws IOException {
    if (isServing) {
      Work.replace(filters, name, () -> {});
    } else {
      filters.load(name, Work.CONTENT);
    }
    RedisFilter filter = filters.open(name);
    int missing = missing(filter, Work.HASHES);
    if (missing > 0) {
      failures.add(name + ", after the second maker: " + missing + " absent");
    }
    assertEquals(Work.CONTENT.spec(), filter.spec());
    Set<String> keys = new TreeSet<>();
    servers.forEach(server -> keys.addAll(server.keysOf(name)));
    keys.remove("bloomery:{" + name + "}");
    IntStream.range(0, filter.served().count())
        .forEach(chunk -> keys.remove("bloomery:{" + name + "/" + chunk + "}"));
    keys.forEach(key -> failures.add(key + " is left after the second maker"));
  }

  private void remove(String name) {
    for (RedisServer server : servers) {
      server.keysOf(name).forEach(key -> server.command("DEL", key));
    }
  }

  static int missing(RedisFilter filter, long[] hashes) {
    return hashes.length - filter.select(hashes, 0, hashes.length, new int[hashes.length]);
  }
}
