package io.bloomery.proof.mutation;

/** The rules on the second variant of a module. */
final class SecondVariantRules extends VariantRules {

  @Override
  int index() {
    return 1;
  }
}
