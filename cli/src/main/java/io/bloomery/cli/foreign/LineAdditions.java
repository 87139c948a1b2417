package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import java.io.Closeable;
import java.io.IOException;

/** A filter that lines are added to, and saved once all are. */
public interface LineAdditions extends Closeable {

  /**
   * Adds every line of a batch.
   *
   * @throws Failure if there is no room, or a line cannot be a key; the file stays as it is
   */
  void add(LineBatch batch) throws Failure;

  /** Saves the filter, in one step. */
  void save() throws Failure, IOException;

  /**
   * Says how many lines were added, as JSON or in words with {@code more} about the filter, and
   * whether it has outgrown its promise.
   *
   * @return the exit code
   */
  int report(Session session, boolean json, String more) throws IOException;
}
