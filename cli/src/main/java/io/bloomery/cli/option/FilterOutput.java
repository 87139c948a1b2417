package io.bloomery.cli.option;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.filter.StoredFilter;
import io.bloomery.interop.ForeignFilter;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options for where a command saves a filter: a file, or "-" for the standard output. */
public final class FilterOutput {

  @Option(
      names = {"-o", "--output"},
      required = true,
      paramLabel = "FILE",
      description = "Where to save the filter; - is the standard output.")
  private Path file;

  @Option(names = "--force", description = "Replace the output if it exists.")
  private boolean force;

  /** Writes a filter to a stream or a file. */
  private interface Writing<T> {
    void to(T target) throws IOException;
  }

  /** Returns the file, or that of the name to show if it is the standard output. */
  public Path file() {
    return isStream() ? StandardStreams.OUTPUT : file;
  }

  public boolean isStream() {
    return StandardStreams.isNamedBy(file);
  }

  /** Returns whether a file that exists is replaced. */
  public boolean replaces() {
    return force;
  }

  /**
   * Checks, before any other work, that the filter can be saved.
   *
   * @param json whether a report in JSON will be printed
   * @param instead what to suggest if the file exists
   * @throws Failure if it cannot be created or written
   */
  public void check(Session session, boolean json, String instead) throws Failure {
    if (!isStream()) {
      NewFile.check(file, force, instead);
      return;
    }
    if (json) {
      throw Failure.usage("--json must not be printed among a filter; name a file for the filter");
    }
    if (session.terminal().out()) {
      throw Failure.usage("a filter must not be printed on a terminal; send it to a file or pipe");
    }
  }

  /** Saves a filter; another's file that was made meanwhile is replaced only with --force. */
  public void save(Session session, StoredFilter filter) throws Failure, IOException {
    write(
        session,
        out -> FilterFiles.write(filter, out),
        path -> FilterFiles.save(filter, path),
        path -> FilterFiles.saveNew(filter, path));
  }

  /** Saves a filter of another system in the same way. */
  public void save(Session session, ForeignFilter filter) throws Failure, IOException {
    write(session, filter::write, filter::write, filter::writeNew);
  }

  private void write(
      Session session, Writing<OutputStream> stream, Writing<Path> any, Writing<Path> fresh)
      throws Failure, IOException {
    if (isStream()) {
      stream.to(session.out());
      return;
    }
    try {
      (force ? any : fresh).to(file);
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
  }
}
