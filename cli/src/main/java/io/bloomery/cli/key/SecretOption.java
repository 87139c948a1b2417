package io.bloomery.cli.key;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option with the name of the secret file, for commands that hash keys. */
public final class SecretOption {

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description = {
        "Hash keys with the secret in FILE, against adversarial keys. The secret is the exact"
            + " bytes of FILE: 16 to 4096 random bytes, as from 'head -c 32 /dev/urandom >FILE'. A"
            + " filter made with a secret cannot be queried without it."
      })
  private Path file;

  public boolean isGiven() {
    return file != null;
  }

  /** Returns the file of the secret, or none. */
  public List<Path> files() {
    return file == null ? List.of() : List.of(file);
  }

  /**
   * Reads the secret, if a file is named.
   *
   * @throws Failure if the file cannot be read, or does not contain a secret
   */
  public Optional<SecretFile> read(Session session) throws Failure {
    return file == null ? Optional.empty() : Optional.of(SecretFile.read(session, file));
  }
}
