package io.bloomery.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports at application start which properties of a guard are invalid, and the remedy. */
final class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, InvalidGuardException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
  }
}
