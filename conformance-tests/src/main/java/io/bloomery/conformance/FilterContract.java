package io.bloomery.conformance;

import io.bloomery.filter.FilterProvider;
import net.jqwik.api.lifecycle.AddLifecycleHook;

/**
 * The rules every filter keeps, as tests of one provider. Extend it where the provider lives:
 *
 * <pre>{@code
 * class MyFilterTest extends FilterContract {
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

  /** Returns the provider whose filters are tested; called for every rule. */
  protected abstract FilterProvider provider();

  @Override
  public final Subject subject() {
    return new Subject(provider());
  }
}
