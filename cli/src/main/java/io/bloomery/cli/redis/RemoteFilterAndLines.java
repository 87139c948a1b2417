package io.bloomery.cli.redis;

import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.Recipe;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.key.SecretOption;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterSpec;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The arguments of a command that puts lines into a filter on a server. */
final class RemoteFilterAndLines {

  @Parameters(index = "0", paramLabel = "URL", description = "The filter, as for push.")
  private String url;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "INPUT",
      description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  @Mixin private InputOptions options;

  @Mixin private SecretOption secretOption;

  /**
   * Returns the filter.
   *
   * @throws Failure if the URL names none, options exclude each other, or an input certainly cannot
   *     be read
   */
  RemoteFilter filter() throws Failure {
    options.check();
    Inputs.check(inputs);
    return RemoteFilter.of(url);
  }

  /**
   * Returns how keys are read.
   *
   * @param spec that of the filter on the server, if there is one
   * @throws Failure if the options or the secret contradict it
   */
  InputFormat format(Session session, RemoteFilter filter, Optional<FilterSpec> spec)
      throws Failure {
    Optional<SecretFile> secret = secretOption.read(session);
    return spec.isPresent()
        ? new Recipe(filter.url(), spec.get()).with(options, secret)
        : options.format(secret.map(SecretFile::hashes).orElse(KeyHashes.WITHOUT_SECRET));
  }

  Inputs lines(Session session, InputFormat format) throws Failure {
    Inputs lines = Inputs.of(session, inputs, format);
    lines.insteadOfFilters("put it there with 'bloomery push --force'");
    return lines;
  }
}
