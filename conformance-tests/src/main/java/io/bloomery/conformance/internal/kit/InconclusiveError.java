package io.bloomery.conformance.internal.kit;

/** Says that a rule could not be checked here, which fails a test as a broken rule does. */
public final class InconclusiveError extends AssertionError {

  private static final long serialVersionUID = 1;

  public InconclusiveError(String reason) {
    super(reason);
  }
}
