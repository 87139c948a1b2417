package io.bloomery.cli;

import java.io.IOException;
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

  private InputFormat format; // once the filter is open

  Path file() {
    return file;
  }

  /**
   * Opens the filter to ask it; "-" is the standard input.
   *
   * @throws Failure if it cannot be read, is damaged, or holds keys other than lines, or was made
   *     of lines in another way than options or secret say; or if options exclude each other or an
   *     input is certain not to be readable
   */
  SavedFilter open(Session session) throws Failure {
    if (Streams.isStandard(file) && (inputs.isEmpty() || inputs.contains("-"))) {
      throw Failure.usage(
          "FILE and INPUT must not both be the standard input; name a file for one of them");
    }
    Optional<KeyHashes> secret = readSecret(session);
    SavedFilter filter =
        SavedFilter.open(
            session, file, (spec, provider) -> new Recipe(file, spec).with(options, secret));
    format = new Recipe(file, filter.spec()).with(options, secret);
    return filter;
  }

  /**
   * Opens the filter to change it, which nobody else does until it is closed.
   *
   * @throws Failure as for {@link LineFilter#update}, or if options exclude each other or an input
   *     is certain not to be readable
   */
  LineFilter update(Session session, WaitOption waiting) throws Failure, IOException {
    Optional<KeyHashes> secret = readSecretToChange(session, waiting);
    LineFilter filter = LineFilter.update(session, file, options, secret, waiting);
    format = filter.format();
    return filter;
  }

  /**
   * Opens the filter to change it, if lines can be removed from it.
   *
   * @throws Failure as for {@link LineFilter#updateRemovable}, or as for {@link #update}
   */
  LineFilter updateRemovable(Session session, WaitOption waiting) throws Failure, IOException {
    Optional<KeyHashes> secret = readSecretToChange(session, waiting);
    LineFilter filter = LineFilter.updateRemovable(session, file, options, secret, waiting);
    format = filter.format();
    return filter;
  }

  private Optional<KeyHashes> readSecretToChange(Session session, WaitOption waiting)
      throws Failure {
    Streams.refuse(file, "a stream cannot be changed");
    waiting.check();
    return readSecret(session);
  }

  private Optional<KeyHashes> readSecret(Session session) throws Failure {
    options.check();
    Inputs.check(inputs);
    return secretOption.read(session);
  }

  /** Starts on the inputs, whose keys are read as the filter that was opened and options say. */
  Inputs lines(Session session) throws Failure {
    return Inputs.of(session, inputs, format);
  }

  /** Returns how keys are read, as the filter that was opened and options say. */
  InputFormat format() {
    return format;
  }
}
