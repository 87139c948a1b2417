package io.bloomery.window;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What goes on while a save, a scan or a clear takes its time: here until all else is answered. */
class WaitingTest {

  private static final long STEP = 1_000_000_000;

  private final AtomicLong ticks = new AtomicLong();
  private final Gate scan = new Gate();
  private final Gate clear = new Gate();
  private final Gate query = new Gate();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final SlidingFilter timed = window(new Extent(100, 2 * STEP));

  private SlidingFilter window(Extent extent) {
    List<Generation> empty = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      Filter filter = Bloomery.longs().expect(1_000).fpp(1e-9).create().filter();
      empty.add(new HeapGeneration(gated(filter), 0, 0));
    }
    WindowClock clock = new WindowClock(ticks::get, Clock.systemUTC());
    return new SlidingFilter(
        FilterSpec.of(100, 1e-6), extent, empty, false, 0, clock, Durability.NONE);
  }

  /** Returns a filter whose scans, clears and queries end only while their gates are open. */
  private Filter gated(Filter filter) {
    Class<?>[] type = {Filter.class};
    return (Filter)
        Proxy.newProxyInstance(
            Filter.class.getClassLoader(),
            type,
            (proxy, method, arguments) -> {
              switch (method.getName()) {
                case "stats" -> scan.pass();
                case "clear" -> clear.pass();
                default -> {}
              }
              Object answer = method.invoke(filter, arguments);
              if (method.getName().equals("mightContain")) {
                query.pass();
              }
              return answer;
            });
  }

  @AfterEach
  void openAll() {
    scan.open();
    clear.open();
    query.open();
    threads.shutdownNow();
  }

  /** Returns the answer of another thread, which must not wait. */
  private <T> T now(Callable<T> question) throws Exception {
    return threads.submit(question).get(1, TimeUnit.MINUTES);
  }

  private static long hash(int key) {
    return (key + 1) * 0x9e3779b97f4a7c15L;
  }

  /** Puts keys 0 to 2, each into a generation of its own. */
  private void putThree() {
    for (int key = 0; key < 3; key++) {
      ticks.addAndGet(key == 0 ? 0 : STEP);
      assertTrue(timed.put(hash(key)));
    }
  }

  private String remembered() throws Exception {
    StringBuilder keys = new StringBuilder();
    for (int key = 0; key < 6; key++) {
      long hash = hash(key);
      if (now(() -> timed.mightContain(hash))) {
        keys.append(key);
      }
    }
    return keys.toString();
  }

  @Test
  void queriesThatFindStepsDueDoNotWaitForASave() throws Exception {
    putThree();
    Gate disk = new Gate();
    disk.close();
    Future<?> save =
        threads.submit(
            () -> {
              timed.writeTo(disk.output());
              return null;
            });
    disk.awaitWaiting(1);
    long bits = now(timed::stats).setBits();
    assertEquals("012", remembered());
    assertFalse(now(() -> timed.putIfAbsent(hash(0))));
    Future<Boolean> put = null;
    for (String left : List.of("12", "2", "", "")) {
      ticks.addAndGet(STEP);
      assertEquals(left, remembered());
      assertEquals(bits * left.length() / 3.0, (double) now(timed::stats).setBits(), bits / 10.0);
      if (put == null) {
        put = threads.submit(() -> timed.put(hash(3)));
      }
    }
    assertFalse(save.isDone());
    assertFalse(put.isDone(), "puts wait for a save");
    disk.open();
    save.get(1, TimeUnit.MINUTES);
    assertTrue(put.get(1, TimeUnit.MINUTES));
    assertEquals("3", remembered());
  }

  /** Each with steps that are due, and without. */
  @Test
  void noCallKeepsOthersWaitingOnceItHasReturned() throws Exception {
    int key = 3;
    for (Callable<?> call :
        List.<Callable<?>>of(
            () -> timed.put(hash(0)),
            () -> timed.putIfAbsent(hash(1)),
            () -> timed.mightContain(hash(2)),
            timed::stats,
            timed::statsBeforeForgetting,
            timed::putsBeforeForgetting,
            timed::generations,
            () -> {
              timed.settled(now -> {});
              return null;
            },
            () -> {
              timed.writeTo(OutputStream.nullOutputStream());
              return null;
            },
            () -> {
              OutputStream closed = OutputStream.nullOutputStream();
              closed.close();
              return assertThrows(IOException.class, () -> timed.writeTo(closed));
            })) {
      for (long pause : new long[] {STEP, 0}) {
        ticks.addAndGet(pause);
        call.call();
        long hash = hash(key++);
        assertTrue(now(() -> timed.put(hash)));
      }
    }
  }

  @Test
  void nothingWaitsForTheScanOfAGenerationThatIsClosed() throws Exception {
    putThree();
    scan.close();
    List<Future<Boolean>> puts = new ArrayList<>();
    for (int key = 3; key < 6; key++) {
      ticks.addAndGet(STEP);
      long hash = hash(key);
      puts.add(threads.submit(() -> timed.put(hash)));
      scan.awaitWaiting(key - 2);
      assertEquals("12345".substring(key - 3, key), remembered());
      assertFalse(now(() -> timed.put(hash)));
      assertTrue(now(() -> timed.put(~hash)));
    }
    long before = timed.statsBeforeForgetting().setBits();
    scan.open();
    for (Future<Boolean> put : puts) {
      assertTrue(put.get(1, TimeUnit.MINUTES));
    }
    assertEquals(5, timed.forgottenGenerations());
    // The first of them was cleared before it was scanned.
    assertEquals(before, timed.statsBeforeForgetting().setBits());
    long now = timed.stats().setBits();
    ticks.addAndGet(STEP);
    timed.put(hash(6));
    assertEquals(now, timed.statsBeforeForgetting().setBits());
  }

  @Test
  void nothingWaitsForThoseWhoLookAtTheStatistics() throws Exception {
    putThree();
    scan.close();
    Future<Long> looking = threads.submit(() -> timed.stats().setBits());
    scan.awaitWaiting(1);
    assertTrue(now(() -> timed.put(hash(3))));
    ticks.addAndGet(STEP);
    Future<Boolean> put = threads.submit(() -> timed.put(hash(4)));
    scan.awaitWaiting(2);
    assertEquals("1234", remembered());
    scan.open();
    assertTrue(put.get(1, TimeUnit.MINUTES));
    assertEquals(timed.stats().setBits(), looking.get(1, TimeUnit.MINUTES), "of one moment");
  }

  @Test
  void queriesDoNotWaitForAClear() throws Exception {
    putThree();
    for (int key = 3; key < 6; key++) {
      clear.close();
      ticks.addAndGet(STEP);
      long hash = hash(key);
      Future<Boolean> put = threads.submit(() -> timed.put(hash));
      clear.awaitWaiting(1);
      assertEquals("1234".substring(key - 3, key - 1), remembered());
      assertFalse(put.isDone());
      clear.open();
      assertTrue(put.get(1, TimeUnit.MINUTES));
      assertEquals("12345".substring(key - 3, key), remembered());
    }
  }

  @Test
  void aWindowOfKeysDoesNotWaitEither() throws Exception {
    SlidingFilter seen = window(new Extent(2, Extent.BY_KEYS));
    assertTrue(seen.put(hash(0)));
    assertTrue(seen.put(hash(1)));
    clear.close();
    Future<Boolean> put = threads.submit(() -> seen.put(hash(2)));
    clear.awaitWaiting(1);
    assertFalse(now(() -> seen.mightContain(hash(0))));
    assertTrue(now(() -> seen.mightContain(hash(1))));
    assertTrue(now(() -> seen.mightContain(hash(2))));
    scan.close();
    clear.open();
    scan.awaitWaiting(1);
    assertTrue(now(() -> seen.mightContain(hash(2))));
    assertFalse(now(() -> seen.put(hash(2))));
    assertFalse(put.isDone());
    scan.open();
    assertTrue(put.get(1, TimeUnit.MINUTES));
  }

  /** It stops between two filters, of which the second is cleared when it goes on. */
  @Test
  void aQueryFindsWhatIsMovedWhileItReads() throws Exception {
    putThree();
    FutureTask<Boolean> asking = new FutureTask<>(() -> timed.mightContain(hash(1)));
    Thread asker = new Thread(asking);
    query.close(asker);
    asker.start();
    query.awaitWaiting(1);
    assertFalse(timed.put(hash(1)));
    for (int key = 3; key < 5; key++) {
      ticks.addAndGet(STEP);
      assertTrue(timed.put(hash(key)));
    }
    query.open();
    assertTrue(asking.get(1, TimeUnit.MINUTES));
  }

  @Test
  void aClearThatFailsIsMadeAgain() throws Exception {
    putThree();
    clear.close();
    ticks.addAndGet(STEP);
    FutureTask<Boolean> putting = new FutureTask<>(() -> timed.put(hash(3)));
    Thread putter = new Thread(putting);
    putter.start();
    clear.awaitWaiting(1);
    putter.interrupt();
    assertThrows(ExecutionException.class, () -> putting.get(1, TimeUnit.MINUTES));
    clear.open();
    assertEquals("12", remembered());
    assertTrue(timed.put(hash(3)));
    assertEquals("123", remembered());
    assertEquals(3, timed.generations().size());
  }

  /** At drawn steps, which one of the threads makes, by puts of both kinds. */
  @Test
  void ofRacingPutsThatFindStepsDueExactlyOneIsNew() throws Exception {
    for (int round = 0; round < 300; round++) {
      ticks.addAndGet(STEP * (round % 5));
      long hash = hash(1_000 + round);
      long before = hash(999 + round);
      boolean isRecent = round > 0 && round % 5 < 3;
      AtomicInteger isNew = new AtomicInteger();
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        boolean ifAbsent = i < round % 6;
        all.add(
            threads.submit(
                () -> {
                  assertEquals(isRecent, timed.mightContain(before));
                  isNew.addAndGet((ifAbsent ? timed.putIfAbsent(hash) : timed.put(hash)) ? 1 : 0);
                  assertTrue(timed.mightContain(hash));
                }));
      }
      for (Future<?> one : all) {
        one.get(1, TimeUnit.MINUTES);
      }
      assertEquals(1, isNew.get());
    }
  }
}
