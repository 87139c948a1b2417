package io.bloomery.conformance;

import java.lang.reflect.Method;
import java.util.Optional;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;

/** Gives each rule its seed, and reports it as not applicable where a capability is missing. */
final class RuleHook implements AroundPropertyHook, SkipExecutionHook {

  /** How the reason for leaving out a rule begins. */
  static final String NOT_APPLICABLE = "not applicable: ";

  // Outside of all other hooks, which may read the seed.
  private static final int OUTERMOST = -100;

  @Override
  public SkipResult shouldBeSkipped(LifecycleContext context) {
    if (context instanceof PropertyLifecycleContext property) {
      Optional<Rule> rule = rule(property.targetMethod());
      if (rule.isPresent() && isMissing(rule.get().capability(), property.testInstance())) {
        return SkipResult.skip(
            NOT_APPLICABLE + "filters do not " + rule.get().capability().ability());
      }
    }
    return SkipResult.doNotSkip();
  }

  private static boolean isMissing(Capability capability, Object test) {
    try {
      return !capability.isOfferedBy(((RuleSet) test).subject().provider());
    } catch (RuntimeException e) {
      // The rule runs, and fails by the same exception.
      return false;
    }
  }

  private static Optional<Rule> rule(Method test) {
    return Rule.checkedBy(test.getName());
  }

  @Override
  public PropertyExecutionResult aroundProperty(
      PropertyLifecycleContext context, PropertyExecutor property) {
    Optional<Rule> rule = rule(context.targetMethod());
    if (rule.isEmpty()) {
      return property.execute();
    }
    Run run = Run.current();
    run.begin(rule.get());
    context.attributes().setSeed(Long.toString(Seeds.of(rule.get().name())));
    if (rule.get() == Rule.R49) {
      context.attributes().setTries(ModelRules.chains(run.tier()));
    }
    return property.execute();
  }

  @Override
  public int aroundPropertyProximity() {
    return OUTERMOST;
  }

  @Override
  public PropagationMode propagateTo() {
    return PropagationMode.ALL_DESCENDANTS;
  }
}
