package io.bloomery.conformance;

import java.io.Serializable;

/** What a child JVM does. */
interface ChildTask extends Serializable {

  /** The records that say nothing else than where the JVM is. */
  enum Mark {
    /** No code of a provider has run so far, and some may from now on. */
    BEGIN,
    /** The check of a rule makes progress. */
    PROGRESS,
    /** The task is complete. */
    DONE
  }

  /**
   * Performs the task and writes its results.
   *
   * @param loader the class loader of the providers
   * @return whether the task is complete, so that the JVM may not have ended for another reason
   */
  boolean run(ClassLoader loader, ProgressFile out);
}
