package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The resolution of a path to the regular file, existing or not, that its links lead to. */
public final class FileTarget {

  /** The maximum number of links followed, as in Linux. */
  private static final int MAX_LINKS = 40;

  /** The mode bit of a folder in which everybody may create files, but remove only their own. */
  private static final int STICKY = 01000;

  private static final Set<String> ARCHIVES = Set.of("jar", "jrt");

  private FileTarget() {}

  /**
   * Follows symbolic links, so that they remain links when the file is replaced.
   *
   * @return the absolute path of a regular file, or of none
   * @throws FileSystemException if it is any other kind of file, or a link in a sticky folder that
   *     belongs neither to this user nor to the owner of the folder, or belongs to a folder of
   *     shards that is finished, or is in an archive
   */
  public static Path of(Path path) throws IOException {
    checkNoArchive(Objects.requireNonNull(path, "path must not be null"));
    Path at = path.toAbsolutePath();
    for (int i = 0; i <= MAX_LINKS; i++) {
      ShardsLock.checkUnfinished(at);
      BasicFileAttributes attributes = attributes(at);
      if (attributes == null || !attributes.isSymbolicLink()) {
        checkRegular(path, attributes);
        if (attributes == null && Files.notExists(folder(at))) {
          throw noFolder(folder(at));
        }
        return at;
      }
      Path folder = folder(at);
      checkOwner(at, folder);
      at = folder.resolve(Files.readSymbolicLink(at));
    }
    throw new FileSystemLoopException(path.toString());
  }

  // In a zip file a file is there only once it is closed, and a run-time image cannot be written.
  private static void checkNoArchive(Path path) throws FileSystemException {
    String scheme = path.getFileSystem().provider().getScheme();
    if (ARCHIVES.contains(scheme)) {
      throw new FileSystemException(
          path.toString(),
          null,
          "must be on a file system that locks and renames files, but is on that of '"
              + scheme
              + ":'; save it elsewhere, or write to a stream");
    }
  }

  /** Returns the folder of a file, whose path must be absolute and not a root. */
  static Path folder(Path file) {
    return Objects.requireNonNull(file.getParent());
  }

  /** Returns the exception for a folder that is not there. */
  static NoSuchFileException noFolder(Path folder) {
    return new NoSuchFileException(
        folder.toString(), null, "no such folder; make it, or name a file in another one");
  }

  /** Returns the exception for a folder in which no files can be made. */
  static AccessDeniedException notWritable(Path folder) {
    return new AccessDeniedException(
        folder.toString(),
        null,
        "the folder of a file that is saved or changed must be writable, since that takes hidden"
            + " files in it, but is not; change its permissions, or choose another folder");
  }

  /** Returns the attributes of a file or of a link itself, or null if they cannot be read. */
  private static @Nullable BasicFileAttributes attributes(Path at) {
    try {
      return Files.readAttributes(at, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      // Of no file, or of one in a folder that cannot be searched: what writes there will say so.
      return null;
    }
  }

  private static void checkRegular(Path path, @Nullable BasicFileAttributes attributes)
      throws FileSystemException {
    if (attributes == null || attributes.isRegularFile()) {
      return;
    }
    throw new FileSystemException(
        path.toString(),
        null,
        attributes.isDirectory()
            ? "is a directory"
            : "is not a regular file, as devices and pipes are not, and cannot be replaced; write"
                + " to a stream instead");
  }

  // The rule of Linux with fs.protected_symlinks, which the kernel does not apply to links that are
  // read here.
  private static void checkOwner(Path link, Path folder) throws IOException {
    if (!isSticky(folder)) {
      return;
    }
    UserPrincipal owner = Files.getOwner(link, LinkOption.NOFOLLOW_LINKS);
    if (!owner.equals(Files.getOwner(folder)) && !isThisUser(owner, folder)) {
      throw new FileSystemException(
          link.toString(),
          null,
          "is a link of another user, "
              + owner
              + ", in a folder where everybody may make files, and is not followed; name the file"
              + " itself");
    }
  }

  private static boolean isSticky(Path folder) throws IOException {
    return hasUnixAttributes(folder)
        && ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
  }

  /** Returns whether a file system has the attributes of Unix, such as numbers of users. */
  static boolean hasUnixAttributes(Path file) {
    return file.getFileSystem().supportedFileAttributeViews().contains("unix");
  }

  private static boolean isThisUser(UserPrincipal owner, Path folder) {
    try {
      return owner.equals(
          folder
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(System.getProperty("user.name")));
    } catch (IOException e) {
      // A user without a name, as in some containers, cannot be compared.
      return false;
    }
  }
}
