package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.redis.History.Answer;
import io.bloomery.redis.History.Call;
import io.bloomery.redis.History.Event;
import io.bloomery.redis.History.Findings;
import io.bloomery.redis.History.Promise;
import io.bloomery.redis.History.Standstill;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is wrong in a history is found, and nothing in those of a window that keeps its promises.
 */
class HistoryTest {

  private static final Promise THREE = new Promise(3, 0);
  private static final Promise HUNDRED_NANOS = new Promise(1000, 100);

  private static Event put(long key, long begun, long returned, Answer answer) {
    return new Event(Call.PUT, key, begun, returned, answer);
  }

  private static Event ifAbsent(long key, long begun, long returned, Answer answer) {
    return new Event(Call.PUT_IF_ABSENT, key, begun, returned, answer);
  }

  private static Event query(long key, long begun, long returned, Answer answer) {
    return new Event(Call.QUERY, key, begun, returned, answer);
  }

  private static Event put(long key, long at) {
    return put(key, at, at + 1, Answer.ABSENT);
  }

  private static Findings check(Promise promise, Event... events) {
    return History.check(promise, List.of(events), List.of());
  }

  @Test
  void aKeyThatWasPutAndIsCalledAbsentIsLost() {
    for (Promise promise : List.of(Promise.ALL, THREE, HUNDRED_NANOS)) {
      Event put = put(1, 0, 10, Answer.ABSENT);
      assertEquals(
          new Findings(1, 1, 0, 0, 0, 1), check(promise, put, query(1, 20, 30, Answer.ABSENT)));
      assertEquals(
          new Findings(1, 2, 0, 0, 0, 2),
          check(promise, put, ifAbsent(1, 20, 30, Answer.ABSENT), put(1, 40, 50, Answer.ABSENT)));
      assertEquals(
          new Findings(0, 0, 0, 0, 0, 1), check(promise, put, query(1, 20, 30, Answer.FOUND)));
      // Begun before the put had returned.
      assertEquals(
          new Findings(0, 0, 0, 0, 0, 0), check(promise, put, query(1, 10, 30, Answer.ABSENT)));
      // Of a put that threw nothing is known, nor of one that found the key, how old that was.
      assertEquals(
          new Findings(0, 0, 0, 0, 0, 0),
          check(promise, Event.thrown(Call.PUT, 1, 0), query(1, 20, 30, Answer.ABSENT)));
      assertEquals(
          new Findings(0, 0, 0, 0, 0, 0),
          check(promise, Event.thrown(Call.PUT, 1, 0), query(1, 20, 30, Answer.FOUND)));
    }
  }

  @Test
  void whatOthersMayHavePutInBetweenMayHaveMadeItForgotten() {
    Event lost = query(1, 80, 90, Answer.ABSENT);
    assertEquals(1, check(THREE, put(1, 0), put(2, 10), put(3, 20), lost).absent());
    assertEquals(
        1,
        check(THREE, put(1, 0), put(2, 10), put(3, 20), put(2, 30, 31, Answer.FOUND), lost)
            .absent());
    assertEquals(0, check(THREE, put(1, 0), put(2, 10), put(3, 20), put(4, 30), lost).absent());
    // One that was put at the same time as the key, one that is put beside the query, and one that
    // threw.
    assertEquals(
        0,
        check(
                THREE,
                put(2, 0, 5, Answer.ABSENT),
                put(1, 4, 6, Answer.ABSENT),
                put(3, 85, 95, Answer.ABSENT),
                Event.thrown(Call.PUT_IF_ABSENT, 4, 0),
                lost)
            .absent());
    // One that threw, but was only asked; one that was found by putIfAbsent, which moves nothing.
    assertEquals(
        1,
        check(
                THREE,
                put(1, 0),
                put(2, 10),
                put(3, 20),
                Event.thrown(Call.QUERY, 4, 30),
                ifAbsent(5, 30, 31, Answer.FOUND),
                lost)
            .absent());
  }

  @Test
  void aKeyIsKeptForItsTime() {
    Event put = put(1, 10, 30, Answer.ABSENT);
    assertEquals(1, check(HUNDRED_NANOS, put, query(1, 90, 109, Answer.ABSENT)).absent());
    assertEquals(0, check(HUNDRED_NANOS, put, query(1, 90, 110, Answer.ABSENT)).absent());
    assertEquals(
        1,
        check(HUNDRED_NANOS, put, put(1, 40, 50, Answer.FOUND), query(1, 100, 120, Answer.ABSENT))
            .absent());
    assertEquals(
        0,
        check(
                HUNDRED_NANOS,
                put,
                ifAbsent(1, 40, 50, Answer.FOUND),
                query(1, 100, 120, Answer.ABSENT))
            .absent());
  }

  @Test
  void whatIsPutWhileTheClockIsSetBackIsAsOldAsThePutBefore() {
    Event before = put(2, 100);
    Event put = put(1, 150);
    Standstill setBack = new Standstill(120, 180, true);
    for (long asked : new long[] {198, 199}) {
      List<Event> events =
          List.of(before, put, put(3, 119), query(1, asked, asked + 1, Answer.ABSENT));
      assertEquals(
          asked == 198 ? 1 : 0, History.check(HUNDRED_NANOS, events, List.of(setBack)).absent());
      assertEquals(1, History.check(HUNDRED_NANOS, events, List.of()).absent());
    }
  }

