package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.redis.History.Answer;
import io.bloomery.redis.History.Call;
import io.bloomery.redis.History.Event;
import io.bloomery.redis.History.Findings;
import io.bloomery.redis.History.Promise;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of wrong answer is found in a history, and nothing in that of a window in memory. */
class HistoryTest {

  /**
   * Calls of a window in memory, in milliseconds; each took effect within the time it says.
   *
   * @param loses of how many puts one has no effect; 0 for none
   * @param lies of how many answers one is wrong; 0 for none
   */
  private static List<Event> drawn(Random random, long keys, long millis, int loses, int lies) {
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
      boolean isLost = isOneOf(loses, random);
      boolean isFound =
          switch (call) {
            case QUERY -> window.mightContain(key);
            case PUT -> isLost ? window.mightContain(key) : !window.put(key);
            case PUT_IF_ABSENT -> isLost ? window.mightContain(key) : !window.putIfAbsent(key);
          };
      Answer answer = isFound != isOneOf(lies, random) ? Answer.FOUND : Answer.ABSENT;
      events.add(
          isOneOf(50, random)
              ? Event.thrown(call, key, begun)
              : new Event(call, key, begun, returned, answer));
    }
    return events;
  }

  private static boolean isOneOf(int many, Random random) {
    return many > 0 && random.nextInt(many) == 0;
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 300})
  void aWindowInMemoryIsNeverWrongAndOthersAreInEachWay(long nanos) {
    Random random = Servers.draw();
    Promise promise = new Promise(100, nanos);
    Findings lossy = new Findings(0, 0, 0, 0, 0, 0);
    Findings lying = lossy;
    for (int i = 0; i < 20; i++) {
      List<Event> events = drawn(random, 100, nanos, 0, 0);
      Findings right = History.check(promise, events, List.of());
      assertTrue(right.checked() > 50, right::toString);
      assertEquals(new Findings(0, 0, 0, 0, 0, right.checked()), right);
      Findings shorter =
          History.check(new Promise(200, 2 * nanos), drawn(random, 100, nanos, 0, 0), List.of());
      assertTrue(shorter.absent() > 0, shorter::toString);
      Findings longer =
          History.check(new Promise(50, nanos / 2), drawn(random, 100, nanos, 0, 0), List.of());
      assertTrue(longer.late() > 0, longer::toString);
      lossy = lossy.plus(History.check(promise, drawn(random, 100, nanos, 50, 0), List.of()));
      lying = lying.plus(History.check(promise, drawn(random, 100, nanos, 0, 50), List.of()));
    }
    assertTrue(lossy.lost() > 0 && lossy.lost() <= lossy.absent(), lossy::toString);
    assertTrue(lying.twice() > 0 && lying.unknown() > 0, lying::toString);
  }
}
