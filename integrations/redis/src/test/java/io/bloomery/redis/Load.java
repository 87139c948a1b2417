package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Threads that put fresh keys and ask for those that were put, until this is closed. */
final class Load implements AutoCloseable {

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Future<?>> running = new ArrayList<>();
  private final AtomicLong acknowledged; // keys below are in
  private final AtomicLong answers = new AtomicLong();
  private volatile boolean isOver;

  /**
   * Creates one without threads.
   *
   * @param before how many keys have been put
   */
  Load(long before) {
    acknowledged = new AtomicLong(before);
  }

  private void start(Runnable step) {
    running.add(
        threads.submit(
            () -> {
              while (!isOver) {
                step.run();
              }
            }));
  }

  /** Puts fresh keys, so many at a time. */
  void put(int batch, Consumer<List<Long>> putAll) {
    start(
        () -> {
          long from = acknowledged.get();
          putAll.accept(Servers.keys(from, from + batch));
          acknowledged.set(from + batch);
        });
  }

  /** Asks for the last keys that were put, and fails if one is not found. */
  void ask(int last, UnaryOperator<List<Long>> select) {
    start(
        () -> {
          long to = acknowledged.get();
          List<Long> keys = Servers.keys(Math.max(0, to - last), to);
          assertEquals(keys, select.apply(keys));
          answers.addAndGet(keys.size());
        });
  }

  long acknowledged() {
    return acknowledged.get();
  }

  /** Waits until more was answered, or a thread has failed. */
  void awaitAnswers() {
    long before = answers.get();
    RedisServer.await(
        "answers", () -> answers.get() > before || running.stream().anyMatch(Future::isDone));
  }

  /** Ends the threads, and fails if one of them has. */
  @Override
  public void close() {
    isOver = true;
    threads.shutdown();
    for (Future<?> thread : running) {
      try {
        thread.get();
      } catch (ExecutionException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }
}
