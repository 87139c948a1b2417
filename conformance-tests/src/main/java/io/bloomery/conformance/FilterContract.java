package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.FilterProvider;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The rules every filter keeps, as tests of one provider. Extend it where the provider lives:
 *
 * <pre>{@code
 * public class MyFilterTest extends FilterContract {
 *   protected FilterProvider provider() {
 *     return new MyProvider();
 *   }
 * }
 * }</pre>
 *
 * <p>The tests run on JUnit Jupiter, and their names begin with the number of the {@link Rule} they
 * check. A rule that asks for a capability which the provider's filters do not have, such as
 * merging, is reported as skipped, with that reason. A test of the suite itself runs beside them:
 * whether it sees faults in this run.
 *
 * <p>A public class fails where nothing runs it on the JUnit Platform. The Surefire that Maven
 * 3.8.7 brings would find no test in it otherwise, and call that a success.
 *
 * <p>Each run draws another seed, which failures name; the system property {@value Seeds#PROPERTY}
 * sets one for the whole suite, and {@value Tier#PROPERTY} how much it tries: {@code quick} by
 * default, {@code smoke} for filters whose calls are slow, {@code full} or {@code nightly}. With
 * {@value Rule#PROPERTY}, such as {@code R01,R49}, it checks these rules only.
 *
 * <p>A quick run takes some seconds and a few dozen MB. Each statistical check raises a false alarm
 * with a probability of at most 10^-13, and a run fails if all of its checks together could exceed
 * 10^-9.
 */
// Rules on threads need two cores, and others measure the time and memory that a call takes.
@Execution(ExecutionMode.SAME_THREAD)
public abstract class FilterContract {

  /** For subclasses. */
  protected FilterContract() {}

  /**
   * Fails: whoever calls it has run no rule. Runners that do not know the JUnit Platform, as
   * Surefire 2.12, take the public methods of public classes for tests whose names begin with
   * {@code test}.
   */
  @SuppressWarnings("DoNotCallSuggester") // it is there for those who call it unasked
  public final void testsNeedTheJUnitPlatform() {
    throw new AssertionError(
        "rules must be run on the JUnit Platform, but were run by what goes by names of methods;"
            + " pin a version of maven-surefire-plugin from 3.0 on, as docs/RULES.md shows");
  }

  /** Returns the provider whose filters are tested; called for every rule. */
  protected abstract FilterProvider provider();

  /** Returns a test of each rule, in their order, after one of the suite itself. */
  @TestFactory
  public final Stream<DynamicTest> everyRuleIsKept() {
    Run run = new Run(Tier.ofProperty(), Seeds.ofProperty());
    Stream<DynamicTest> rules =
        Rule.ofProperty().stream()
            .map(rule -> dynamicTest(rule.id() + ": " + rule.title(), () -> check(rule, run)));
    return Stream.concat(Stream.of(selfCheck(run)), rules);
  }

  private static DynamicTest selfCheck(Run run) {
    return dynamicTest(
        "filters with known faults are rejected",
        () -> assertEquals(List.of(), SelfCheck.of(run.tier(), run.seed()).doubts()));
  }

  private void check(Rule rule, Run run) {
    RuleTrial trial = RuleTrial.of(rule, run, provider());
    switch (trial.outcome().status()) {
      case KEPT -> {}
      case NOT_APPLICABLE, NOT_ASKED -> throw new TestAbortedException(trial.outcome().detail());
      case BROKEN, NOT_RUN ->
          // Not as it is: JUnit ends all tests if it sees an OutOfMemoryError.
          throw new AssertionFailedError(
              trial.outcome().status()
                  + ": "
                  + trial.outcome().detail()
                  + rule.again(run.seed(), run.tier()),
              trial.failure().orElse(null));
    }
  }
}
