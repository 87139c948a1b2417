package io.bloomery.window;

import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** A gate that threads pass while it is open, and wait at while it is closed. */
final class Gate {

  private boolean isClosed;
  private @Nullable Thread only;
  private int waiting;

  synchronized void close() {
    isClosed = true;
  }

  /** Closes the gate for one thread. */
  synchronized void close(Thread thread) {
    isClosed = true;
    only = thread;
  }

  synchronized void open() {
    isClosed = false;
    notifyAll();
  }

  synchronized void pass() {
    if (only != null && only != Thread.currentThread()) {
      return;
    }
    waiting++;
    notifyAll();
    try {
      while (isClosed) {
        wait();
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    } finally {
      waiting--;
    }
  }

  /** Waits until a number of threads wait. */
  synchronized void awaitWaiting(int threads) throws InterruptedException {
    while (waiting < threads) {
      wait();
    }
  }

  /** Returns an output whose bytes pass. */
  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) {
        pass();
      }

      @Override
      public void write(byte[] bytes, int from, int length) {
        pass();
      }
    };
  }
}
