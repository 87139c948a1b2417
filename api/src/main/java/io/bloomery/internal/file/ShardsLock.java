package io.bloomery.internal.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * The lock of a folder of shards, which its manifest finishes: held from reading the shards to
 * writing the manifest and, briefly, by each who renames a shard. Once the manifest is there, no
 * file of the folder is replaced.
 */
public final class ShardsLock implements Closeable {

  /** The name of the manifest within its folder. */
  public static final String MANIFEST = "shards.manifest";

  private static final Pattern SHARD = Pattern.compile("shard-\\d{5}\\.bloom");

  private final Path manifest;
  private final LockFile lock;

  private ShardsLock(Path manifest, LockFile lock) {
    this.manifest = manifest;
    this.lock = lock;
  }

  /**
   * Locks a folder, after waiting until no other has it locked.
   *
   * @throws FileAlreadyExistsException if it has a manifest
   * @throws FileSystemException if another does not end
   */
  public static ShardsLock take(Path folder) throws IOException {
    Path manifest = FileTarget.of(folder.resolve(MANIFEST));
    LockFile lock = LockFile.of(manifest);
    lock.take();
    boolean isUnfinished = false;
    try {
      checkUnfinished(manifest);
      isUnfinished = true;
      return new ShardsLock(manifest, lock);
    } finally {
      if (!isUnfinished) {
        lock.close();
      }
    }
  }

  /** Returns whether the file of a shard may have this name. */
  public static boolean isShard(String name) {
    return SHARD.matcher(name).matches();
  }

  /** Returns whether a folder has a manifest. */
  public static boolean isFinished(Path folder) {
    return Files.isRegularFile(folder.resolve(MANIFEST));
  }

  /**
   * Writes the manifest.
   *
   * @throws FileAlreadyExistsException if the folder has one
   * @throws FileSystemException if the folder is no longer locked, since the JVM shuts down
   */
  public void finish(FileReplacement.Content content) throws IOException {
    FileReplacement.replace(
        manifest,
        lock,
        content,
        () -> {
          checkUnfinished(manifest);
          if (!lock.isTaken()) {
            throw new FileSystemException(
                manifest.toString(),
                null,
                "must be written before the JVM shuts down, but was not; finish the folder again");
          }
        });
    Leftovers.removeShards(FileTarget.folder(manifest));
  }

  /** A renaming of a file that may be a shard. */
  interface Renaming {

    /** Gives a file its name, or does nothing and throws. */
    void run() throws IOException;
  }

  /** Renames a file, which no other finishes the folder of meanwhile if it may be a shard. */
  static void rename(Path target, Renaming renaming) throws IOException {
    if (!isShard(String.valueOf(target.getFileName()))) {
      renaming.run();
      return;
    }
    try (LockFile lock = LockFile.of(target.resolveSibling(MANIFEST))) {
      lock.take();
      checkUnfinished(target);
      renaming.run();
    }
  }

  /**
   * Checks that a file may be made or replaced.
   *
   * @throws FileAlreadyExistsException if it is the manifest or a shard of a folder with a manifest
   */
  static void checkUnfinished(Path file) throws FileAlreadyExistsException {
    String name = String.valueOf(file.getFileName());
    if ((isShard(name) || name.equals(MANIFEST)) && isFinished(FileTarget.folder(file))) {
      throw new FileAlreadyExistsException(
          file.toString(),
          null,
          "must not be replaced, since its folder of shards is finished by a "
              + MANIFEST
              + "; write all shards again to another folder");
    }
  }

  @Override
  public void close() {
    lock.close();
  }
}
