package io.bloomery.conformance.internal.rules;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Model;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import net.jqwik.api.state.ActionChain;
import org.opentest4j.AssertionFailedError;

/** The rules on random sequences of operations. */
public final class ModelRules extends RuleGroup {

  /** The range of the draws of jqwik: its default number of tries per property. */
  private static final int TRIES = 1_000;

  /** Small filters, in which bits coincide, are tried with more chains than large ones. */
  private static final long SMALL = 1_000;

  private static final int PARTS_OF_PATIENCE = 8;

  private static final Domain CHAINS =
      Domain.everyFilter()
          .keys(1, 100_000)
          .each(drawn -> drawn.withPut(0).withTimes(1).withBatch(0, 1).withHistory(List.of()))
          .edges(
              Arrays.stream(ThreadMode.values())
                  .map(mode -> Case.of(Model.HASHES, 0.1).withMode(mode))
                  .toList());

  /** Whether one thread does what two should: a fault that shows then is not one of threads. */
  private boolean isByOneThread;

  public ModelRules(RuleContext context) {
    super(context);
  }

  public void anySequenceOfOperationsAgreesWithAnExactSet() {
    forAll(
        CHAINS,
        drawn -> {
          // jqwik creates generators only within a session.
          JqwikSession.run(() -> checkChains(drawn));
        });
  }

  private void checkChains(Case drawn) {
    isByOneThread = false;
    RandomGenerator<ActionChain<Model>> chains =
        ModelActions.chains(context(), () -> new Model(subject(), drawn, isByOneThread))
            .generator(TRIES, false);
    Random random = new Random(drawn.seed());
    int count = drawn.keys() <= SMALL ? tier().choose(2, 8, 16, 16) : tier().choose(1, 2, 4, 4);
    for (int left = count; left > 0; left--) {
      context().run().progress();
      Optional<Failure> failure = failure(chains.next(random));
      if (failure.isPresent()) {
        throw shrunk(failure.get()).asError();
      }
    }
  }

  /** A failing chain, the steps of it that were run, and the reason. */
  private record Failure(
      Shrinkable<ActionChain<Model>> chain, List<String> steps, Throwable reason) {

    AssertionError asError() {
      String run =
          steps.stream().map(step -> '"' + step + '"').collect(Collectors.joining(", ", "[", "]"));
      return new AssertionError("after " + run + ": " + Subject.text(reason), reason);
    }
  }

  /** Returns the failure of a chain: by one thread, if that is enough for one. */
  private Optional<Failure> failure(Shrinkable<ActionChain<Model>> drawn) {
    Optional<Failure> failure = failureBy(drawn);
    boolean isOfTwo =
        failure
            .filter(found -> found.steps().stream().anyMatch(ModelActions::isOfTwoThreads))
            .isPresent();
    if (!isOfTwo || isByOneThread) {
      return failure;
    }
    isByOneThread = true;
    Optional<Failure> byOne = failureBy(drawn);
    isByOneThread = byOne.isPresent();
    return byOne.or(() -> failure);
  }

  private Optional<Failure> failureBy(Shrinkable<ActionChain<Model>> drawn) {
    ActionChain<Model> chain = drawn.value();
    try {
      chain.withInvariant("nothing is lost", Model::check).run().checkAtEnd();
      return Optional.empty();
    } catch (Throwable e) {
      List<String> steps = chain.transformations();
      return Optional.of(
          new Failure(
              drawn,
              isByOneThread ? steps.stream().map(ModelActions::byOneThread).toList() : steps,
              reason(e)));
    } finally {
      JqwikSession.finishTry();
    }
  }

  /** Returns the reason of a failure, which is at the end of the description of the chain. */
  private static Throwable reason(Throwable failure) {
    return failure instanceof AssertionFailedError && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Continues with smaller failing chains as long as there are any, and time is left. */
  private Failure shrunk(Failure found) {
    // Each failing chain of smaller filters is minimised in this way.
    long end = System.nanoTime() + context().run().patience().toNanos() / PARTS_OF_PATIENCE;
    Failure smallest = found;
    Optional<Failure> smaller = Optional.of(found);
    while (smaller.isPresent()) {
      smallest = smaller.get();
      smaller =
          smallest
              .chain()
              .shrink()
              .takeWhile(chain -> System.nanoTime() - end < 0)
              .map(this::failure)
              .flatMap(Optional::stream)
              .findFirst();
    }
    return smallest;
  }
}
