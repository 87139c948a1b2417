package io.bloomery.cli.session;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A stream whose failures can be distinguished from those of other streams: it throws {@link
 * OutputException}. After one nothing more is written, since a part of what failed may be there.
 */
public final class StandardOutput extends OutputStream {

  private final OutputStream out;
  private final @Nullable Path descriptor;
  private @Nullable OutputException failure; // null as long as there is none

  private interface Write {
    void run() throws IOException;
  }

  /** Creates a stream to something other than a file. */
  public StandardOutput(OutputStream out) {
    this(out, null);
  }

  /**
   * Creates a stream.
   *
   * @param descriptor a name of the open file, where the system has such names; null if it is none
   */
  public StandardOutput(OutputStream out, @Nullable Path descriptor) {
    this.out = out;
    this.descriptor = descriptor;
  }

  /** Returns the regular file that was flushed to, as it is now, or none if it is none. */
  public Optional<OutputFile> file() {
    return Optional.ofNullable(descriptor).flatMap(OutputFile::of);
  }

  @Override
  public void write(int b) throws IOException {
    run(() -> out.write(b));
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    run(() -> out.write(bytes, from, length));
  }

  @Override
  public void flush() throws IOException {
    run(out::flush);
  }

  private void run(Write write) throws OutputException {
    if (failure != null) {
      throw failure;
    }
    try {
      write.run();
    } catch (IOException e) {
      failure = new OutputException(e);
      throw failure;
    }
  }
}
