package io.bloomery.proof.model;

import java.time.Duration;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Options;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Lincheck finds no run of concurrent operations that no order of them explains. */
final class ModelsTest {

  /**
   * A class under test.
   *
   * @param runs of each scenario; of model checking different interleavings, at most
   */
  private record Subject(
      Class<?> operations, Class<?> model, boolean isChecked, int scenarios, int runs) {

    Options<?, ?> options() {
      return isChecked ? new ModelCheckingOptions() : new StressOptions();
    }

    String mode() {
      return isChecked ? "model checking" : "stress";
    }

    @Override
    public String toString() {
      return operations.getName().substring(operations.getPackageName().length() + 1);
    }
  }

  static Stream<Subject> subjects() {
    return Stream.of(
        new Subject(Counted.Packed.class, Counted.Model.class, true, 20, 200),
        new Subject(Counted.Fast.class, Counted.Model.class, true, 20, 200),
        new Subject(Sliding.ByKeys.class, Sliding.KeysModel.class, true, 10, 100),
        new Subject(Sliding.ByTime.class, Sliding.TimeModel.class, true, 10, 100),
        new Subject(Grown.class, Grown.Model.class, true, 20, 200),
        new Subject(Updated.class, Updated.Model.class, false, 10, 50));
  }

  @BeforeAll
  static void printHeader() {
    System.out.printf(
        "%-16s %-14s %9s %9s %6s%n", "subject", "mode", "scenarios", "runs each", "found");
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void anOrderExplainsEachRun(Subject subject) {
    int found = 1;
    try {
      subject
          .options()
          // Not 30 seconds: classes are transformed within.
          .invocationTimeout$lincheck(Duration.ofHours(1).toMillis())
          .threads(2)
          .actorsBefore(4)
          .actorsPerThread(3)
          .actorsAfter(2)
          .iterations(subject.scenarios())
          .invocationsPerIteration(subject.runs())
          .sequentialSpecification(subject.model())
          .check(subject.operations());
      found = 0;
    } finally {
      System.out.printf(
          "%-16s %-14s %9d %9d %6d%n",
          subject, subject.mode(), subject.scenarios(), subject.runs(), found);
    }
  }
}
