package io.bloomery.conformance;

import java.io.Serializable;

/** What a child JVM does. */
interface ChildTask extends Serializable {

  /** The records that have no content. */
  enum Mark {
    /** The provider is loaded. */
    LOADED,
    /** The check of a rule makes progress. */
    PROGRESS,
    /** The check of the last rule hangs, and the JVM ends for that reason. */
    STUCK,
    /** The task is complete. */
    DONE
  }

  /**
   * Performs the task and writes its results.
   *
   * @param loader the class loader of the providers
   * @return whether the task is complete
   */
  boolean run(ClassLoader loader, ProgressFile out);
}
