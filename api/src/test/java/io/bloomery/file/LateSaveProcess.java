package io.bloomery.file;

import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A JVM that ends while one of its threads saves, which began when it was shutting down. */
final class LateSaveProcess {

  private LateSaveProcess() {}

  /** Saves to the path that is the argument, and never ends to do so. */
  public static void main(String[] arguments) {
    Path path = Path.of(arguments[0]);
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    Thread saving =
        new Thread(
            () -> {
              try {
                FileReplacement.replace(
                    path,
                    out -> {
                      begun.countDown();
                      await(never);
                    });
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  saving.start();
                  await(begun);
                  System.out.println("begun");
                }));
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
