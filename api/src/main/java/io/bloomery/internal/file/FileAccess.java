package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The owner, group and permissions of a file, on file systems that have them. */
final class FileAccess {

  /** The permissions of a new file until it is given those of another: for its owner only. */
  private static final FileAttribute<?>[] PRIVATE = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  private static final FileAttribute<?>[] BY_UMASK = {};

  private final PosixFileAttributes attributes;
  private final Map<String, Object> numbers;
  private final Set<PosixFilePermission> permissions;

  private FileAccess(
      PosixFileAttributes attributes,
      Map<String, Object> numbers,
      Set<PosixFilePermission> permissions) {
    this.attributes = attributes;
    this.numbers = numbers;
    this.permissions = permissions;
  }

  /** Returns the access of a file, or null if it does not exist or the file system has none. */
  static @Nullable FileAccess of(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view == null) {
      return null;
    }
    try {
      PosixFileAttributes attributes = view.readAttributes();
      return new FileAccess(attributes, numbers(file), attributes.permissions());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  /**
   * Returns the access of a lock file in a folder, or null as for {@link #of}: whoever may replace
   * files in the folder may lock it, and nobody else.
   */
  static @Nullable FileAccess ofLockIn(Path folder) throws IOException {
    FileAccess access = of(folder);
    if (access == null) {
      return null;
    }
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString("rw-rw-rw-");
    if (!access.permissions.contains(PosixFilePermission.GROUP_WRITE)) {
      permissions.removeAll(PosixFilePermissions.fromString("---rw----"));
    }
    if (!access.permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
      permissions.removeAll(PosixFilePermissions.fromString("------rw-"));
    }
    return new FileAccess(access.attributes, access.numbers, permissions);
  }

  /** Returns with which attributes to create a file that will be given this access, if any. */
  static FileAttribute<?>[] ofNew(@Nullable FileAccess access) {
    return access == null ? BY_UMASK : PRIVATE;
  }

  // Links are followed unless said: without following them, Java opens the file to change its
  // attributes, and closing it would release our locks.
  private static @Nullable PosixFileAttributeView view(Path file, LinkOption... links) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class, links);
  }

  /**
   * Returns the numbers of a file's owner and group, or nothing if the file system has none. To
   * compare their names, Java would read the databases of users and groups for each file, which
   * takes as long as ten other system calls.
   */
  private static Map<String, Object> numbers(Path file, LinkOption... links) throws IOException {
    return FileTarget.hasUnixAttributes(file)
        ? Files.readAttributes(file, "unix:uid,gid", links)
        : Map.of();
  }

  /**
   * Sets the owner and group of a file of this process to these, as far as the system permits, and
   * its permissions, except that its owner may write to it until {@link #finish}. If the group
   * cannot be set, its permissions are not given to a different group.
   */
  void giveTo(Path file, LinkOption... links) throws IOException {
    PosixFileAttributeView view = view(file, links);
    if (view == null) {
      return;
    }
    boolean isSame = !numbers.isEmpty() && numbers.equals(numbers(file, links));
    boolean sameGroup = isSame || giveOwnerAndGroup(view);
    Set<PosixFilePermission> given = EnumSet.of(PosixFilePermission.OWNER_WRITE);
    given.addAll(sameGroup ? permissions : withoutGroup());
    // Set last, because a change of owner may clear permissions.
    view.setPermissions(given);
  }

  /** Takes from its owner the permission to write, if it is not among these. */
  void finish(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view != null && !permissions.contains(PosixFilePermission.OWNER_WRITE)) {
      Set<PosixFilePermission> given = view.readAttributes().permissions();
      given.remove(PosixFilePermission.OWNER_WRITE);
      view.setPermissions(given);
    }
  }

  /** Returns whether the file has the group now. */
  private boolean giveOwnerAndGroup(PosixFileAttributeView view) throws IOException {
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(attributes.owner())) {
      try {
        view.setOwner(attributes.owner());
      } catch (IOException e) {
        // Only a privileged process may set the owner; otherwise the file keeps that of this
        // process.
      }
    }
    return now.group().equals(attributes.group()) || hasGroup(view);
  }

  private boolean hasGroup(PosixFileAttributeView view) {
    try {
      view.setGroup(attributes.group());
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Returns the permissions for a different group, which gets only those that everybody has. */
  private Set<PosixFilePermission> withoutGroup() {
    Set<PosixFilePermission> rest = EnumSet.noneOf(PosixFilePermission.class);
    rest.addAll(permissions);
    if (!rest.contains(PosixFilePermission.OTHERS_READ)) {
      rest.remove(PosixFilePermission.GROUP_READ);
    }
    if (!rest.contains(PosixFilePermission.OTHERS_WRITE)) {
      rest.remove(PosixFilePermission.GROUP_WRITE);
    }
    if (!rest.contains(PosixFilePermission.OTHERS_EXECUTE)) {
      rest.remove(PosixFilePermission.GROUP_EXECUTE);
    }
    return rest;
  }
}
