package io.bloomery.conformance;

import io.bloomery.filter.FilterProvider;
import net.jqwik.api.lifecycle.AddLifecycleHook;

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
 * <p>The tests run on jqwik, an engine of the JUnit Platform, and their names begin with the number
 * of the {@link Rule} they check. A rule that asks for a capability which the provider's filters do
 * not have, such as merging, is reported as skipped, with that reason. Two tests of the suite
 * itself run beside them: whether it sees faults in this run, and whether all rules are in force.
 *
 * <p>A public class fails where nothing runs it on that platform. The Surefire that Maven 3.8.7
 * brings would find no test in it otherwise, and call that a success.
 *
 * <p>Seeds are fixed; the system property {@value Seeds#PROPERTY} sets another one for the whole
 * suite, and {@value Tier#PROPERTY} how much it tries: {@code quick} by default, {@code full} or
 * {@code nightly}.
 *
 * <p>A quick run takes some seconds and a few dozen MB. Each statistical check raises a false alarm
 * with a probability of at most 10^-13, and a run fails if all of its checks together could exceed
 * 10^-9.
 */
@AddLifecycleHook(RuleHook.class)
public abstract class FilterContract
    implements MembershipRules,
        LifeRules,
        RateRules,
        StatisticsRules,
        PlanRules,
        BatchRules,
        MergeRules,
        FileRules,
        DamageRules,
        ThreadRules,
        ObjectRules,
        RemovalRules,
        RemovalRaceRules,
        GrowthRules,
        ModelRules,
        LargeRules,
        OwnershipRules,
        SideBySideRules,
        PositionRules,
        LimitRules,
        DescriptionRules,
        SelfChecks {

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

  @Override
  public final Subject subject() {
    return new Subject(provider());
  }
}
