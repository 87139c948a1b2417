package io.bloomery.conformance;

/** How one rule is held against one provider. */
@FunctionalInterface
interface RuleCheck {

  /** Throws if the rule is broken. */
  void check(RuleContext context) throws Exception;
}