  @Test
  void oneOfConcurrentPutsIsNew() {
    for (Promise promise : List.of(Promise.ALL, THREE, HUNDRED_NANOS)) {
      assertEquals(
          new Findings(0, 0, 1, 0, 0, 0),
          check(promise, put(1, 0, 10, Answer.ABSENT), ifAbsent(1, 5, 15, Answer.ABSENT)));
      assertEquals(
          3,
          check(
                  promise,
                  put(1, 0, 10, Answer.ABSENT),
                  put(1, 5, 15, Answer.ABSENT),
                  put(1, 6, 7, Answer.ABSENT))
              .twice());
      assertEquals(
          new Findings(0, 0, 0, 0, 0, 0),
          check(promise, put(1, 0, 10, Answer.ABSENT), ifAbsent(1, 5, 15, Answer.FOUND)));
    }
    // It may have been forgotten between the two.
    assertEquals(
        0,
        check(HUNDRED_NANOS, put(1, 0, 200, Answer.ABSENT), put(1, 5, 205, Answer.ABSENT)).twice());
    assertEquals(
        0,
        check(
                THREE,
                put(1, 0, 200, Answer.ABSENT),
                put(2, 10),
                put(3, 20),
                put(4, 30),
                put(1, 5, 205, Answer.ABSENT))
            .twice());
  }

  @Test
  void whatWasNeverPutOrMustBeForgottenIsFoundInVain() {
    Event found = query(1, 500, 510, Answer.FOUND);
    assertEquals(new Findings(0, 0, 0, 0, 1, 0), check(THREE, found, put(1, 520)));
    assertEquals(1, check(THREE, put(1, 500, 510, Answer.FOUND)).unknown());
    assertEquals(0, check(THREE, found, put(1, 505)).unknown());
    Event[] others = new Event[8];
    for (int i = 0; i < 6; i++) {
      others[i] = put(10 + i, 10L * (i + 1));
    }
    others[6] = put(1, 0);
    others[7] = found;
    assertEquals(1, check(THREE, others).late());
    others[3] = put(13, 40, 41, Answer.FOUND);
    assertEquals(0, check(THREE, others).late());
    others[3] = Event.thrown(Call.PUT, 1, 40);
    assertEquals(0, check(THREE, others).late());

    assertEquals(1, check(HUNDRED_NANOS, put(1, 348), found).late());
    assertEquals(0, check(HUNDRED_NANOS, put(1, 349), found).late());
    assertEquals(
        0,
        History.check(
                HUNDRED_NANOS,
                List.of(put(1, 300), found),
                List.of(new Standstill(200, 301, false)))
            .late());
    assertEquals(
        1,
        History.check(
                HUNDRED_NANOS,
                List.of(put(1, 300), found),
                List.of(new Standstill(200, 299, false)))
            .late());
  }

  /** Calls of a window in memory, in milliseconds; each took effect within the time it says. */
  private static List<Event> drawn(Random random, long keys, long millis, int loses) {
    AtomicLong now = new AtomicLong();
    SlidingBloomFilterBuilder<Long> builder =
        SlidingBloomFilter.builder(Bloomery.longs().expect(keys).fpp(1e-9))
            .ticker(() -> now.get() * 1_000_000);
    SlidingBloomFilter<Long> window =
        (millis > 0 ? builder.lasting(Duration.ofMillis(millis)) : builder).create();
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      long time = now.addAndGet(1 + random.nextInt(10));
      long begun = time - random.nextInt(20);
      long returned = time + random.nextInt(20);
      long key = i / 3L - random.nextInt((int) (2 * keys));
      Call call = Call.values()[random.nextInt(3)];
      boolean isLost = loses > 0 && random.nextInt(loses) == 0;
      boolean isFound =
          switch (call) {
            case QUERY -> window.mightContain(key);
            case PUT -> isLost ? window.mightContain(key) : !window.put(key);
            case PUT_IF_ABSENT -> isLost ? window.mightContain(key) : !window.putIfAbsent(key);
          };
      events.add(
          random.nextInt(50) == 0
              ? Event.thrown(call, key, begun)
              : new Event(call, key, begun, returned, isFound ? Answer.FOUND : Answer.ABSENT));
    }
    return events;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 300})
  void aWindowInMemoryIsNeverWrongAndOtherWindowsAre(long nanos) {
    Random random = Servers.draw();
    Promise promise = new Promise(100, nanos);
    Findings lossy = new Findings(0, 0, 0, 0, 0, 0);
    for (int i = 0; i < 20; i++) {
      List<Event> events = drawn(random, 100, nanos, 0);
      Findings right = History.check(promise, events, List.of());
      assertTrue(right.checked() > 50, right::toString);
      assertEquals(new Findings(0, 0, 0, 0, 0, right.checked()), right);
      Findings shorter =
          History.check(new Promise(200, 2 * nanos), drawn(random, 100, nanos, 0), List.of());
      assertTrue(shorter.absent() > 0, shorter::toString);
      Findings longer =
          History.check(new Promise(50, nanos / 2), drawn(random, 100, nanos, 0), List.of());
      assertTrue(longer.late() > 0, longer::toString);
      lossy = lossy.plus(History.check(promise, drawn(random, 100, nanos, 50), List.of()));
    }
    assertTrue(lossy.lost() > 0 && lossy.lost() <= lossy.absent(), lossy::toString);
  }
}
