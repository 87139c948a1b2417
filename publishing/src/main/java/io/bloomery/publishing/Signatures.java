package io.bloomery.publishing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** A check of signatures against keys that the caller trusts. */
interface Signatures {

  /**
   * Returns the problem with a signature, or empty if it is valid.
   *
   * @param signature the file of the signature, which exists
   */
  Optional<String> problem(Path signature, Path file) throws IOException;

  /** Returns a check by GnuPG, with the keys in {@code GNUPGHOME}. */
  static Signatures byGnuPg() {
    return (signature, file) -> {
      Process gpg =
          new ProcessBuilder("gpg", "--batch", "--verify", signature.toString(), file.toString())
              .redirectErrorStream(true)
              .start();
      gpg.getOutputStream().close();
      String said = new String(gpg.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      try {
        return gpg.waitFor() == 0 ? Optional.empty() : Optional.of(said);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while gpg checked " + signature, e);
      }
    };
  }
}
