package io.bloomery.conformance;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/** Runs the suite on providers whose faults show between threads, or that remove or grow. */
@Tag("nightly")
class BrokenThreadsAndCountsTest {

  private static final FaultyProviders FAULTY = FaultyProviders.ofThreadsAndCounts();

  @TestFactory
  Stream<DynamicTest> everyFaultIsFoundByTheRuleThatNamesIt() {
    return FAULTY.areFoundByTheRuleThatNamesTheFault();
  }
}
