package io.bloomery.cli.key;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * A file that holds a secret, of which only the hash functions are kept.
 *
 * @param endsInLineEnd whether its last byte is a line end, which is part of the secret
 */
public record SecretFile(Path path, KeyHashes hashes, boolean endsInLineEnd) {

  /**
   * The minimum size of a secret, as for KeyHasher.secret. A larger file than the maximum is not a
   * secret.
   */
  static final int MIN_BYTES = 16;

  static final int MAX_BYTES = 1 << 12;

  private static final String IN_HASH_ID = "/secret=";

  /**
   * Reads the secret, and warns if other users can read or change the file.
   *
   * @throws Failure if it cannot be read, or does not contain a secret
   */
  static SecretFile read(Session session, Path path) throws Failure {
    byte[] room = new byte[MAX_BYTES + 1];
    byte[] secret = {};
    try {
      int length = readInto(room, path);
      boolean endsInLineEnd = length > 0 && (room[length - 1] == '\n' || room[length - 1] == '\r');
      checkLength(path, length, endsInLineEnd);
      secret = Arrays.copyOf(room, length);
      SecretFile read = new SecretFile(path, KeyHashes.of(secret), endsInLineEnd);
      warnOfOthers(session, path);
      return read;
    } finally {
      Arrays.fill(room, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** Returns the size of the secret, or one more than the maximum if it is larger. */
  private static int readInto(byte[] room, Path path) throws Failure {
    if (Files.isDirectory(path)) {
      throw Failure.file(path.toString(), "is a directory; name the file that holds the secret");
    }
    // A channel would leave a copy of the secret in a buffer of its own.
    try (InputStream in = new FileInputStream(path.toFile())) {
      return in.readNBytes(room, 0, room.length);
    } catch (IOException e) {
      throw Failure.input(
          path.toString(),
          e,
          (Files.exists(path) ? "cannot be read" : "no such file")
              + "; name the file that holds the secret");
    }
  }

  private static void checkLength(Path path, int length, boolean endsInLineEnd) throws Failure {
    if (length < MIN_BYTES || length > MAX_BYTES) {
      throw Failure.file(
          path.toString(),
          "a secret must have from "
              + MIN_BYTES
              + " to "
              + MAX_BYTES
              + " bytes, but has "
              + (length > MAX_BYTES ? "more" : length)
              + (endsInLineEnd && length <= MAX_BYTES ? ", the last of which is a line end" : "")
              + "; make one by 'head -c 32 /dev/urandom >FILE'");
    }
  }

  private static void warnOfOthers(Session session, Path path) {
    try {
      Set<PosixFilePermission> permissions =
          Files.isRegularFile(path) ? Files.getPosixFilePermissions(path) : Set.of();
      List<String> verbs = new ArrayList<>();
      if (permissions.contains(PosixFilePermission.GROUP_READ)
          || permissions.contains(PosixFilePermission.OTHERS_READ)) {
        verbs.add("read");
      }
      if (permissions.contains(PosixFilePermission.GROUP_WRITE)
          || permissions.contains(PosixFilePermission.OTHERS_WRITE)) {
        verbs.add("change");
      }
      if (!verbs.isEmpty()) {
        session.warn(
            "%s: other users may %s this secret; try 'chmod go-rw %s'",
            path, String.join(" and ", verbs), path);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // The file system has no such permissions to check.
    }
  }

  /** Returns whether a filter was made with a secret, by its hash id. */
  public static boolean isNamedIn(String hashId) {
    return !nameIn(hashId).isEmpty();
  }

  /** Returns the fingerprint of the secret at the end of a hash id, or "" if there is none. */
  private static String nameIn(String hashId) {
    int secret = hashId.indexOf(IN_HASH_ID);
    return secret < 0 ? "" : hashId.substring(secret);
  }

  /** Returns why this is not the secret of a filter, or "" if it is. */
  public String mismatch(String hashId) {
    if (!isNamedIn(hashId)) {
      return "was made without a secret; leave out --secret-file";
    }
    if (nameIn(hashId).equals(nameIn(hashes.text().id()))) {
      return "";
    }
    return "was made with another secret; name the file that holds it by --secret-file"
        + (endsInLineEnd
            ? " (that in "
                + path
                + " ends in a line end, which is a part of it: perhaps added since)"
            : "");
  }

  /**
   * Checks that a filter was made with this secret.
   *
   * @throws Failure if the filter was made with another secret, or without one
   */
  public void check(String filter, String hashId) throws Failure {
    String mismatch = mismatch(hashId);
    if (!mismatch.isEmpty()) {
      throw Failure.usage(filter + " " + mismatch);
    }
  }
}
