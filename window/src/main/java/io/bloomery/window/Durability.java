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
}
