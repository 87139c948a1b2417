package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.benchmarks.paired.Operation.Share;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class WarmUpTest {

  @ParameterizedTest
  @EnumSource
  void afterMissesOnlyNoKeyWasAskedForThatIsThere(Operation operation) {
    assertEquals(operation.share() == Share.ABSENT, WarmUp.MISSES.has(operation));
    assertEquals(operation.share() == Share.PRESENT, WarmUp.HITS.has(operation));
    assertEquals(operation.share() != Share.NEW, WarmUp.MIXED.has(operation));
  }
}
