package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Matrix.Extra;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * No variant has become much slower, against others in the same rounds.
 *
 * <p>Quartiles of such ratios lie within 1 % in the caches and within 20 % beyond them. Every limit
 * leaves a third or more to what is expected there, so that a busy machine keeps it; and a call
 * that is no longer inlined, a branch in place of none, or a batch that no longer reads ahead costs
 * more than that. What is counted and not timed has no margin.
 */
final class SpeedGateTest {

  private static final String GUAVA = Subject.REFERENCE;
  private static final String STANDARD = "standard";
  private static final String BLOCKED = "blocked";
  private static final String COUNTING = "counting";
  private static final String SCALABLE = "scalable";
  private static final long SMALL = 100_000;
  private static final long LARGE = 10_000_000;
  private static final int ROUNDS = 51;

  private static final Set<String> SUBJECTS =
      Set.of(
          GUAVA,
          "fastfilter-counting",
          "one-word",
          "seven-words",
          STANDARD,
          "standard-confined",
          "partitioned",
          BLOCKED,
          "blocked-confined",
          "standard-mapped",
          "blocked-mapped",
          COUNTING,
          SCALABLE,
          "scalable-six-layers");

  @Test
  @Tag("nightly")
  void noVariantIsMuchSlowerThanItWas() throws IOException {
    Matrix matrix =
        new Matrix(
            EnumSet.of(KeyKind.LONG),
            List.of(SMALL, LARGE),
            EnumSet.allOf(Operation.class),
            SUBJECTS,
            ROUNDS,
            EnumSet.of(Extra.RATES, Extra.TWO_THREADS));
    Results results = Contest.run(matrix, System.err::println);
    gates().forEach(gate -> System.out.println(gate.in(results)));
    assertEquals(
        "",
        gates().stream()
            .filter(gate -> !gate.isKeptBy(results))
            .map(gate -> gate.in(results))
            .collect(Collectors.joining(System.lineSeparator())));
  }

  /**
   * A jump on an answer that nobody can predict makes a mix twice as slow as hits, or more; asked
   * for are 1.25 times, and the rest is for a busy machine.
   */
  @ParameterizedTest
  @EnumSource(names = {"MIXED", "MISSES", "HITS"})
  @Tag("nightly")
  void anAnswerIsNoJumpWhateverCameBefore(WarmUp warmUp) throws IOException {
    Set<String> ours =
        Subject.all().stream()
            .filter(one -> one.ours() && one.available() && one.role() != Subject.Role.GROWING)
            .map(Subject::name)
            .collect(Collectors.toSet());
    Matrix matrix =
        new Matrix(
            EnumSet.of(KeyKind.LONG),
            List.of(SMALL),
            EnumSet.of(Operation.MIX, Operation.HIT, Operation.BATCH_MIX, Operation.BATCH_HIT),
            ours,
            ROUNDS,
            EnumSet.noneOf(Extra.class));
    Results results = Contest.run(matrix, warmUp, System.err::println);
    for (String subject : ours) {
      isNoJump(results, subject, Operation.MIX, Operation.HIT);
      isNoJump(results, subject, Operation.BATCH_MIX, Operation.BATCH_HIT);
    }
  }

  private static void isNoJump(Results results, String subject, Operation mix, Operation hit) {
    double ratio = nanos(results, mix, subject) / nanos(results, hit, subject);
    System.out.println(subject + ": " + mix.label() + ", times " + hit.label() + ": " + ratio);
    assertTrue(ratio <= 1.6, () -> subject + ": " + mix.label() + " takes " + ratio);
  }

  private static double nanos(Results results, Operation operation, String subject) {
    return results
        .figures(KeyKind.LONG, SMALL, operation.label(), 1)
        .orElseThrow()
        .nanos(subject)
        .median();
  }

  private static List<Gate> gates() {
    List<Gate> gates = new ArrayList<>();
    inTheCaches(gates);
    beyondThem(gates);
    counted(gates);
    for (String ours : List.of(STANDARD, BLOCKED)) {
      // Expected 1.0: nothing is written, so no line goes from one core to the other. Written each
      // time, it takes 2 to 4.
      gates.add(Gate.costByTwo(ours, Operation.PUT_AGAIN, Contest.SHARED_KEYS, 1.6));
    }
    return gates;
  }

  private static void inTheCaches(List<Gate> gates) {
    gates.add(Gate.faster(STANDARD, GUAVA, Operation.MISS, SMALL, 3)); // expected 6
    gates.add(Gate.faster(STANDARD, GUAVA, Operation.HIT, SMALL, 3)); // 5.5
    gates.add(Gate.faster(STANDARD, GUAVA, Operation.BATCH_MISS, SMALL, 5)); // 9
    gates.add(Gate.faster("standard-confined", GUAVA, Operation.BUILD, SMALL, 4)); // 7.5
    gates.add(Gate.cost("partitioned", STANDARD, Operation.MISS, SMALL, 1.6)); // 1.0
    gates.add(Gate.faster(BLOCKED, GUAVA, Operation.HIT, SMALL, 7)); // 12
    gates.add(Gate.faster(BLOCKED, GUAVA, Operation.MISS, SMALL, 7)); // 13
    gates.add(Gate.faster("blocked-confined", GUAVA, Operation.BUILD, SMALL, 8)); // 15
    gates.add(Gate.faster(COUNTING, "fastfilter-counting", Operation.MISS, SMALL, 1.4)); // 2.3
    gates.add(Gate.cost("scalable-six-layers", SCALABLE, Operation.MISS, SMALL, 4.0)); // 2.4
    for (String variant : List.of(STANDARD, BLOCKED)) {
      gates.add(Gate.cost(variant + "-mapped", variant, Operation.MISS, SMALL, 2.0)); // 1.2 and 1.4
    }
  }

  private static void beyondThem(List<Gate> gates) {
    // Expected 1.1 and 1.6; without reading ahead it is half as much again, and twice as much.
    gates.add(Gate.cost(STANDARD, "seven-words", Operation.BATCH_MISS, LARGE, 1.8));
    gates.add(Gate.cost(BLOCKED, "one-word", Operation.BATCH_MISS, LARGE, 2.2));
    gates.add(Gate.faster(STANDARD, GUAVA, Operation.MISS, LARGE, 2.5)); // 6
    gates.add(Gate.faster(BLOCKED, GUAVA, Operation.MISS, LARGE, 3.5)); // 6 to 7
    gates.add(Gate.faster(COUNTING, GUAVA, Operation.MISS, LARGE, 2.8)); // 5.7
    gates.add(
        Gate.faster(COUNTING, "fastfilter-counting", Operation.PUT_AND_REMOVE, LARGE, 0.7)); // 1.2
  }

  private static void counted(List<Gate> gates) {
    for (String ours : List.of(STANDARD, "partitioned", BLOCKED, COUNTING, SCALABLE)) {
      // Two million asked: a standard deviation is 0.7 % of 1 %.
      gates.add(Gate.asPlanned(ours, LARGE, 0.05));
    }
    gates.add(Gate.max(STANDARD, Stats.BITS_PER_KEY, LARGE, 9.6));
    gates.add(Gate.max(BLOCKED, Stats.BITS_PER_KEY, LARGE, 10.6));
    gates.add(Gate.max(COUNTING, Stats.BITS_PER_KEY, LARGE, 37));
  }
}
