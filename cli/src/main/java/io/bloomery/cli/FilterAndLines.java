package io.bloomery.cli;

import io.bloomery.FilterLimits;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
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
    if (StandardStreams.isNamedBy(file) && Inputs.haveStandardInput(inputs)) {
      throw Failure.usage(
          "FILE and INPUT must not both be the standard input; name a file for one of them");
    }
    Optional<KeyHashes> secret = readSecret(session);
    return SavedFilter.open(session, file, (spec, provider) -> follow(spec, secret));
  }

  /**
   * Opens the filter to change it, which nobody else does until it is closed.
   *
   * @throws Failure as for {@link #open}, or if others change the file for too long
   */
  LineFilter update(Session session, WaitOption waiting) throws Failure, IOException {
    return update(session, waiting, (spec, provider) -> {});
  }

  /**
   * Opens the filter to change it, if lines can be removed from it.
   *
   * @throws Failure as for {@link #update}, or if they cannot
   */
  LineFilter updateRemovable(Session session, WaitOption waiting) throws Failure, IOException {
    return update(session, waiting, (spec, provider) -> checkRemovable(provider));
  }

  private LineFilter update(Session session, WaitOption waiting, CheckedProvider.Check check)
      throws Failure, IOException {
    StandardStreams.refuse(file, "a stream cannot be changed");
    waiting.check();
    Optional<KeyHashes> secret = readSecret(session);
    CheckedProvider.Check both =
        (spec, provider) -> {
          follow(spec, secret);
          check.accept(spec, provider);
        };
    return LineFilter.updated(
        file,
        waiting.begin(
            session,
            file,
            patience ->
                CheckedProvider.open(
                    session.bloomery(),
                    file,
                    both,
                    bloomery ->
                        bloomery.update(file, ThreadMode.CONFINED, FilterLimits.HEAP, patience))));
  }

  /** Reads keys as the filter and the options say. */
  private void follow(FilterSpec spec, Optional<KeyHashes> secret) throws Failure {
    format = new Recipe(file, spec).with(options, secret);
  }

  private void checkRemovable(FilterProvider provider) throws Failure {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw Failure.usage(
          file
              + " must be of a variant that can remove, but is '"
              + provider.variant()
              + "'; make it with 'bloomery create --variant "
              + DefaultVariants.REMOVABLE
              + "'");
    }
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
