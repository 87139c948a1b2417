package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import java.io.ByteArrayInputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the launcher has Java run to see which classes later starts need: the commands of every day,
 * on a small filter.
 */
final class Training {

  private static final int LINES = 1000;

  private Training() {}

  /** Runs the commands in a folder, the first argument, and leaves their files there. */
  public static void main(String[] arguments) throws Exception {
    Launcher.watch();
    Path folder = Path.of(arguments[0]);
    String filter = folder.resolve("filter").toString();
    String file = folder.resolve("lines").toString();
    String lines =
        IntStream.range(0, LINES).mapToObj(i -> "line " + i + "\n").collect(Collectors.joining());
    Files.writeString(Path.of(file), lines);
    for (List<String> command :
        List.of(
            List.of("create", "-o", filter, file),
            List.of("create", "--force", "-o", filter),
            List.of("add", filter, file),
            List.of("check", filter, file),
            List.of("check", filter),
            List.of("info", filter),
            List.of("verify", filter),
            List.of("merge", "-o", filter + "s", filter, filter),
            List.of("size", "--keys", "1000"),
            List.of("dedupe"))) {
      Session nobody =
          new Session(
              new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)),
              new StandardOutput(OutputStream.nullOutputStream()),
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8),
              Terminal.NONE,
              Bloomery::installed);
      Main.run(nobody, command.toArray(String[]::new));
    }
  }
}
