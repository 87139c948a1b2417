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

/** Every entrant does what it is timed for. */
final class EntrantTest {

  private static final int KEYS = 5_000;
  private static final int ABSENT = 50_000;
  // Everybody is made for 1 % or less; with 50,000 asked, 1.5 % is 11 standard deviations away.
  private static final double MOST = 0.015 * ABSENT;

  static Stream<Arguments> filters() {
    return Entrant.all().stream()
        .filter(entrant -> entrant.role() != Entrant.Role.LIMIT && entrant.available())
        .flatMap(
            entrant ->
                Stream.of(KeyKind.values())
                    .filter(entrant::takes)
                    .map(kind -> Arguments.of(entrant, kind)));
  }

  static Stream<Entrant> limits() {
    return Entrant.all().stream().filter(entrant -> entrant.role() == Entrant.Role.LIMIT);
  }

  @ParameterizedTest
  @MethodSource("filters")
  void aFilterHasAllThatWasPutAndLittleElse(Entrant entrant, KeyKind kind) throws IOException {
    Contender contender = entrant.load(kind);
    contender.create(KEYS, Duel.RATE);
    KeyStream stream = new KeyStream(kind);
    Object keys = stream.next(Share.NEW, KEYS);
    contender.run(Action.PUT, keys, 0, KEYS / 2);
    contender.run(Action.PUT_BATCH, keys, KEYS / 2, KEYS);
    assertEquals(KEYS, contender.run(Action.QUERY, keys, 0, KEYS));
    assertEquals(KEYS, contender.run(Action.SELECT, keys, 0, KEYS));
    Object absent = stream.next(Share.ABSENT, ABSENT);
    int found = contender.run(Action.QUERY, absent, 0, ABSENT);
    assertTrue(found <= MOST, () -> found + " of " + ABSENT);
    assertEquals(found, contender.run(Action.SELECT, absent, 0, ABSENT));
    assertTrue(contender.sizeInBits() > 5 * KEYS, () -> contender.sizeInBits() + " bits");
    if (contender.actions().contains(Action.PUT_AND_REMOVE)) {
      contender.run(Action.PUT_AND_REMOVE, absent, 0, ABSENT);
      assertEquals(found, contender.run(Action.QUERY, absent, 0, ABSENT));
    }
    for (Whole whole : contender.wholes()) {
      contender.prepare(whole);
      contender.whole(whole);
      assertEquals(KEYS, contender.run(Action.QUERY, keys, 0, KEYS), whole.label());
    }
    ((Closeable) contender.getClass().getClassLoader()).close();
  }

  @ParameterizedTest
  @MethodSource("limits")
  void aLimitTakesWhatItSays(Entrant entrant) throws IOException {
    Contender contender = entrant.load(KeyKind.LONG);
    contender.create(1_000, Duel.RATE);
    Object keys = new KeyStream(KeyKind.LONG).next(Share.NEW, ABSENT);
    for (Action action : contender.actions()) {
      int answer = contender.run(action, keys, 0, ABSENT);
      assertTrue(answer >= 0 && answer <= ABSENT, () -> action + ": " + answer);
    }
    ((Closeable) contender.getClass().getClassLoader()).close();
  }
}
