package io.bloomery.conformance.internal.check;

/** The check of one rule on one provider. */
@FunctionalInterface
public interface RuleCheck {

  /** Throws if the rule is broken. */
  void check(RuleContext context) throws Exception;
}
