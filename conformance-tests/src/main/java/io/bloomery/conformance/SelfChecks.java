package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.FilterProvider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.Example;

/** What must hold of the suite itself in every run, since a rule that cannot fail tests nothing. */
interface SelfChecks extends RuleSet {

  /** How many of these checks there are. */
  int COUNT = 2;

  /** The rounds that tell how often two threads meet on this machine. */
  int SENSITIVITY_ROUNDS = 100;

  @Example
  default void self_filtersWithKnownFaultsAreRejected() {
    List<Canary> missed = new ArrayList<>();
    for (Canary canary : Canary.values()) {
      // In a run of its own: what is spent and seen there is not the provider's.
      Run.within(
          new Run(Tier.QUICK, Run.current().seed()),
          () -> {
            if (!isRejected(canary)) {
              missed.add(canary);
            }
          });
    }
    assertEquals(List.of(), missed, "filters whose faults were not seen: this run tests nothing");
    Run.current().raceSensitivity(raceSensitivity());
  }

  private static boolean isRejected(Canary canary) {
    FilterContract contract = new Given(canary::provider);
    try {
      test(FilterContract.class, canary.rule()).invoke(contract);
      return false;
    } catch (InvocationTargetException e) {
      return e.getCause() instanceof AssertionError && !(e.getCause() instanceof InconclusiveError);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("tests of rules must be public", e);
    }
  }

  /** Returns in which share of rounds a lost update shows. */
  private static double raceSensitivity() {
    Subject careless = new Subject(Canary.LOSES_UPDATES.provider());
    return Race.shareOfFailingRounds(SENSITIVITY_ROUNDS, new ThreadRules.PutRace(careless, 16));
  }

  @Example
  default void self_noRuleIsReplaced() {
    for (Rule rule : Rule.values()) {
      Class<?> declaring = test(getClass(), rule).getDeclaringClass();
      assertTrue(
          declaring.isInterface() && RuleSet.class.isAssignableFrom(declaring),
          () -> "a contract must leave the rules as they are, but " + rule + " is " + declaring);
    }
  }

  private static Method test(Class<?> contract, Rule rule) {
    return Arrays.stream(contract.getMethods())
        .filter(method -> method.getName().startsWith(rule.id() + "_"))
        .findAny()
        .orElseThrow(() -> new IllegalStateException("no test checks " + rule));
  }

  /** The contract of a given provider. */
  final class Given extends FilterContract {
    private final Supplier<FilterProvider> provider;

    Given(Supplier<FilterProvider> provider) {
      this.provider = provider;
    }

    @Override
    protected FilterProvider provider() {
      return provider.get();
    }
  }
}
