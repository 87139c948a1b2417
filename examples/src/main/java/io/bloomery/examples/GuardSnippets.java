package io.bloomery.examples;

import io.bloomery.Bloomery;
import io.bloomery.MappedBloomFilter;
import io.bloomery.guard.AnswerLimits;
import io.bloomery.guard.Guard;
import io.bloomery.guard.GuardBuilder;
import io.bloomery.guard.GuardSource;
import io.bloomery.guard.GuardStats;
import io.bloomery.guard.ReadOnlyGuard;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The snippets about guards, in the README and in docs/guard.md. */
public final class GuardSnippets {

  /** A value of the application's own. */
  public record User(String name) {}

  /** A table in memory, in place of one in a database. */
  public static final class Table {

    private final Map<String, User> rows = new ConcurrentHashMap<>();

    /** Returns the names that are there now, as a query does. */
    public Stream<String> ids() {
      return List.copyOf(rows.keySet()).stream();
    }

    /** Returns the user of a name. */
    public Optional<User> find(String name) {
      return Optional.ofNullable(rows.get(name));
    }

    /** Adds a user. */
    public void insert(String name) {
      rows.put(name, new User(name));
    }

    /** Deletes a user, and returns whether there was one. */
    public boolean delete(String name) {
      return rows.remove(name) != null;
    }
  }

  private GuardSnippets() {}

  /** The first screen: asks, writes and deletes; returns what was found of ada. */
  public static Optional<User> guard(Table table) {
    Guard<String, User> users =
        Guard.builder(
                Bloomery.strings().expect(1_000_000).fpp(0.01),
                GuardSource.of(table::ids, table::find))
            .rebuildEvery(Duration.ofHours(6))
            .build();
    Optional<User> ada = users.get("ada"); // asks the table only if it may have her
    users.write("bob", () -> table.insert("bob")); // found from now on
    users.delete("ada", () -> table.delete("ada")); // true if the table had her
    users.close();
    return ada;
  }

  /** Names by number; a map stands for a database. */
  public static GuardStats recipes(Map<Long, String> connections, long asked)
      throws InterruptedException, TimeoutException {
    GuardSource<Long, String> source =
        GuardSource.of(() -> ids(connections), id -> nameOf(connections, id));
    Guard<Long, String> names =
        Guard.builder(Bloomery.longs().expect(10_000_000), source).name("names").build();
    names.awaitFilter(Duration.ofMinutes(2)); // throws TimeoutException with the reason
    names.rebuild().join(); // begins after this call, whatever runs already
    Optional<Integer> length = names.get(asked, id -> nameOf(connections, id).map(String::length));
    boolean worthAsking = names.mightContain(asked); // never asks the source
    GuardStats stats = names.stats();
    stats.state(); // READY
    stats.lookups(); // absent() + maybe() + withoutFilter()
    stats.measuredRate(); // rate(), low(), high(); empty if not measured
    stats.filter(); // fill, estimated keys, whether overfull; taken from time to time
    stats.lastError(); // why the last rebuild failed
    names.close();
    System.out.println(asked + ": " + worthAsking + length.map(chars -> ", " + chars).orElse(""));
    return stats;
  }

  private static Stream<Long> ids(Map<Long, String> connections) {
    return List.copyOf(connections.keySet()).stream();
  }

  private static Optional<String> nameOf(Map<Long, String> connections, long id) {
    return Optional.ofNullable(connections.get(id));
  }

  /** A file that is replaced; returns whether a name of the second is found. */
  public static boolean files(Path file, Table table, Runnable night) throws IOException {
    MappedBloomFilter<String> monday = Bloomery.strings().map(file);
    ReadOnlyGuard<String, User> known = ReadOnlyGuard.of(monday, table::find);
    night.run();
    MappedBloomFilter<String> tuesday = Bloomery.strings().map(file);
    known.replace(tuesday);
    monday.close(); // whoever is just asking it goes to the source
    boolean found = known.get("late").isPresent();
    known.close();
    tuesday.close();
    return found;
  }

  /** Limits of what is remembered; returns what was found of a key. */
  public static Optional<User> limits(Table table, String asked) {
    AnswerLimits limits =
        AnswerLimits.defaults()
            .values(100_000, Duration.ofMinutes(5))
            .absences(50_000, Duration.ofSeconds(30))
            .loadTimeout(Duration.ofSeconds(2));
    GuardBuilder<String, User> patient =
        Guard.builder(Bloomery.strings().expect(100_000), GuardSource.of(table::ids, table::find))
            .answers(limits);
    try (Guard<String, User> guard = patient.build()) {
      return guard.get(asked);
    }
  }

  /** A filter that is there in the next run; returns what was found of ada. */
  public static Optional<User> kept(Path folder, Table table) {
    Guard<String, User> kept =
        Guard.builder(Bloomery.strings().expect(1_000_000), GuardSource.of(table::ids, table::find))
            .liveIn(folder)
            .build();
    Optional<User> ada = kept.get("ada");
    kept.rebuild().join();
    kept.close();
    return ada;
  }

  /** Deletes that take keys out of the filter; returns whether ada may still be there. */
  public static boolean removing(Table table) throws InterruptedException, TimeoutException {
    Guard<String, User> sessions =
        Guard.builder(Bloomery.strings().expect(100_000), GuardSource.of(table::ids, table::find))
            .removeDeleted()
            .build();
    sessions.awaitFilter(Duration.ofMinutes(1));
    sessions.delete("ada", () -> table.delete("ada"));
    boolean maybe = sessions.mightContain("ada");
    sessions.close();
    return maybe;
  }
}
