package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.Closeable;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every subject does what it is timed for. */
final class SubjectTest {

  private static final int KEYS = 5_000;
  private static final int ABSENT = 50_000;
  // Everybody is made for 1 % or less; with 50,000 asked, 1.5 % is 11 standard deviations away.
  private static final double MAX = 0.015 * ABSENT;

  static Stream<Arguments> filters() {
    return Subject.all().stream()
        .filter(subject -> subject.role() != Subject.Role.LIMIT && subject.available())
        .flatMap(
            subject ->
                Stream.of(KeyKind.values())
                    .filter(subject::takes)
                    .map(kind -> Arguments.of(subject, kind)));
  }

  static Stream<Subject> limits() {
    return Subject.all().stream().filter(subject -> subject.role() == Subject.Role.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterHasAllThatWasPutAndLittleElse(Subject subject, KeyKind kind) throws IOException {
    Contender contender = subject.load(kind);
    contender.create(KEYS, Comparison.RATE);
    KeyStream stream = new KeyStream(kind);
    Object keys = stream.next(Share.NEW, KEYS);
    contender.run(Action.PUT, keys, 0, KEYS / 2);
    contender.run(Action.PUT_BATCH, keys, KEYS / 2, KEYS);
    assertEquals(KEYS, contender.run(Action.QUERY, keys, 0, KEYS));
    assertEquals(KEYS, contender.run(Action.SELECT, keys, 0, KEYS));
    Object absent = stream.next(Share.ABSENT, ABSENT);
    int found = contender.run(Action.QUERY, absent, 0, ABSENT);
    assertTrue(found <= MAX, () -> found + " of " + ABSENT);
    assertEquals(found, contender.run(Action.SELECT, absent, 0, ABSENT));
    assertTrue(contender.sizeInBits() > 5 * KEYS, () -> contender.sizeInBits() + " bits");
    if (contender.actions().contains(Action.PUT_AND_REMOVE)) {
      contender.run(Action.PUT_AND_REMOVE, absent, 0, ABSENT);
      assertEquals(found, contender.run(Action.QUERY, absent, 0, ABSENT));
    }
    for (FilterOperation operation : contender.filterOperations()) {
      contender.prepare(operation);
      contender.run(operation);
      assertEquals(KEYS, contender.run(Action.QUERY, keys, 0, KEYS), operation.label());
    }
    ((Closeable) contender.getClass().getClassLoader()).close();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aLimitTakesWhatItSays(Subject subject) throws IOException {
    Contender contender = subject.load(KeyKind.LONG);
    contender.create(1_000, Comparison.RATE);
    Object keys = new KeyStream(KeyKind.LONG).next(Share.NEW, ABSENT);
    for (Action action : contender.actions()) {
      int answer = contender.run(action, keys, 0, ABSENT);
      assertTrue(answer >= 0 && answer <= ABSENT, () -> action + ": " + answer);
    }
    ((Closeable) contender.getClass().getClassLoader()).close();
  }
}
