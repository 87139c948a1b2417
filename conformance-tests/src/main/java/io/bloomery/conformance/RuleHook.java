package io.bloomery.conformance;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.lifecycle.AroundPropertyHook;
import net.jqwik.api.lifecycle.AroundTryHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.PropagationMode;
import net.jqwik.api.lifecycle.PropertyExecutionResult;
import net.jqwik.api.lifecycle.PropertyExecutor;
import net.jqwik.api.lifecycle.PropertyLifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import net.jqwik.api.lifecycle.TryExecutionResult;
import net.jqwik.api.lifecycle.TryExecutor;
import net.jqwik.api.lifecycle.TryLifecycleContext;

/** Gives each rule its seed, and reports it as not applicable where a capability is missing. */
final class RuleHook implements AroundPropertyHook, AroundTryHook, SkipExecutionHook {

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

  // A lock that is never released, or a loop without an end, must not take the run with it.
  @Override
  public TryExecutionResult aroundTry(
      TryLifecycleContext context, TryExecutor attempt, List<Object> parameters) {
    if (rule(context.targetMethod()).filter(Rule.R49::equals).isPresent()) {
      // Chains of actions belong to the thread of the engine.
      return attempt.execute(parameters);
    }
    Duration limit = Duration.ofMinutes(Run.current().tier().choose(5, 30, 180));
    AtomicReference<TryExecutionResult> result = new AtomicReference<>();
    String what = context.targetMethod().getName();
    Watchdog.run(limit, what, () -> result.set(attempt.execute(parameters)));
    return result.get();
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
