package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Runs the suite on providers whose faults show in one thread. */
class BrokenInOneThreadTest {

  private static final FaultyProviders FAULTY = FaultyProviders.ofOneThread();

  @TestFactory
  Stream<DynamicTest> aFaultIsFoundByTheRuleThatNamesIt() {
    return FAULTY.half().areFoundByTheRuleThatNamesTheFault();
  }

  @TestFactory
  @Tag("nightly")
  Stream<DynamicTest> everyFaultIsFoundByTheRuleThatNamesIt() {
    return FAULTY.areFoundByTheRuleThatNamesTheFault();
  }

  @Test
  void everyRuleHasAFaultOfItsOwn() {
    FaultyProviders others = FaultyProviders.ofThreadsAndCounts();
    Set<Rule> rules = EnumSet.copyOf(FAULTY.rules());
    rules.addAll(others.rules());
    assertEquals(EnumSet.allOf(Rule.class), rules);
    assertTrue(FAULTY.count() + others.count() >= 100, "a hundred faults");
  }
}
