package io.bloomery.window;

/** Makes durable which generations a window remembers. */
interface Durability {

  /** That of a window in memory. */
  Durability NONE = (before, next) -> {};

  /**
   * Makes a change of the generations durable, before it is made in memory. If this throws, it is
   * not made, and is tried again.
   *
   * @throws java.io.UncheckedIOException if the disk fails
   */
  void keep(Generations before, Generations next);

  /** Makes the JVM throw the InternalError of a file that could not be read before this call. */
  default void raise() {}

  /** Returns what to throw where the file of the window cannot be read or written to. */
  default RuntimeException fault(InternalError e) {
    throw e;
  }
}
