package io.bloomery.cli.key;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option with the name of the secret file, for commands that read filters but hash no keys. */
public final class SecretCheckOption {

  @Option(
      names = "--secret-file",
      paramLabel = "FILE",
      description =
          "Refuse a filter that was not made with the secret in FILE. Otherwise not needed,"
              + " since no key is hashed.")
  private Path file;

  public boolean isGiven() {
    return file != null;
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
