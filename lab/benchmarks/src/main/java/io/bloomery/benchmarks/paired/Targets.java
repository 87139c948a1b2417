package io.bloomery.benchmarks.paired;

import static io.bloomery.benchmarks.paired.Operation.BATCH_HIT;
import static io.bloomery.benchmarks.paired.Operation.BATCH_MISS;
import static io.bloomery.benchmarks.paired.Operation.BATCH_MIX;
import static io.bloomery.benchmarks.paired.Operation.BUILD;
import static io.bloomery.benchmarks.paired.Operation.HIT;
import static io.bloomery.benchmarks.paired.Operation.MISS;
import static io.bloomery.benchmarks.paired.Operation.MIX;
import static io.bloomery.benchmarks.paired.Operation.PUT_AGAIN;
import static io.bloomery.benchmarks.paired.Operation.PUT_AND_REMOVE;
import static io.bloomery.benchmarks.paired.Operation.PUT_FRESH;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import io.bloomery.benchmarks.paired.Subject.Role;
import io.bloomery.benchmarks.paired.Target.Place;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The targets of Bloomery for speed, memory and rates, and their evaluation. */
public final class Targets {

  private static final String GUAVA = Subject.REFERENCE;
  private static final String STANDARD = "standard";
  private static final String PARTITIONED = "partitioned";
  private static final String SPLIT_BLOCK = "split-block";
  private static final String VECTOR = "split-block-vector";
  private static final String COUNTING = "counting";
  private static final String COUNTING_FAST = "counting-fast";
  private static final String SCALABLE = "scalable";
  private static final String FASTFILTER_COUNTING = "fastfilter-counting";
  private static final String FASTFILTER_SUCCINCT = "fastfilter-succinct";
  private static final String CONFINED = "-confined";

  private static final long SMALL = 100_000;
  private static final long LARGE = 10_000_000;
  private static final long HUGE = 100_000_000;
  private static final List<Long> SIZES = List.of(SMALL, LARGE, HUGE);
  private static final List<Operation> QUERIES =
      List.of(HIT, MISS, MIX, BATCH_HIT, BATCH_MISS, BATCH_MIX);
  private static final List<Operation> QUERIES_AND_BUILD =
      Stream.concat(QUERIES.stream(), Stream.of(BUILD)).toList();

  /**
   * The mean size of ASCII text of 24 to 44 characters as an array, including header and padding to
   * eight bytes: 53.7. The text belongs to the caller; its bytes are created for each call.
   */
  private static final double STRING_BYTES = 53.8;

  private static final double LESS_THAN_A_MEGABYTE = 1_000_000.0 / AllocationStats.CALLS;

  private static final List<Target> ALL = all();

  private Targets() {}

  /** Whether a target was met. */
  public enum Verdict {
    /** The target was met: the median is on the right side. */
    MET,
    /** The target was missed. */
    MISSED,
    /** The results do not contain the required measurements. */
    NOT_MEASURED
  }

  /**
   * A target and its evaluation.
   *
   * @param text the comparison
   * @param wanted the minimum or maximum
   * @param measured the number; three equal ones if it was measured once
   * @param detail further details, such as the closest peer; may be empty
   */
  public record Outcome(
      String text, String wanted, Optional<Quartiles> measured, String detail, Verdict verdict) {}

  /** Compares results with all targets. */
  public static List<Outcome> of(Results results) {
    return ALL.stream().map(target -> target.in(results)).toList();
  }

  private static List<Target> all() {
    List<Target> targets = new ArrayList<>();
    order(targets);
    limits(targets);
    standard(targets);
    splitBlock(targets);
    partitioned(targets);
    counting(targets);
    scalable(targets);
    mapped(targets);
    objects(targets);
    shared(targets);
    allocation(targets);
    memory(targets);
    return List.copyOf(targets);
  }

  private static void mapped(List<Target> targets) {
    for (String variant : List.of(STANDARD, PARTITIONED, SPLIT_BLOCK, COUNTING, SCALABLE)) {
      for (long keys : SIZES) {
        for (Operation operation : List.of(HIT, MISS)) {
          targets.add(Target.cost(variant + "-mapped", variant, operation, Place.longs(keys), 1.2));
        }
      }
    }
  }

