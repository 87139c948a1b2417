package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tries every installed variant on real keys. */
@Command(
    name = "demo",
    description = {
      "Hold every installed variant to its promises, on the class names of the running JDK or on"
          + " lines of your own.",
      "Keys are put, asked back, removed and put back where that can be done, saved and opened"
          + " again; names that are certainly absent show the false-positive rate. A filter that"
          + " grows is made for a tenth of the keys."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every promise was kept",
      "1:one was broken",
      "2:the command was not understood",
      "3:a file cannot be read or written"
    },
    footerHeading = "%nExample:%n",
    footer = "  bloomery demo --keys words.txt")
final class DemoCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print a JSON array with an object for each variant.")
  private boolean json;

  @Option(
      names = "--keys",
      paramLabel = "FILE",
      description = "Take the lines of FILE, which are held in memory; - is stdin.")
  private String file;

  DemoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    DemoKeys keys =
        file == null ? DemoKeys.ofJdk() : DemoKeys.of(Inputs.of(session, List.of(file)), file);
    List<TrialResult> results = results(session.bloomery(), keys);
    if (json) {
      Json.print(session, out -> DemoJson.write(out, results));
    } else {
      session.print(DemoTable.of(keys, results));
    }
    boolean kept = results.stream().allMatch(result -> result.broken().isEmpty());
    return kept ? ExitCode.OK : ExitCode.NONE;
  }

  private static List<TrialResult> results(Bloomery bloomery, DemoKeys keys)
      throws Failure, IOException {
    List<TrialResult> results = new ArrayList<>();
    Path folder = makeFolder();
    Path saved = folder.resolve("demo.bloom");
    try {
      for (String variant : bloomery.variants()) {
        results.add(new Trial(bloomery, variant, keys).run(saved));
      }
    } finally {
      Files.deleteIfExists(saved);
      Files.delete(folder);
    }
    return results;
  }

  private static Path makeFolder() throws Failure {
    try {
      return Files.createTempDirectory("bloomery-demo");
    } catch (IOException e) {
      throw Failure.saving(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }
}
