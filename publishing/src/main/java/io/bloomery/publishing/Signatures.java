package io.bloomery.publishing;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/** Says whether a file's signature is one of a key that the caller trusts. */
interface Signatures {

  /**
   * Returns what is wrong with a signature, or nothing.
   *
   * @param signature the file of the signature, which exists
   */
  Optional<String> problem(Path signature, Path file) throws IOException;

  /** Asks GnuPG, which takes its keys from where {@code GNUPGHOME} says. */
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
