package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.VariantProvider;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The rules that every filter keeps, as tests of one provider. Extend it in the module of the
 * provider:
 *
 * <pre>{@code
 * public class MyFilterTest extends FilterContract {
 *   protected FilterProvider provider() { // or StaticFilterProvider
 *     return new MyProvider();
 *   }
 * }
 * }</pre>
 *
 * <p>The tests run on JUnit Jupiter, and their names begin with the number of the {@link Rule} they
 * check. A rule that requires a capability that the filters of the provider do not have, such as
 * merging, is reported as skipped, with that reason. An additional test of the suite itself checks
 * that it detects faults in this run.
 *
 * <p>A public class fails if it is not run on the JUnit Platform. Otherwise the version of Surefire
 * that Maven 3.8.7 uses by default would find no tests in it and report success.
 *
 * <p>Each run draws a new seed, which failure messages contain; the system property {@value
 * Seeds#PROPERTY} sets one for the whole suite, and {@value Tier#PROPERTY} the amount of testing:
 * {@code quick} by default, {@code smoke} for filters whose calls are slow, {@code full} or {@code
 * nightly}. {@value Rule#PROPERTY}, such as {@code R01,R49}, restricts the run to some rules.
 *
 * <p>The provider runs in the JVM of the tests, and can end it or print in it. Surefire and Gradle
 * fail a build if that JVM ends while tests run; nothing stops a provider that ends it after the
 * last test, or a shutdown hook that never returns. {@link SupervisedRunner} does not run code of a
 * provider in the JVM that calls it.
 *
 * <p>A quick run takes some seconds and a few dozen MB. Each statistical check raises a false alarm
 * with a probability of at most 10^-13, and a run fails if all of its checks together could exceed
 * 10^-9.
 */
// Rules on threads need two cores, and others measure the time and memory of calls.
@Execution(ExecutionMode.SAME_THREAD)
public abstract class FilterContract {

  /** For subclasses. */
  protected FilterContract() {}

  /**
   * Always fails: a runner that calls this method has run no rule. Runners without support for the
   * JUnit Platform, such as Surefire 2.12, treat public methods of public classes as tests if their
   * names begin with {@code test}.
   */
  @SuppressWarnings("DoNotCallSuggester") // called by runners without the JUnit Platform
  public final void testsNeedTheJUnitPlatform() {
    throw new AssertionError(
        "rules must be run on the JUnit Platform, but were run by what goes by names of methods;"
            + " pin a version of maven-surefire-plugin from 3.0 on, as docs/RULES.md shows");
  }

  /** Returns the provider whose filters are tested; called for every rule. */
  protected abstract VariantProvider provider();

  /** Returns a test of each rule in order, preceded by one of the suite itself. */
  @TestFactory
  public final Stream<DynamicTest> everyRuleIsKept() {
    Run run = new Run(Tier.ofProperty(), Seeds.ofProperty());
    Set<Rule> rules = Rule.ofProperty();
    Stream<DynamicTest> tests =
        rules.stream()
            .map(rule -> dynamicTest(rule.id() + ": " + rule.title(), () -> check(rule, run)));
    return Stream.concat(Stream.of(selfCheck(run, rules)), tests);
  }

  private static DynamicTest selfCheck(Run run, Set<Rule> rules) {
    return dynamicTest(
        "filters with known faults are rejected",
        () -> assertEquals(List.of(), SelfCheck.of(run.tier(), run.seed(), rules).doubts()));
  }

  private void check(Rule rule, Run run) {
    RuleTrial trial = RuleTrial.of(rule, run, BuiltOnDemand.of(provider()));
    switch (trial.outcome().status()) {
      case KEPT -> {}
      case NOT_APPLICABLE, NOT_ASKED -> throw new TestAbortedException(trial.outcome().detail());
      case BROKEN, NOT_RUN ->
          // Wrapped, because JUnit aborts all tests on an OutOfMemoryError.
          throw new AssertionFailedError(
              trial.outcome().status()
                  + ": "
                  + trial.outcome().detail()
                  + rule.again(run.seed(), run.tier()),
              trial.failure().orElse(null));
    }
  }
}
