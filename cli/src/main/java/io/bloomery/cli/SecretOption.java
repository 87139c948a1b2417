package io.bloomery.cli;

import io.bloomery.internal.SecretHash;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names the file with a secret, for commands whose filters outlive or need it. */
final class SecretOption {

  /** More is a mistake: the wrong file. */
  static final int MAX_BYTES = 1 << 12;

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = {
        "Hash keys with the secret in FILE, so that nobody who lacks it can choose keys that harm"
            + " the filter. The secret is the exact bytes of FILE: 16 random ones at least, as of"
            + " 'head -c 32 /dev/urandom >FILE'. A filter made with a secret is of no use without."
      })
  private Path file;

  /**
   * Reads the secret, if one is named, and keeps nothing of it but the hash functions.
   *
   * @throws Failure if it cannot be read, or is no secret
   */
  Optional<KeyHashes> read(Session session) throws Failure {
    if (file == null) {
      return Optional.empty();
    }
    byte[] room = new byte[MAX_BYTES + 1];
    byte[] secret = {};
    try {
      secret = Arrays.copyOf(room, readInto(room));
      KeyHashes hashes = KeyHashes.of(secret);
      warnIfPublic(session);
      return Optional.of(hashes);
    } finally {
      Arrays.fill(room, (byte) 0);
      Arrays.fill(secret, (byte) 0);
    }
  }

  /** Returns how many bytes the secret has. */
  private int readInto(byte[] room) throws Failure {
    if (Files.isDirectory(file)) {
      throw Failure.file(file.toString(), "is a directory; name the file that holds the secret");
    }
    int length;
    // Not by a channel, which would leave a copy behind.
    try (InputStream in = new FileInputStream(file.toFile())) {
      length = in.readNBytes(room, 0, room.length);
    } catch (IOException e) {
      throw Failure.input(
          file.toString(),
          e,
          (Files.exists(file) ? "cannot be read" : "no such file")
              + "; name the file that holds the secret");
    }
    if (length < SecretHash.MIN_SECRET || length > MAX_BYTES) {
      throw Failure.file(
          file.toString(),
          "a secret must have from "
              + SecretHash.MIN_SECRET
              + " to "
              + MAX_BYTES
              + " bytes, but has "
              + (length > MAX_BYTES ? "more" : length)
              + "; make one by 'head -c 32 /dev/urandom >FILE'");
    }
    return length;
  }

  private void warnIfPublic(Session session) {
    try {
      if (Files.isRegularFile(file)
          && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
        session.warn("%s: every user may read this secret; try 'chmod o-r %s'", file, file);
      }
    } catch (IOException | UnsupportedOperationException e) {
      // Where there are no such permissions, there is nothing to say of them.
    }
  }
}
