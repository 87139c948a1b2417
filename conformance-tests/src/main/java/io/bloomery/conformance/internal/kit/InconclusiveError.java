package io.bloomery.conformance.internal.kit;

/** Thrown if a rule cannot be checked in this environment; fails a test like a broken rule. */
public final class InconclusiveError extends AssertionError {

  private static final long serialVersionUID = 1;

  public InconclusiveError(String reason) {
    super(reason);
  }
}
