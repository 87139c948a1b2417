package io.bloomery.conformance.internal.check;

/** How one rule is held against one provider. */
@FunctionalInterface
public interface RuleCheck {

  /** Throws if the rule is broken. */
  void check(RuleContext context) throws Exception;
}
