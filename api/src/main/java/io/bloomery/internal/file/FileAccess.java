package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The owner, group and permissions of a file, on file systems that have them. */
record FileAccess(UserPrincipal owner, GroupPrincipal group, Set<PosixFilePermission> permissions) {

  /** The permissions of a new file until it is given those of another: for its owner only. */
  static final FileAttribute<?>[] PRIVATE = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  /** Returns the access of a file, or null if it does not exist or the file system has none. */
  static @Nullable FileAccess of(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view == null) {
      return null;
    }
    try {
      PosixFileAttributes attributes = view.readAttributes();
      return new FileAccess(attributes.owner(), attributes.group(), attributes.permissions());
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  // Links are followed: without following them, Java opens the file to change its attributes, and
  // closing it would release our locks.
  private static @Nullable PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /**
   * Sets the owner and group of a file of this process to these, as far as the system permits, and
   * its permissions. If the group cannot be set, its permissions are not given to a different
   * group.
   */
  void giveTo(Path file) throws IOException {
    PosixFileAttributeView view = view(file);
    if (view == null) {
      return;
    }
    PosixFileAttributes now = view.readAttributes();
    if (!now.owner().equals(owner)) {
      try {
        view.setOwner(owner);
      } catch (IOException e) {
        // Only a privileged process may set the owner; otherwise the file keeps that of this
        // process.
      }
    }
    boolean sameGroup = now.group().equals(group) || hasGroup(view);
    // Set last, because a change of owner may clear permissions.
    view.setPermissions(sameGroup ? permissions : withoutGroup());
  }

  private boolean hasGroup(PosixFileAttributeView view) {
    try {
      view.setGroup(group);
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
