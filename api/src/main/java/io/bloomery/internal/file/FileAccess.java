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

/** Whose a file is, and who may read and write it, on file systems that know that. */
record FileAccess(UserPrincipal owner, GroupPrincipal group, Set<PosixFilePermission> permissions) {

  /** For a file that is to be given the access of another: nobody else's until it has that. */
  static final FileAttribute<?>[] PRIVATE = {
    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
  };

  /** Returns the access to a file, or null if it is not there or the file system knows of none. */
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

  // Following links: Java opens a file to change what is not to be followed, and closing it would
  // release our locks.
  private static @Nullable PosixFileAttributeView view(Path file) {
    return Files.getFileAttributeView(file, PosixFileAttributeView.class);
  }

  /**
   * Gives a file of this process the same owner and group, as far as the system lets us, and the
   * same permissions; those of a group that it cannot have are not given to another.
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
        // Only a privileged process may; the file is then its own, as one that it makes is.
      }
    }
    boolean sameGroup = now.group().equals(group) || hasGroup(view);
    // Last: a change of owner may take permissions away.
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

  /** Returns the permissions for another group: of its own, what everybody has. */
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
