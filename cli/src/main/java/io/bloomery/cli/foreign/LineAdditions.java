package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.OutputException;
import io.bloomery.cli.session.Session;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * A filter to which lines are added, and which is saved once all of them are. No other process can
 * change a saved filter until this is closed.
 */
public abstract class LineAdditions implements Closeable {

  /** Writes the filter to its destination. */
  protected interface Save {
    void run() throws Failure, IOException;
  }

  private final Path path;
  private final Save save;
  private final Closeable lock;
  private long lines;
  private long added;

  /**
   * Creates an instance.
   *
   * @param path the name to show to users
   * @param lock closed with this
   */
  protected LineAdditions(Path path, Save save, Closeable lock) {
    this.path = path;
    this.save = save;
    this.lock = lock;
  }

  /** Puts every line of a batch, and returns how many were certainly absent. */
  protected abstract long put(LineBatch batch) throws Failure;

  /**
   * Reports the number of lines added, as JSON or as text followed by {@code more}, and whether the
   * filter now has more keys than its rate is guaranteed for.
   *
   * @return the exit code
   */
  public abstract int report(Session session, boolean json, String more) throws IOException;

  /** Returns the name to show to users. */
  protected final Path path() {
    return path;
  }

  /** Returns how many of the lines were certainly absent, and so are distinct. */
  protected long added() {
    return added;
  }

  /**
   * Adds every line of a batch.
   *
   * @throws Failure if the filter is full, or a line cannot be a key; the file stays unchanged
   */
  public final void add(LineBatch batch) throws Failure {
    added += put(batch);
    lines += batch.size();
  }

  /** Saves the filter atomically. */
  public final void save() throws Failure, IOException {
    try {
      save.run();
    } catch (OutputException e) {
      throw e;
    } catch (IOException e) {
      throw Failure.saving(path, e);
    }
  }

  @Override
  public final void close() throws IOException {
    lock.close();
  }

  /** Reports the number of lines added, and as JSON also the members that describe the filter. */
  protected final void report(Session session, boolean json, String more, Members members)
      throws IOException {
    if (!json) {
      session.say("%s: %,d lines added, at least %,d new%s", path, lines, added(), more);
      return;
    }
    Json.print(
        session,
        new Members()
            .with("file", path.toString())
            .with("lines", lines)
            .with("new", added())
            .with(members));
  }
}
