package io.bloomery.internal.file;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An input stream of a file that is read sequentially and resumes after an interrupt. It may be
 * shut between two reads, so that more files can be read in parallel than may be open.
 */
public final class FileInput extends InputStream {

  /** The length of a file that is not regular, such as a pipe. */
  public static final long UNKNOWN = -1;

  private final Path path;
  private final @Nullable InputStream pipe; // null for a regular file
  private final @Nullable FileIdentity identity; // null for a pipe
  private @Nullable FileChannel channel; // null if shut, and for a pipe
  private final @Nullable FileInput lender; // whose channel is read, if not null
  private long length;
  private long position;
  private @Nullable LiveControl control; // of a live file
  private boolean isClosed;

  private FileInput(
      Path path,
      long length,
      @Nullable InputStream pipe,
      @Nullable FileIdentity identity,
      @Nullable FileChannel channel,
      @Nullable FileInput lender) {
    this.path = path;
    this.length = length;
    this.pipe = pipe;
    this.identity = identity;
    this.channel = channel;
    this.lender = lender;
  }

  /** Opens a file. */
  public static FileInput of(Path path) throws IOException {
    return Files.isRegularFile(path)
        ? regular(path)
        : new FileInput(path, UNKNOWN, Files.newInputStream(path), null, null, null);
  }

  /** Opens a file that is not a pipe. */
  static FileInput regular(Path path) throws IOException {
    return Uninterrupted.run(new RegularOpening(path));
  }

  // Classes instead of lambdas, because the first lambda adds milliseconds to the first opening in
  // a JVM.

  /** Opens a regular file. */
  private static final class RegularOpening implements Uninterrupted.Work<FileInput> {
    private final Path path;

    RegularOpening(Path path) {
      this.path = path;
    }

    @Override
    public FileInput run() throws IOException {
      return ofRegular(path);
    }
  }

  /** Reads bytes at the current position without advancing it. */
  private final class PositionedRead implements Uninterrupted.Work<Integer> {
    private final ByteBuffer into;

    PositionedRead(ByteBuffer into) {
      this.into = into;
    }

    @Override
    public Integer run() throws IOException {
      into.clear();
      return opened().read(into, position);
    }
  }

  private static FileInput ofRegular(Path path) throws IOException {
    while (true) {
      FileIdentity identity = FileIdentity.of(path);
      FileChannel channel = channel(path);
      boolean isSame = false;
      try {
        isSame = identity.equals(FileIdentity.of(path));
        if (isSame) {
          return new FileInput(path, channel.size(), null, identity, channel, null);
        }
      } finally {
        if (!isSame) {
          channel.close();
        }
      }
    }
  }

  /**
   * Opens a channel to read a file.
   *
   * @throws FileSystemException if its file system has no channels
   */
  public static FileChannel channel(Path path) throws IOException {
    try {
      return FileChannel.open(path);
    } catch (UnsupportedOperationException e) {
      FileSystemException none =
          new FileSystemException(
              path.toString(),
              null,
              "must be on a file system with channels, but is not; read it as a stream");
      none.initCause(e);
      throw none;
    }
  }

  /** Returns another input of the same regular file, from its start, which this keeps open. */
  FileInput again() {
    return new FileInput(path, length, null, identity(), null, this);
  }

  /**
   * Skips the control of a live file, whose content is all that is read from then on.
   *
   * @return the control; empty, and nothing is skipped, if it is another file
   * @throws LiveControl.Malformed if the control is damaged
   */
  public Optional<LiveControl> skipControl() throws IOException {
    if (pipe != null || !Uninterrupted.run(() -> LiveControl.begins(opened()))) {
      return Optional.empty();
    }
    LiveControl read = Uninterrupted.run(() -> LiveControl.read(opened()));
    control = read;
    position = LiveControl.SIZE;
    length -= LiveControl.SIZE;
    return Optional.of(read);
  }

  /**
   * Returns whether the file is a live one that was opened for writing since it was opened here.
   */
  public boolean isOpenedSince() {
    LiveControl before = control;
    if (before == null) {
      return false;
    }
    try {
      return !before.equals(Uninterrupted.run(() -> LiveControl.read(opened())));
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the identity of the file, which must be regular. */
  FileIdentity identity() {
    return Objects.requireNonNull(identity, "identity");
  }

  /** Returns the length of the file in bytes, or {@link #UNKNOWN}. */
  public long length() {
    return length;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  @Override
  public int read(byte[] bytes, int from, int count) throws IOException {
    if (pipe != null) {
      return pipe.read(bytes, from, count);
    }
    // Reads at an explicit position and into the whole buffer each time, because an interrupt may
    // come after bytes were read and before they were counted.
    int read = Uninterrupted.run(new PositionedRead(ByteBuffer.wrap(bytes, from, count).slice()));
    position += Math.max(0, read);
    return read;
  }

  private synchronized FileChannel opened() throws IOException {
    if (isClosed) {
      throw new FileSystemException(path.toString(), null, "must be read before it is closed");
    }
    if (lender != null) {
      return lender.opened();
    }
    FileChannel before = channel;
    if (before != null && before.isOpen()) {
      return before;
    }
    FileChannel again = channel(path);
    try {
      identity().check(path, "read");
    } catch (IOException e) {
      again.close();
      throw e;
    }
    channel = again;
    return again;
  }

  /** Closes the file until the next read, to free its descriptor; a pipe stays open. */
  public synchronized void shut() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Closes the input; reads in other threads fail. */
  @Override
  public synchronized void close() throws IOException {
    isClosed = true;
    if (pipe != null) {
      pipe.close();
    }
    shut();
  }
}
