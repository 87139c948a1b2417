package io.bloomery.conformance;

import net.jqwik.api.Arbitrary;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.state.ActionChain;

/** Sequences of operations that nobody thought of. */
interface ModelRules extends RuleSet {

  /** Returns how many sequences a tier tries; {@link RuleHook} tells the engine. */
  static int chains(Tier tier) {
    return tier.choose(200, 5_000, 20_000);
  }

  @Provide
  default Arbitrary<ActionChain<Model>> chains() {
    return ModelActions.chains(subject());
  }

  @Property(edgeCases = EdgeCasesMode.NONE, shrinking = ShrinkingMode.BOUNDED)
  default void r49_anySequenceOfOperationsAgreesWithAnExactSet(
      @ForAll("chains") ActionChain<Model> chain) {
    chain.withInvariant("nothing is lost", Model::check).run().drain();
  }
}
