package io.bloomery.conformance;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Shrinkable;
import net.jqwik.api.sessions.JqwikSession;
import net.jqwik.api.state.ActionChain;
import org.opentest4j.AssertionFailedError;

/** Sequences of operations that nobody thought of. */
final class ModelRules extends Topic {

  /** How wide jqwik draws; so many it takes for a property unless told otherwise. */
  private static final int TRIES = 1_000;

  ModelRules(RuleContext context) {
    super(context);
  }

  void anySequenceOfOperationsAgreesWithAnExactSet() {
    // Outside of a session jqwik makes no generators.
    JqwikSession.run(this::checkChains);
  }

  private void checkChains() {
    RandomGenerator<ActionChain<Model>> chains =
        ModelActions.chains(context()).generator(TRIES, false);
    Random random = new Random(seed("R49"));
    for (int left = tier().choose(200, 5_000, 20_000); left > 0; left--) {
      context().run().progress();
      Optional<Failure> failure = failure(chains.next(random));
      if (failure.isPresent()) {
        throw shrunk(failure.get()).asError();
      }
    }
  }

  /** A chain that fails, the steps of it that were run, and why. */
  private record Failure(
      Shrinkable<ActionChain<Model>> chain, List<String> steps, Throwable reason) {

    AssertionError asError() {
      String run =
          steps.stream().map(step -> '"' + step + '"').collect(Collectors.joining(", ", "[", "]"));
      return new AssertionError("after " + run + ": " + reason, reason);
    }
  }

  private static Optional<Failure> failure(Shrinkable<ActionChain<Model>> drawn) {
    ActionChain<Model> chain = drawn.value();
    try {
      chain.withInvariant("nothing is lost", Model::check).run().drain();
      return Optional.empty();
    } catch (Throwable e) {
      return Optional.of(new Failure(drawn, chain.transformations(), reason(e)));
    } finally {
      JqwikSession.finishTry();
    }
  }

  /** Returns what a chain says only at the end of all it says of itself. */
  private static Throwable reason(Throwable failure) {
    return failure instanceof AssertionFailedError && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Goes on to a smaller chain that fails as long as there is one, and time. */
  private Failure shrunk(Failure found) {
    long end = System.nanoTime() + context().run().patience().toNanos();
    Failure smallest = found;
    Optional<Failure> smaller = Optional.of(found);
    while (smaller.isPresent()) {
      smallest = smaller.get();
      smaller =
          smallest
              .chain()
              .shrink()
              .takeWhile(chain -> System.nanoTime() - end < 0)
              .map(ModelRules::failure)
              .flatMap(Optional::stream)
              .findFirst();
    }
    return smallest;
  }
}
