package io.bloomery.conformance.internal.rules;

import io.bloomery.conformance.internal.cases.Partner;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.Model;
import io.bloomery.conformance.run.Capability;
import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.state.Action;
import net.jqwik.api.state.ActionChain;
import net.jqwik.api.state.ActionChainArbitrary;
import net.jqwik.api.state.Transformer;

/**
 * The operations on a {@link Model}, and their frequencies. Each capability adds its own in a
 * separate method.
 */
final class ModelActions {

  /** A length that exceeds any part into which a batch is divided. */
  private static final int MAX_MANY = 2_000;

  private ModelActions() {}

  private static final String PUT_MANY = "put many";
  private static final String PUT_IN_TWO_THREADS = "put in two threads";

  /** Returns the chains that begin with an empty filter. */
  static Arbitrary<ActionChain<Model>> chains(RuleContext context, Supplier<Model> empty) {
    ActionChainArbitrary<Model> chains = withCommonActions(ActionChain.startWith(empty));
    if (Capability.MERGING.isOfferedBy(context.provider())) {
      chains = withMergeActions(chains);
    }
    if (Capability.REMOVAL.isOfferedBy(context.provider())) {
      chains = withRemoveActions(chains);
    }
    return chains.withMaxTransformations(context.tier().choose(20, 30, 60, 120));
  }

  /** Adds the operations of every {@link Filter}. */
  private static ActionChainArbitrary<Model> withCommonActions(ActionChainArbitrary<Model> chains) {
    return chains
        .withAction(6, action("put", number(), Model::put))
        .withAction(2, action("putAll", numbers(), Model::putAll))
        .withAction(2, action("write and read", Model::writeAndRead))
        .withAction(1, action("read in other mode", Model::readInOtherMode))
        .withAction(1, action("continue on a copy", Model::continueOnCopy))
        .withAction(2, action("select", numbers(), Model::select))
        .withAction(1, action("select all", Model::selectAll))
        .withAction(1, action(PUT_MANY, many(), Model::putMany))
        .withAction(1, action(PUT_IN_TWO_THREADS, many(), Model::putInTwoThreads))
        .withAction(1, action("map", Model::map))
        .withAction(2, action("measure", Model::measure))
        .withAction(1, action("clear", Model::clear))
        .withAction(1, action("flood", Model::flood));
  }

  /** Adds the further operations of a {@link MergeableFilter}. */
  private static ActionChainArbitrary<Model> withMergeActions(ActionChainArbitrary<Model> chains) {
    return chains
        .withAction(
            2, action("merge", merged(), (model, merged) -> model.merge(merged.numbers, merged.as)))
        .withAction(1, action("merge many", many(), Model::mergeMany))
        .withAction(1, action("merge into another", Model::mergeInto))
        .withAction(1, action("merge incompatible", Model::incompatibleMerge));
  }

  /** Adds the further operations of a {@link RemovableFilter}. */
  private static ActionChainArbitrary<Model> withRemoveActions(ActionChainArbitrary<Model> chains) {
    return chains
        .withAction(2, action("put 20 times", number(), (model, hash) -> model.putOften(hash, 20)))
        .withAction(6, action("remove", number(), Model::remove))
        .withAction(2, action("remove all", numbers(), Model::removeAll))
        .withAction(1, action("replace", number(), Model::replace))
        .withAction(2, action("remove absent", Model::removeAbsent))
        .withAction(1, action("count", Model::count));
  }

  static boolean isOfTwoThreads(String step) {
    return step.startsWith(PUT_IN_TWO_THREADS);
  }

  /** Returns what a step is if one thread takes it. */
  static String byOneThread(String step) {
    return step.replace(PUT_IN_TWO_THREADS, PUT_MANY);
  }

  private static Arbitrary<Integer> number() {
    return Arbitraries.integers().between(0, Model.HASHES - 1);
  }

  /** The hashes to merge, and how the filter that contains them is created. */
  private record Merged(List<Integer> numbers, Partner as) {
    @Override
    public String toString() {
      return as == Partner.CREATED
          ? numbers.toString()
          : numbers + " " + as.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  private static Arbitrary<Merged> merged() {
    return Combinators.combine(numbers(), Arbitraries.of(Partner.class)).as(Merged::new);
  }

  private static Arbitrary<Integer> many() {
    return Arbitraries.integers().between(1, MAX_MANY);
  }

  private static Arbitrary<List<Integer>> numbers() {
    return number().list().ofMaxSize(4);
  }

  private static Action.Independent<Model> action(String name, Consumer<Model> effect) {
    return Action.just(name, Transformer.mutate(name, effect));
  }

  private static <T> Action.Independent<Model> action(
      String name, Arbitrary<T> arguments, BiConsumer<Model, T> effect) {
    return () ->
        arguments.map(
            argument ->
                Transformer.mutate(name + " " + argument, model -> effect.accept(model, argument)));
  }
}
