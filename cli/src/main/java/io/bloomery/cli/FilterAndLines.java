package io.bloomery.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The arguments of a command that holds lines against a saved filter. */
final class FilterAndLines {

  @Parameters(index = "0", paramLabel = "FILE", description = "A filter that create made.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "INPUT",
      description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  @Mixin private InputOptions options;

  @Mixin private SecretOption secretOption;

  Path file() {
    return file;
  }

  /**
   * Opens the filter.
   *
   * @throws Failure as for {@link LineFilter#open}, or if options exclude each other or an input is
   *     certain not to be readable
   */
  LineFilter open(Session session) throws Failure {
    Optional<KeyHashes> secret = readSecret(session);
    return LineFilter.open(session, file, options, secret);
  }

  /**
   * Opens the filter if lines can be removed from it.
   *
   * @throws Failure as for {@link LineFilter#openRemovable}, or as for {@link #open}
   */
  LineFilter openRemovable(Session session) throws Failure {
    Optional<KeyHashes> secret = readSecret(session);
    return LineFilter.openRemovable(session, file, options, secret);
  }

  private Optional<KeyHashes> readSecret(Session session) throws Failure {
    options.check();
    Inputs.check(inputs);
    return secretOption.read(session);
  }

  /** Starts on the inputs, whose keys are read as the filter and the options say. */
  Inputs lines(Session session, LineFilter filter) throws Failure {
    return Inputs.of(session, inputs, filter.format());
  }
}
