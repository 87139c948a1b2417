package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Reads filters as a whole and compares their checksums. */
@Command(
    name = "verify",
    description = {
      "Say of each FILE whether it is a complete and undamaged filter.",
      "Prints one line each: 'NAME: ok', or NAME and what is wrong where."
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery verify backup/*.bloom")
final class VerifyCommand implements Callable<Integer> {

  private final Session session;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Filters of any kind.")
  private List<Path> files;

  VerifyCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    Bloomery bloomery = session.bloomery();
    int exitCode = ExitCode.OK;
    for (Path file : files) {
      String fault = fault(bloomery, file);
      session.print(file + ": " + (fault == null ? "ok" : fault) + "\n");
      if (fault != null) {
        exitCode = ExitCode.BAD_FILE;
      }
    }
    return exitCode;
  }

  /** Returns what is wrong with a file, or null if nothing is. */
  private static String fault(Bloomery bloomery, Path file) {
    try {
      bloomery.open(file, ThreadMode.CONFINED);
      return null;
    } catch (IOException e) {
      return Failure.reason(file, e);
    }
  }
}
