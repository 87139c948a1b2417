package io.bloomery.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells at the start of an application which guard's properties are wrong, and what to do. */
final class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

  @Override
  protected FailureAnalysis analyze(Throwable root, InvalidGuardException cause) {
    return new FailureAnalysis(String.valueOf(cause.getMessage()), cause.action(), cause);
  }
}
