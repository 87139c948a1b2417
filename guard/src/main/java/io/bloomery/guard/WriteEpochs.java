package io.bloomery.guard;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A barrier that counts writes by epochs. A waiting rebuild begins a new epoch, which later writes
 * enter, and waits until the earlier epochs are empty.
 */
final class WriteEpochs implements WriteBarrier {
  // decisions.md#writes-are-counted-by-epochs-and-a-rebuild-waits-for-the-earlier-ones

  private volatile Epoch current = new Epoch();
  private final Queue<Epoch> ended = new ArrayDeque<>();

  @Override
  public Passage enter() {
    while (true) {
      Epoch epoch = current;
      // An epoch that cannot be entered has already been replaced.
      if (epoch.enter()) {
        return epoch;
      }
    }
  }

  @Override
  public synchronized void awaitEarlier(Duration patience)
      throws InterruptedException, TimeoutException {
    Epoch before = current;
    current = new Epoch();
    before.leave();
    ended.add(before);
    long deadline = System.nanoTime() + AnswerLimits.nanos(patience);
    // An epoch that did not empty in time stays first in the queue.
    for (Epoch epoch = ended.peek(); epoch != null; epoch = ended.peek()) {
      if (!epoch.empty.await(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException();
      }
      ended.remove();
    }
  }

  private static final class Epoch implements Passage {

    // One per write, and one for the epoch itself until it ends.
    private final AtomicInteger inside = new AtomicInteger(1);
    private final CountDownLatch empty = new CountDownLatch(1);

    boolean enter() {
      return inside.getAndUpdate(count -> count == 0 ? 0 : count + 1) > 0;
    }

    @Override
    public void leave() {
      if (inside.decrementAndGet() == 0) {
        empty.countDown();
      }
    }
  }
}
