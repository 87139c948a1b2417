package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads files as a whole and compares their checksums. */
@Command(
    name = "verify",
    description = {
      "Say of each FILE whether it is a complete and undamaged filter.",
      "Prints 'NAME: ok', or a line for each damaged region: NAME, its first and last byte, and what"
          + " is wrong with it. Needs hardly any memory, and no variant installed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every FILE is complete and undamaged",
      ExitCode.USAGE_TEXT,
      "3:one is not, or cannot be read"
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery verify backup/*.bloom")
final class VerifyCommand implements Callable<Integer> {

  private final Session session;

  @Option(
      names = "--json",
      description =
          "Print a JSON array with an object for each FILE; 'to' is the first byte behind a region.")
  private boolean json;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Filters of any kind; - is the standard input.")
  private List<Path> files;

  VerifyCommand(Session session) {
    this.session = session;
  }

  /**
   * What was found of a file.
   *
   * @param fault why it could not be looked at as a filter, or null if it could
   * @param damage what is damaged otherwise
   */
  private record Finding(Path file, String fault, List<DamagedRegion> damage) {

    boolean isOk() {
      return fault == null && damage.isEmpty();
    }

    String describe() {
      if (isOk()) {
        return line("ok");
      }
      StringBuilder lines = new StringBuilder();
      if (fault != null) {
        lines.append(line(fault));
      }
      damage.forEach(region -> lines.append(line(region)));
      return lines.toString();
    }

    private String line(Object found) {
      return VisibleText.line(file + ": " + found) + '\n';
    }

    void writeTo(JsonGenerator out) throws IOException {
      out.writeStartObject();
      out.writeStringField("file", file.toString());
      out.writeBooleanField("ok", isOk());
      out.writeStringField("fault", fault);
      out.writeArrayFieldStart("damage");
      for (DamagedRegion region : damage) {
        out.writeStartObject();
        out.writeNumberField("from", region.from());
        out.writeNumberField("to", region.to());
        out.writeStringField("reason", region.reason());
        out.writeEndObject();
      }
      out.writeEndArray();
      out.writeEndObject();
    }
  }

  @Override
  public Integer call() throws Failure, IOException {
    List<Finding> findings = new ArrayList<>();
    for (Path file : StandardStreams.files(files)) {
      Finding finding = look(file);
      findings.add(finding);
      if (!json && !(session.quiet() && finding.isOk())) {
        session.print(finding.describe());
      }
    }
    if (json) {
      Json.print(
          session,
          out -> {
            out.writeStartArray();
            for (Finding finding : findings) {
              finding.writeTo(out);
            }
            out.writeEndArray();
          });
    }
    return findings.stream().allMatch(Finding::isOk) ? ExitCode.OK : ExitCode.BAD_FILE;
  }

  private static Finding look(Path file) {
    try {
      return new Finding(file, null, FilterFiles.installed().verify(file));
    } catch (IOException e) {
      return new Finding(file, Failure.reason(file, e), List.of());
    }
  }
}
