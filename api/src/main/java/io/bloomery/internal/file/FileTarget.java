package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Objects;

/** The regular file that a name stands for, there or to be made: what its links lead to. */
public final class FileTarget {

  /** As many as Linux follows. */
  private static final int MAX_LINKS = 40;

  /** Of the mode of a folder in which everybody may make files, but remove only their own. */
  private static final int STICKY = 01000;

  private FileTarget() {}

  /**
   * Follows the links that a name is, so that they stay links when what they lead to is replaced.
   *
   * @return the absolute name of a regular file, or of nothing
   * @throws FileSystemException if it is anything else, or a link in a sticky folder that belongs
   *     neither to this user nor to the folder's owner
   */
  public static Path of(Path path) throws IOException {
    checkRegular(path, path);
    Path at = path.toAbsolutePath();
    for (int i = 0; i <= MAX_LINKS; i++) {
      if (!Files.isSymbolicLink(at)) {
        checkRegular(path, at);
        return at;
      }
      Path folder = folder(at);
      checkOwner(at, folder);
      at = folder.resolve(Files.readSymbolicLink(at));
    }
    throw new FileSystemLoopException(path.toString());
  }

  /** Returns the folder of what is absolute and no root, which is a folder itself. */
  static Path folder(Path file) {
    return Objects.requireNonNull(file.getParent());
  }

  private static void checkRegular(Path path, Path at) throws FileSystemException {
    if (Files.isDirectory(at)) {
      throw new FileSystemException(path.toString(), null, "is a directory");
    }
    if (Files.exists(at) && !Files.isRegularFile(at)) {
      throw new FileSystemException(
          path.toString(),
          null,
          "is not a regular file, as devices and pipes are not, and cannot be replaced; write to a"
              + " stream instead");
    }
  }

  // As Linux does where fs.protected_symlinks is set; it does not ask links that we read.
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
    return folder.getFileSystem().supportedFileAttributeViews().contains("unix")
        && ((int) Files.getAttribute(folder, "unix:mode") & STICKY) != 0;
  }

  private static boolean isThisUser(UserPrincipal owner, Path folder) {
    try {
      return owner.equals(
          folder
              .getFileSystem()
              .getUserPrincipalLookupService()
              .lookupPrincipalByName(System.getProperty("user.name")));
    } catch (IOException e) {
      // A user without a name, as in some containers, is none that we know.
      return false;
    }
  }
}
