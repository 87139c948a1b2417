package io.bloomery.conformance;

/** Says that a rule could not be checked here, which fails a test as a broken rule does. */
final class InconclusiveError extends AssertionError {

  private static final long serialVersionUID = 1;

  InconclusiveError(String reason) {
    super(reason);
  }
}
