package io.bloomery.cli.dedupe;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.OutputFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The lines that are being printed, in a hidden file beside the filter. They are there before their
 * keys are put and until they are printed, so that a process that is ended in between leaves what
 * the next one needs to know.
 *
 * <p>The file begins with 24 bytes: a constant, the number of bytes that follow or 0 if no lines
 * are being printed, and their CRC32C. A file that is not whole is that of a process that was ended
 * before it put or printed anything.
 */
final class PendingFile {

  /**
   * Lines that were being printed.
   *
   * @param filter the key of the file of their filter
   * @param output what they are appended to, if that is known
   */
  record Pending(String filter, Optional<OutputFile> output, PrintedLines lines) {}

  private static final String END = ".bloomery.pending";
  private static final long MAGIC = 0x31444e5045424c42L; // "BLBEPND1"
  private static final int HEAD = 24;

  private static final Set<OpenOption> OPENING =
      Set.of(
          StandardOpenOption.READ,
          StandardOpenOption.WRITE,
          StandardOpenOption.CREATE,
          LinkOption.NOFOLLOW_LINKS);

  private final Path path;
  private @Nullable FileChannel channel; // null until lines are written
  private ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 18);
  private boolean isEmpty = true;

  PendingFile(Path filter) {
    path = filter.resolveSibling("." + filter.getFileName() + END);
  }

  /**
   * Returns the lines that were being printed when an earlier process ended.
   *
   * @throws Failure if the file cannot be read, or is another one
   */
  Optional<Pending> read() throws Failure {
    byte[] content;
    try (FileChannel in =
        FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(in.size()));
      while (bytes.hasRemaining() && in.read(bytes) >= 0) {}
      content = bytes.array();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
    if (content.length < HEAD) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getLong() != MAGIC) {
      throw Failure.file(
          path.toString(), "must be what 'dedupe --state' left, but is not; move it away");
    }
    long length = in.getLong();
    if (length == 0
        || length > content.length - HEAD
        || in.getLong() != sum(in.slice(HEAD, (int) length))) {
      return Optional.empty();
    }
    isEmpty = false;
    return Optional.of(pending(in));
  }

  private static Pending pending(ByteBuffer in) {
    String filter = text(in);
    String output = text(in);
    String key = text(in);
    long size = in.getLong();
    return new Pending(
        filter,
        key.isEmpty() ? Optional.empty() : Optional.of(new OutputFile(Path.of(output), key, size)),
        PrintedLines.read(in.slice().order(ByteOrder.LITTLE_ENDIAN)));
  }

  /** Writes lines, before they are printed. */
  void write(Pending pending) throws Failure {
    byte[] filter = bytes(pending.filter());
    byte[] output = bytes(pending.output().map(file -> file.path().toString()).orElse(""));
    byte[] key = bytes(pending.output().map(OutputFile::key).orElse(""));
    int size =
        Math.addExact(
            filter.length + output.length + key.length + 3 * Integer.BYTES + Long.BYTES,
            pending.lines().serializedSize());
    if (HEAD + size > buffer.capacity()) {
      buffer = ByteBuffer.allocateDirect(HEAD + size);
    }
    buffer.clear().order(ByteOrder.LITTLE_ENDIAN).position(HEAD);
    put(filter);
    put(output);
    put(key);
    buffer.putLong(pending.output().map(OutputFile::size).orElse(0L));
    pending.lines().writeTo(buffer);
    buffer.putLong(0, MAGIC);
    buffer.putLong(8, size);
    buffer.putLong(16, sum(buffer.slice(HEAD, size)));
    buffer.flip();
    if (isEmpty) {
      isEmpty = false;
      write(buffer);
    } else {
      replace(buffer); // what is there must stay until all of this is
    }
  }

  /** Notes that the lines are printed. */
  void clear() throws Failure {
    write(ByteBuffer.allocate(HEAD).order(ByteOrder.LITTLE_ENDIAN).putLong(MAGIC).clear());
    isEmpty = true;
  }

  private void write(ByteBuffer bytes) throws Failure {
    try {
      FileChannel out = channel;
      if (out == null) {
        out = open(path);
      }
      write(bytes, out);
    } catch (IOException e) {
      throw Failure.saving(path, e);
    }
  }

  private void replace(ByteBuffer bytes) throws Failure {
    try {
      close();
      Path next = path.resolveSibling(path.getFileName() + ".tmp");
      Files.deleteIfExists(next);
      write(bytes, open(next));
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw Failure.saving(path, e);
    }
  }

  private FileChannel open(Path file) throws IOException {
    FileChannel opened = FileChannel.open(file, OPENING, ownerOnly());
    channel = opened;
    return opened;
  }

  private static void write(ByteBuffer bytes, FileChannel out) throws IOException {
    while (bytes.hasRemaining()) {
      out.write(bytes, bytes.position());
    }
  }

  /** The file has lines, which need not be for everyone who may read the filter. */
  private FileAttribute<?>[] ownerOnly() {
    return path.getFileSystem().supportedFileAttributeViews().contains("posix")
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }

  /** Removes the file, unless it has lines that are not printed. */
  void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
    if (isEmpty) {
      Files.deleteIfExists(path);
    }
  }

  private void put(byte[] text) {
    buffer.putInt(text.length).put(text);
  }

  private static String text(ByteBuffer in) {
    byte[] text = new byte[in.getInt()];
    in.get(text);
    return new String(text, StandardCharsets.UTF_8);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static long sum(ByteBuffer bytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes);
    return crc.getValue();
  }
}
