package io.bloomery.cli;

import java.nio.file.Path;
import java.util.List;
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

  Path file() {
    return file;
  }

  Inputs lines(Session session) throws Failure {
    return options.inputs(session, inputs);
  }
}
