package io.bloomery.cli;

import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Where the lines come from: files, and the standard input if none is named or one is "-". */
final class Inputs {

  /** Takes a batch, and may fail on its own account. */
  interface Action {
    void accept(LineBatch batch) throws Failure, IOException;
  }

  private static final String STANDARD_INPUT = "-";

  private final Session session;
  private final List<String> names;

  private Inputs(Session session, List<String> names) {
    this.session = session;
    this.names = names;
  }

  /**
   * Takes the names from the command line.
   *
   * @throws Failure if one of them is certain not to be readable
   */
  static Inputs of(Session session, List<String> names) throws Failure {
    for (String name : names) {
      if (!name.equals(STANDARD_INPUT)) {
        check(Path.of(name));
      }
    }
    return new Inputs(session, names.isEmpty() ? List.of(STANDARD_INPUT) : names);
  }

  private static void check(Path path) throws Failure {
    if (!Files.exists(path)) {
      throw Failure.file(path.toString(), "no such file; name a file of lines, or - for a pipe");
    }
    if (Files.isDirectory(path)) {
      throw Failure.file(path.toString(), "is a directory; name the files in it");
    }
    if (!Files.isReadable(path)) {
      throw Failure.file(path.toString(), "permission denied; see that you may read it");
    }
  }

  /** Returns the name of an input that can be read only once, or null if there is none. */
  String firstPipe() {
    for (String name : names) {
      if (name.equals(STANDARD_INPUT)) {
        return "the standard input";
      }
      if (!Files.isRegularFile(Path.of(name))) {
        return name;
      }
    }
    return null;
  }

  /** Counts all lines; each input must be one that can be read again. */
  long countLines() throws Failure {
    long lines = 0;
    for (String name : names) {
      try (LineReader reader = open(name)) {
        lines += reader.count();
      } catch (IOException e) {
        throw failure(name, e);
      }
    }
    return lines;
  }

  /** Hands all lines over, batch by batch, in order. */
  void forEachBatch(Action action) throws Failure, IOException {
    LineBatch batch = new LineBatch();
    for (String name : names) {
      try (LineReader reader = open(name)) {
        while (fill(batch, reader, name)) {
          action.accept(batch);
        }
      }
    }
  }

  private static boolean fill(LineBatch batch, LineReader reader, String name) throws Failure {
    try {
      return batch.fill(reader);
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  private LineReader open(String name) throws Failure {
    try {
      // Of a pipe, only this kind of stream knows what is ready to be read.
      return new LineReader(name.equals(STANDARD_INPUT) ? session.in() : new FileInputStream(name));
    } catch (IOException e) {
      throw failure(name, e);
    }
  }

  private static Failure failure(String name, IOException e) {
    String reason = Failure.reason(Path.of(name), e) + "; see that it can be read";
    return Failure.file(name.equals(STANDARD_INPUT) ? "the standard input" : name, reason);
  }
}
