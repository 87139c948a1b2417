package io.bloomery.cli;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets Ctrl-C, or a request to end, reach a thread that saves: files that it writes by channels
 * fail at once, so that it removes what is not finished, for which the JVM waits before it ends.
 */
final class Interruption {

  /** Writes files, by channels. */
  interface Save {
    void run() throws IOException;
  }

  private static final long PATIENCE_SECONDS = 5;

  private final CountDownLatch done = new CountDownLatch(1);
  private final Thread hook;

  private Interruption(Thread saver) {
    hook =
        new Thread(
            () -> {
              saver.interrupt();
              try {
                done.await(PATIENCE_SECONDS, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                // The JVM ends now; so does this.
                Thread.currentThread().interrupt();
              }
            });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Saves in the current thread, and lets it be interrupted. */
  static void reaches(Save save) throws IOException {
    Interruption interruption = new Interruption(Thread.currentThread());
    try {
      save.run();
    } finally {
      interruption.end();
    }
  }

  private void end() {
    done.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is ending, and the hook has seen that this is done.
    }
  }
}
