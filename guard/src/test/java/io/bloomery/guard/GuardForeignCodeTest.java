package io.bloomery.guard;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exceptions, log handlers and callbacks of others, which fail, or wait for the guard. */
class GuardForeignCodeTest {

  /** An exception that fails when it is told. */
  enum Untellable {
    THROWS {
      @Override
      String text() {
        throw new IllegalStateException("no text");
      }
    },
    NULL {
      @Override
      String text() {
        return null;
      }
    },
    MEMORY {
      @Override
      String text() {
        throw new OutOfMemoryError("no text");
      }
    },
    STACK {
      @Override
      @SuppressWarnings("InfiniteRecursion") // on purpose
      String text() {
        return text() + "";
      }
    };

    abstract String text();

    @SuppressWarnings("serial") // never serialised
    Exception exception() {
      return new Exception() {
        @Override
        public String getMessage() {
          return text();
        }

        @Override
        public String toString() {
          return text();
        }
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailureThatCannotBeToldEndsNoRebuilding(Untellable kind) throws Exception {
    rebuildsAfter(MemorySource.failing(kind.exception()));
  }

  @ParameterizedTest
  @EnumSource
  void aLoadThatFailsWithoutATextFailsForWhoAsks(Untellable kind) throws Exception {
    for (AnswerLimits limits :
        List.of(AnswerLimits.defaults(), AnswerLimits.defaults().loadTimeout(Guards.LONG))) {
      MemorySource table = MemorySource.of("ada");
      try (Guard<String, String> guard = Guards.ready(Guards.builder(table).answers(limits))) {
        table.onLoad = MemorySource.failing(kind.exception());
        SourceException failure = assertThrows(SourceException.class, () -> guard.get("ada"));
        assertTrue(failure.getMessage().startsWith("the source failed"), failure.getMessage());
        table.onLoad = () -> {};
        assertTrue(guard.get("ada").isPresent());
      }
    }
  }

  @Test
  void aFailureToLogEndsNoRebuilding() throws Exception {
    // Held, since loggers that nobody holds are collected, with their handlers.
    Logger logger = Logger.getLogger("io.bloomery.guard");
    for (Error failure : new Error[] {new OutOfMemoryError("log"), new AssertionError("log")}) {
      Handler handler =
          new Handler() {
            @Override
            public void publish(LogRecord message) {
              throw failure;
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
          };
      logger.addHandler(handler);
      try {
        rebuildsAfter(MemorySource.failing(new IllegalStateException("outage")));
      } finally {
        logger.removeHandler(handler);
      }
    }
  }

  private static void rebuildsAfter(MemorySource.Trouble trouble) throws Exception {
    MemorySource table = MemorySource.of("ada");
    try (Guard<String, String> guard =
        Guards.ready(Guards.builder(table).pause(Duration.ofMillis(10)))) {
      table.onKeys = trouble;
      ExecutionException failure =
          assertThrows(ExecutionException.class, () -> guard.rebuild().get(600, TimeUnit.SECONDS));
      assertFalse(failure.toString().isEmpty());
      Guards.await("it tries again by itself", () -> guard.stats().rebuildFailures() > 2);
      Guards.await("it says so", () -> guard.state() == GuardState.FAILED);
      assertFalse(guard.stats().lastError().orElseThrow().isEmpty());
      table.onKeys = () -> {};
      Guards.await("it has recovered", () -> guard.state() == GuardState.READY);
      Guards.result(guard.rebuild());
    }
  }

  /** How the future of a rebuild ends. */
  enum End {
    SERVES,
    FAILS,
    IS_GIVEN_UP,
    IS_CLOSED,
    IS_CLOSED_WHILE_QUEUED
  }

  @ParameterizedTest
  @EnumSource
  void callbacksOfARebuildMayWaitForOthersWhoAskTheGuard(End end) throws Exception {
    MemorySource table = MemorySource.of("ada");
    Guard<String, String> guard =
        Guards.ready(Guards.builder(table).patience(Duration.ofMillis(200)));
    Gate gate = new Gate();
    table.onEachKey =
        () -> {
          gate.passWhateverComes();
          if (end == End.FAILS) {
            throw new IllegalStateException("outage");
          }
        };
    CompletableFuture<Void> running = guard.rebuild();
    CompletableFuture<Void> rebuild = end == End.IS_CLOSED_WHILE_QUEUED ? guard.rebuild() : running;
    CompletableFuture<GuardStats> asked = rebuild.handle((nothing, failure) -> stats(guard).join());
    gate.awaitReached();
    if (end == End.SERVES || end == End.FAILS) {
      gate.open();
    } else if (end != End.IS_GIVEN_UP) {
      guard.close();
    }
    assertTrue(Guards.result(asked).rebuilds() >= 1);
    gate.open();
    guard.close();
  }

  private static CompletableFuture<GuardStats> stats(Guard<String, String> guard) {
    return CompletableFuture.supplyAsync(guard::stats, task -> new Thread(task).start());
  }

  @Test
  void aCallbackThatNeverReturnsStopsNoRebuilding() throws Exception {
    MemorySource table = MemorySource.of("ada");
    CountDownLatch never = new CountDownLatch(1);
    try (Guard<String, String> guard =
        Guards.ready(
            Guards.builder(table).pause(Duration.ofMillis(10)).patience(Duration.ofMillis(100)))) {
      table.onEachKey = () -> Thread.sleep(60_000);
      CompletableFuture<Void> stuck = guard.rebuild().whenComplete((nothing, e) -> block(never));
      Guards.await("it was given up", () -> guard.stats().rebuildFailures() > 0);
      table.onEachKey = () -> {};
      Guards.await("it has recovered", () -> guard.state() == GuardState.READY);
      assertFalse(stuck.isDone());
    } finally {
      never.countDown();
    }
  }

  private static void block(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
