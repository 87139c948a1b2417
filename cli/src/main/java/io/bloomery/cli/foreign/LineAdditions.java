package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import java.io.Closeable;
import java.io.IOException;

/** A filter to which lines are added, and which is saved once all of them are. */
public interface LineAdditions extends Closeable {

  /**
   * Adds every line of a batch.
   *
   * @throws Failure if the filter is full, or a line cannot be a key; the file stays unchanged
   */
  void add(LineBatch batch) throws Failure;

  /** Saves the filter atomically. */
  void save() throws Failure, IOException;

  /**
   * Reports the number of lines added, as JSON or as text followed by {@code more}, and whether the
   * filter now has more keys than its rate is guaranteed for.
   *
   * @return the exit code
   */
  int report(Session session, boolean json, String more) throws IOException;
}