  private static void order(List<Target> targets) {
    for (long keys : SIZES) {
      Place place = Place.longs(keys);
      for (String ours : List.of(STANDARD, PARTITIONED)) {
        targets.add(ahead(ours, peers(Role.PLAIN), place));
      }
      for (String ours : List.of(SPLIT_BLOCK, VECTOR)) {
        targets.add(ahead(ours, peers(Role.BLOCKED), place));
      }
      // It needs half the memory of its peers, at the price of slower updates; see counting below.
      targets.add(
          Target.ahead(COUNTING, COUNTING + CONFINED, peers(Role.COUNTING), QUERIES, place));
      targets.add(ahead(COUNTING_FAST, peers(Role.COUNTING), place));
      targets.add(Target.ahead(SCALABLE, SCALABLE, List.of(GUAVA), QUERIES_AND_BUILD, place));
    }
  }

  private static Target ahead(String ours, List<String> peers, Place place) {
    return Target.ahead(ours, ours + CONFINED, peers, QUERIES_AND_BUILD, place);
  }

  private static List<String> peers(Role role) {
    return Subject.all().stream()
        .filter(subject -> subject.role() == role && !subject.ours())
        .map(Subject::name)
        .toList();
  }

  private static void limits(List<Target> targets) {
    Place huge = Place.longs(HUGE);
    for (Operation batch : List.of(BATCH_HIT, BATCH_MISS, BATCH_MIX)) {
      for (String ours : List.of(SPLIT_BLOCK, VECTOR)) {
        targets.add(Target.cost(ours, "one-line", batch, huge, 1.15));
      }
    }
    for (Operation query : QUERIES) {
      targets.add(Target.cost(STANDARD, "seven-words", query, huge, 1.25));
    }
  }

  private static void standard(List<Target> targets) {
    Place small = Place.longs(SMALL);
    Place huge = Place.longs(HUGE);
    targets.add(Target.faster(STANDARD, GUAVA, MISS, small, 7));
    targets.add(Target.faster(STANDARD, GUAVA, MISS, huge, 4.7));
    targets.add(Target.faster(STANDARD, GUAVA, HIT, small, 5.5));
    targets.add(Target.faster(STANDARD, GUAVA, HIT, huge, 3.1));
    targets.add(Target.faster(STANDARD, GUAVA, MIX, small, 5));
    targets.add(Target.faster(STANDARD, GUAVA, MIX, huge, 2.3));
    targets.add(Target.faster(STANDARD, GUAVA, BATCH_MISS, small, 8.7));
    targets.add(Target.faster(STANDARD, GUAVA, BATCH_MISS, huge, 5));
    targets.add(Target.faster(STANDARD + CONFINED, GUAVA, BUILD, huge, 4.8));
  }

