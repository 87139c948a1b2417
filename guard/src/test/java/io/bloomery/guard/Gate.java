package io.bloomery.guard;

import java.util.concurrent.CountDownLatch;

/** A place where threads wait until it is opened. */
final class Gate {

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch opened = new CountDownLatch(1);

  void pass() {
    reached.countDown();
    Guards.await(opened);
  }

  /** Waits as a driver that does not heed an interrupt. */
  void passWhateverComes() {
    reached.countDown();
    while (opened.getCount() > 0) {
      try {
        opened.await();
      } catch (InterruptedException e) {
        // Not heeded.
      }
    }
  }

  /** Waits until a thread waits here. */
  void awaitReached() {
    Guards.await(reached);
  }

  void open() {
    opened.countDown();
  }
}
