package io.bloomery.internal.file;

import java.nio.file.FileSystems;
import java.nio.file.Path;

/**
 * What is done for one open file when the JVM shuts down. It is removed with the file, so that no
 * object of this library remains registered with the JVM.
 */
final class ShutdownHook {

  private final Thread thread;
  private final boolean isRegistered;

  private ShutdownHook(Thread thread, boolean isRegistered) {
    this.thread = thread;
    this.isRegistered = isRegistered;
  }

  /** Registers work, which is not done if the JVM is shutting down already. */
  static ShutdownHook of(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    boolean isRegistered = true;
    try {
      Runtime.getRuntime().addShutdownHook(thread);
    } catch (IllegalStateException e) {
      // Code that saves during shutdown must make the shutdown wait itself.
      isRegistered = false;
    }
    return new ShutdownHook(thread, isRegistered);
  }

  /** Removes a file of the default file system after all hooks, if the JVM is shutting down. */
  void removeAtExit(Path file) {
    if (!isRegistered && file.getFileSystem() == FileSystems.getDefault()) {
      try {
        file.toFile().deleteOnExit();
      } catch (IllegalStateException e) {
        // All hooks have ended, and the JVM stops at any moment.
      }
    }
  }

  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the work will find that nothing is left to do.
    }
  }
}