  private static void splitBlock(List<Target> targets) {
    Place small = Place.longs(SMALL);
    Place huge = Place.longs(HUGE);
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, HIT, small, 8));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, MISS, small, 8));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, HIT, huge, 5.5));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, MISS, huge, 6.5));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, BATCH_MISS, huge, 10));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, BATCH_MIX, huge, 8));
    targets.add(Target.faster(VECTOR, GUAVA, HIT, small, 16));
    targets.add(Target.faster(VECTOR, GUAVA, MISS, small, 16));
    targets.add(Target.faster(VECTOR, GUAVA, HIT, huge, 8.5));
    targets.add(Target.faster(VECTOR, GUAVA, MISS, huge, 10));
    targets.add(Target.faster(VECTOR, GUAVA, MIX, small, 12));
    targets.add(Target.faster(VECTOR, GUAVA, MIX, huge, 6.8));
    // In the caches, the prototype was timed with present keys, beyond them with new ones.
    targets.add(Target.faster(VECTOR + CONFINED, GUAVA, PUT_AGAIN, small, 20));
    targets.add(Target.faster(VECTOR + CONFINED, GUAVA, PUT_FRESH, small, 20));
    targets.add(Target.faster(VECTOR + CONFINED, GUAVA, PUT_FRESH, huge, 15));
  }

  private static void partitioned(List<Target> targets) {
    for (long keys : SIZES) {
      Place place = Place.longs(keys);
      for (Operation query : QUERIES) {
        targets.add(Target.cost(PARTITIONED, STANDARD, query, place, 1.1));
      }
      targets.add(Target.cost(PARTITIONED + CONFINED, STANDARD + CONFINED, BUILD, place, 1.1));
    }
  }

  private static void counting(List<Target> targets) {
    Place large = Place.longs(LARGE);
    for (Operation query : List.of(HIT, MISS)) {
      targets.add(Target.faster(COUNTING, GUAVA, query, large, 5.7));
      targets.add(Target.faster(COUNTING, FASTFILTER_COUNTING, query, large, 2.3));
    }
    for (long keys : List.of(SMALL, LARGE)) {
      Place place = Place.longs(keys);
      String small = COUNTING + CONFINED;
      targets.add(Target.faster(small, FASTFILTER_SUCCINCT, PUT_FRESH, place, 1.5));
      targets.add(Target.faster(small, FASTFILTER_SUCCINCT, PUT_AND_REMOVE, place, 1.25));
      String fast = COUNTING_FAST + CONFINED;
      targets.add(Target.faster(fast, FASTFILTER_COUNTING, PUT_FRESH, place, 1));
      targets.add(Target.faster(fast, FASTFILTER_COUNTING, PUT_AND_REMOVE, place, 1));
    }
    targets.add(Target.max(COUNTING, Stats.BITS_PER_KEY, KeyKind.LONG, LARGE, 21));
    targets.add(Target.max(COUNTING_FAST, Stats.BITS_PER_KEY, KeyKind.LONG, LARGE, 27));
  }

  private static void scalable(List<Target> targets) {
    String six = "scalable-six-slices";
    targets.add(Target.cost(six, SCALABLE, MISS, Place.longs(SMALL), 2));
    targets.add(Target.faster(six, GUAVA, PUT_FRESH, Place.longs(SMALL), 2));
    targets.add(Target.faster(six, GUAVA, PUT_FRESH, Place.longs(LARGE), 1.3));
  }

  private static void objects(List<Target> targets) {
    for (String ours : List.of(SPLIT_BLOCK, VECTOR)) {
      for (Operation query : List.of(HIT, MISS)) {
        targets.add(Target.faster(ours, GUAVA, query, new Place(KeyKind.STRING, SMALL, 1), 4.5));
        targets.add(Target.faster(ours, GUAVA, query, new Place(KeyKind.STRING, LARGE, 1), 5.8));
        targets.add(Target.faster(ours, GUAVA, query, new Place(KeyKind.BYTES, SMALL, 1), 6));
        targets.add(Target.faster(ours, GUAVA, query, new Place(KeyKind.BYTES, LARGE, 1), 6));
      }
    }
  }

  private static void shared(List<Target> targets) {
    long keys = Contest.SHARED_KEYS;
    Place one = Place.longs(keys);
    Place two = Place.byTwo(keys);
    for (String ours : List.of(SPLIT_BLOCK, VECTOR)) {
      targets.add(Target.faster(ours, GUAVA, PUT_AGAIN, two, 6.9));
      targets.add(Target.costByTwo(ours, PUT_AGAIN, keys, 1.1));
      targets.add(Target.faster(ours, GUAVA, PUT_FRESH, one, 7.5));
      targets.add(Target.faster(ours, GUAVA, PUT_FRESH, two, 6.6));
    }
    targets.add(Target.faster(STANDARD, GUAVA, PUT_FRESH, Place.longs(SMALL), 3.5));
    targets.add(Target.faster(SPLIT_BLOCK, GUAVA, PUT_FRESH, Place.longs(SMALL), 10));
    targets.add(Target.faster(STANDARD, GUAVA, PUT_FRESH, one, 2.8));
    targets.add(Target.faster(STANDARD, GUAVA, PUT_FRESH, two, 1.9));
    targets.add(Target.faster(STANDARD, GUAVA, PUT_AGAIN, one, 4.5));
    targets.add(Target.faster(STANDARD, GUAVA, PUT_AGAIN, two, 4.5));
  }

  private static void allocation(List<Target> targets) {
    for (String ours : List.of(STANDARD, PARTITIONED, SPLIT_BLOCK, VECTOR, COUNTING, SCALABLE)) {
      for (KeyKind kind : KeyKind.values()) {
        double max = LESS_THAN_A_MEGABYTE + (kind == KeyKind.STRING ? STRING_BYTES : 0);
        for (String what : List.of(Stats.QUERY_BYTES, Stats.PUT_BYTES)) {
          targets.add(Target.max(ours, what, kind, AllocationStats.CALLS, max));
        }
      }
    }
  }

  private static void memory(List<Target> targets) {
    for (long keys : SIZES) {
      targets.add(Target.max(STANDARD, Stats.BITS_PER_KEY, KeyKind.LONG, keys, 9.6));
      targets.add(Target.max(SPLIT_BLOCK, Stats.BITS_PER_KEY, KeyKind.LONG, keys, 10.6));
    }
    for (String ours : List.of(STANDARD, PARTITIONED, SPLIT_BLOCK, VECTOR, COUNTING, SCALABLE)) {
      targets.add(Target.asPlanned(ours, HUGE, 0.005));
    }
  }
}
