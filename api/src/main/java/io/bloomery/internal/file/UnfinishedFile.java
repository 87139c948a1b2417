package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A temporary file that will replace its target, with a unique name, locked while its writer is
 * alive: a hidden file {@code .NAME.PROCESS-RANDOM.bloomery.tmp} in the same folder.
 *
 * <p>It can be read only by those who can read the file that it replaces. When the JVM shuts down,
 * the writer has some seconds to finish; after that, the file is removed. A writer that is killed
 * leaves it behind, unlocked: see {@link Leftovers}.
 */
final class UnfinishedFile implements Closeable {
  // decisions.md#a-jvm-that-is-told-to-end-waits-five-seconds-for-a-save
  // decisions.md#hidden-temporary-files-not-filescreatetempfile

  /**
   * The position of the locked byte, outside the content: on Windows a locked range cannot be read
   * by others.
   */
  static final long LOCK_AT = Long.MAX_VALUE - 1;

  // The process id alone may be reused, in a container even at each start.
  private static final String PROCESS =
      Long.toHexString(ProcessHandle.current().pid())
          + "-"
          + Long.toHexString(
              ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L));

  private static final String RANDOM = "[0-9a-f]{16}";

  private static final String END = ".bloomery.tmp";

  /** Compiled only for names with this suffix, which few files have. */
  private static final class Names {

    /** The pattern of the names of unfinished files of any process. */
    static final Pattern ANY =
        Pattern.compile("\\..+\\.[0-9a-f]+-[0-9a-f]+-" + RANDOM + "\\.bloomery\\.tmp");

    /** The pattern of the names of unfinished files of this process. */
    static final Pattern OWN =
        Pattern.compile("\\..+\\." + PROCESS + "-" + RANDOM + "\\.bloomery\\.tmp");
  }

  private static final int ATTEMPTS = 3;

  private static final Set<StandardOpenOption> NEW =
      EnumSet.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);

  private static final int BUFFER = 1 << 16;

  private static final long PATIENCE_SECONDS = 5;

  private final Path target;
  private final Path path;
  private final @Nullable FileAccess access; // of the target
  private @Nullable FileChannel channel; // null before the file is created
  private long written;
  private final CountDownLatch done = new CountDownLatch(1);
  private final ShutdownHook hook;
  private boolean moved;
  private boolean isClosed;

  /**
   * Registers the shutdown hook; called before the file is created, so that none is left when the
   * JVM shuts down.
   */
  private UnfinishedFile(Path target, Path path, @Nullable FileAccess access) {
    this.target = target;
    this.path = path;
    this.access = access;
    this.hook = ShutdownHook.of(this::awaitOrRemove, "bloomery-unfinished-file");
  }

  /**
   * Creates an empty file beside its target, with the same access if the target exists.
   *
   * @param target an absolute path that is not a link
   */
  static UnfinishedFile of(Path target) throws IOException {
    FileAccess access = FileAccess.of(target);
    for (int i = 0; i < ATTEMPTS; i++) {
      UnfinishedFile file = make(target, access);
      try {
        if (access != null) {
          access.giveTo(file.path);
        }
        file.lock();
        // Files are removed only under their lock, so a file that exists after it was locked
        // remains.
        if (Files.exists(file.path)) {
          return file;
        }
      } catch (IOException e) {
        file.close();
        throw e;
      }
      file.close();
    }
    throw new FileSystemException(
        target.toString(), null, "files beside it are removed as soon as they are made");
  }

  /** Returns whether an unfinished file of another process may have this name. */
  static boolean isNameOfAnother(String name) {
    return name.endsWith(END)
        && Names.ANY.matcher(name).matches()
        && !Names.OWN.matcher(name).matches();
  }

  private static UnfinishedFile make(Path target, @Nullable FileAccess access) throws IOException {
    String random = HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
    Path path = HiddenName.beside(target, "." + PROCESS + "-" + random + END);
    UnfinishedFile file = new UnfinishedFile(target, path, access);
    try {
      file.channel = FileChannel.open(path, NEW, FileAccess.ofNew(access));
      file.hook.removeAtExit(path);
      return file;
    } catch (NoSuchFileException e) {
      throw FileTarget.noFolder(FileTarget.folder(target));
    } catch (AccessDeniedException e) {
      throw FileTarget.notWritable(FileTarget.folder(target));
    } finally {
      if (file.channel == null) {
        file.isClosed = true;
        file.done.countDown();
        file.hook.remove();
      }
    }
  }

  private void awaitOrRemove() {
    try {
      if (!done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        Files.deleteIfExists(path);
      }
    } catch (IOException e) {
      // The next writer in this folder removes it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private FileChannel made() {
    return Objects.requireNonNull(channel, "channel");
  }

  private void lock() {
    try {
      made().tryLock(LOCK_AT, 1, false);
    } catch (IOException | UnsupportedOperationException e) {
      // Without locks the file is not protected, but also never removed by others.
    }
  }

  Path path() {
    return path;
  }

  /** Returns a stream that writes the content, and resumes after an interrupt. */
  OutputStream output() {
    return new OutputStream() {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int length) throws IOException {
        Objects.checkFromIndexSize(from, length, bytes.length);
        for (int at = from, some; at < from + length; at += some) {
          ByteBuffer part = ByteBuffer.wrap(bytes, at, Math.min(BUFFER, from + length - at));
          // Writes again from the start of the part: after an interrupt, the number of bytes
          // written is unknown.
          some = Uninterrupted.run(() -> writeSome(part.duplicate()));
          written += some;
        }
      }
    };
  }

  private int writeSome(ByteBuffer part) throws IOException {
    try {
      return open().write(part, written);
    } catch (ClosedChannelException e) {
      throw e;
    } catch (IOException e) {
      FileSystemException failed =
          new FileSystemException(
              target.toString(),
              null,
              e.getMessage()
                  + "; nothing was changed, so make room, raise the limit of this process on the"
                  + " size of files, or choose another place");
      failed.initCause(e);
      throw failed;
    }
  }

  /** Forces the content to disk. */
  void force() throws IOException {
    Uninterrupted.run(
        () -> {
          open().force(true);
          return true;
        });
  }

  /** Returns the channel, which is reopened and locked again if an interrupt has closed it. */
  private FileChannel open() throws IOException {
    if (isClosed) {
      throw new ClosedChannelException();
    }
    if (!made().isOpen()) {
      channel = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      lock();
    }
    return made();
  }

  /** Renames the file to its target, atomically. */
  void moveToTarget() throws IOException {
    if (access != null) {
      access.finish(path);
    }
    try {
      // Renamed while open and locked, so that it is not mistaken for a leftover.
      Files.move(path, target, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      throw e.getClass() == FileSystemException.class && Files.exists(target) ? notReplaced(e) : e;
    }
    moved = true;
  }

  /**
   * Gives the file the name of its target, atomically, if no file has it.
   *
   * @throws FileAlreadyExistsException if one has it
   */
  void linkToTarget() throws IOException {
    try {
      Files.createLink(target, path);
      // The other name is removed when this is closed.
    } catch (FileAlreadyExistsException e) {
      throw e;
    } catch (IOException | UnsupportedOperationException e) {
      // Without hard links, as on FAT: whoever makes the empty file may replace it.
      Files.createFile(target);
      try {
        moveToTarget();
      } finally {
        if (!moved) {
          Files.deleteIfExists(target);
        }
      }
    }
  }

  private FileSystemException notReplaced(FileSystemException e) {
    FileSystemException clear =
        new FileSystemException(
            target.toString(),
            null,
            "cannot be replaced ("
                + e.getReason()
                + (String.valueOf(e.getReason()).contains("busy")
                    ? "), as no file that is a mount of its own can, as in a container; mount its"
                        + " folder instead"
                    : "), as no file that is immutable, or another's in a folder such as /tmp, can;"
                        + " name another file, or let its owner save it"));
    clear.initCause(e);
    return clear;
  }

  /** Removes the file unless it was renamed to its target. */
  @Override
  public void close() throws IOException {
    isClosed = true;
    try {
      if (moved) {
        closeWhatIsSaved();
      } else {
        closeWhatIsNot();
      }
    } finally {
      done.countDown();
      hook.remove();
    }
  }

  private void closeWhatIsNot() throws IOException {
    try {
      Files.deleteIfExists(path);
    } finally {
      made().close();
    }
  }

  private void closeWhatIsSaved() {
    try {
      made().close();
    } catch (IOException e) {
      // The content is on disk and has its name; a failure to close does not matter.
    }
  }
}
