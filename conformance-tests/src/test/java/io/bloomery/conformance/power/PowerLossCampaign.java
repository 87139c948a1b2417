package io.bloomery.conformance.power;

import io.bloomery.conformance.power.History.Begun;
import io.bloomery.conformance.power.History.Done;
import io.bloomery.conformance.power.History.Event;
import io.bloomery.conformance.power.History.Write;
import io.bloomery.conformance.power.PowerLoss.Extent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Checks of what a workload leaves if power is lost: after each event of its history, and in states
 * that were drawn.
 */
final class PowerLossCampaign {

  /** The number of failures after which no more are looked for. */
  private static final int ENOUGH = 5;

  private final String name;
  private final Path scratch;
  private final Random random;
  private final Set<List<Object>> seen = new HashSet<>();
  private long prefixes;
  private long reorderings;
  private long states;
  private long forced;
  private long lost;
  private final List<String> failures = new ArrayList<>();

  /**
   * Makes a campaign.
   *
   * @param scratch an existing folder, for what is recorded and replayed
   */
  PowerLossCampaign(String name, Path scratch, Random random) {
    this.name = name;
    this.scratch = scratch;
    this.random = random;
  }

  /**
   * A state that a loss of power has left.
   *
   * @param files the content of each file, null for each folder
   * @param least the version that was done
   * @param most the version that was begun
   */
  private record State(SortedMap<String, byte[]> files, int least, int most) {
    /** The state of an empty folder. */
    private static final State EMPTY = new State(new TreeMap<>(), Workload.NONE, Workload.NONE);
  }

  /**
   * Records a workload, and checks what it leaves; and, if it goes on from there and nothing was
   * wrong, how it does from one of these states.
   *
   * @param left which events are left out, as if the library did without them
   * @param share the share of the events after which power is lost, and of writes by mappings a
   *     fifth of it
   * @param draws how many states are drawn each time
   */
  void run(Workload workload, Predicate<Event> left, double share, int draws) throws IOException {
    State state = run(workload, State.EMPTY, left, share, draws);
    Optional<Workload> next = workload.from(state.least(), state.most());
    if (next.isPresent() && failures.isEmpty()) {
      run(next.get(), state, left, share, draws);
    }
  }

  private State run(Workload workload, State start, Predicate<Event> left, double share, int draws)
      throws IOException {
    Path folder = Files.createTempDirectory(scratch, "recorded").toRealPath();
    write(start.files(), folder);
    History history = new History(folder);
    workload.run(RecordedFileSystem.path(history), history, random);
    delete(folder);
    PowerLoss power = new PowerLoss(history.root());
    int least = start.least();
    int most = start.most();
    boolean isBegun = false;
    State one = start;
    for (Event event : history.events()) {
      if (left.test(event)) {
        continue;
      }
      isBegun |= event instanceof Begun;
      least = event instanceof Done done ? done.version() : least;
      most = event instanceof Begun begun ? begun.version() : most;
      power.after(event);
      if (isBegun && (event instanceof Done || random.nextDouble() < share * weight(event))) {
        prefixes++;
        for (Extent extent : Extent.values()) {
          for (int i = 0; i < (extent == Extent.DRAWN ? draws : 1); i++) {
            State state = new State(power.state(extent, random), least, most);
            reorderings += extent == Extent.NOTHING ? 0 : 1;
            check(workload, state, extent + " after " + event);
            one = random.nextInt((int) (prefixes + reorderings)) == 0 ? state : one;
          }
        }
      }
    }
    return one;
  }

  // Bits are set by far more events than files are changed by otherwise, and less goes wrong there.
  private static double weight(Event event) {
    return event instanceof Write write && write.isMapped() ? 0.2 : 1;
  }

  private void check(Workload workload, State state, String what) throws IOException {
    if (failures.size() >= ENOUGH
        || !seen.add(List.of(workload, state.least(), state.most(), digest(state.files())))) {
      return;
    }
    states++;
    Path folder = Files.createTempDirectory(scratch, "replayed").toRealPath();
    write(state.files(), folder);
    int keys = state.least() == Workload.NONE ? 0 : workload.keys(state.least());
    forced += keys;
    try {
      int absent =
          workload.lost(
              RecordedFileSystem.path(History.notKept(folder)), state.least(), state.most());
      lost += absent;
      if (absent > 0) {
        failures.add(absent + " keys lost: " + what);
      }
    } catch (IOException e) {
      lost += keys;
      failures.add(e + ": " + what);
    } catch (AssertionError e) {
      failures.add(e.getMessage() + ": " + what);
    }
    delete(folder);
  }

  private static int digest(SortedMap<String, byte[]> state) {
    int digest = 0;
    for (Map.Entry<String, byte[]> entry : state.entrySet()) {
      digest = 31 * digest + entry.getKey().hashCode() * 31 + Arrays.hashCode(entry.getValue());
    }
    return digest;
  }

  private static void write(SortedMap<String, byte[]> state, Path folder) throws IOException {
    for (Map.Entry<String, byte[]> entry : state.entrySet()) {
      Path path = folder.resolve(entry.getKey());
      if (entry.getValue() == null) {
        Files.createDirectory(path);
      } else {
        Files.write(path, entry.getValue());
      }
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  /** Returns what was found wrong. */
  List<String> failures() {
    return failures;
  }

  /** Returns the head of a table of campaigns. */
  static String head() {
    return String.format(
        "%-24s %9s %12s %16s %12s %10s",
        "power lost during",
        "prefixes",
        "reorderings",
        "different states",
        "keys forced",
        "keys lost");
  }

  /** Returns a row of the table. */
  @Override
  public String toString() {
    return String.format(
        "%-24s %,9d %,12d %,16d %,12d %,10d", name, prefixes, reorderings, states, forced, lost);
  }
}
