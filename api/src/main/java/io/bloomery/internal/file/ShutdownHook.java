package io.bloomery.internal.file;

/**
 * What is done for one open file when the JVM shuts down. It is removed with the file, so that no
 * object of this library remains registered with the JVM.
 */
final class ShutdownHook {

  private final Thread thread;

  private ShutdownHook(Thread thread) {
    this.thread = thread;
  }

  /** Registers work, which is not done if the JVM is shutting down already. */
  static ShutdownHook of(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    try {
      Runtime.getRuntime().addShutdownHook(thread);
    } catch (IllegalStateException e) {
      // Code that saves during shutdown must make the shutdown wait itself.
    }
    return new ShutdownHook(thread);
  }

  void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The JVM is shutting down, and the work will find that nothing is left to do.
    }
  }
}
