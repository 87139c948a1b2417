package io.bloomery.proof.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fray finds no order of steps that breaks a promise. It makes a run-time image of its own from a
 * JDK 25, the home of which {@code bloomery.jdk25} is: with those before it fails by itself when an
 * executor starts a thread. All schedules together take the seconds of {@code
 * bloomery.schedules.seconds}, or a quarter of an hour.
 */
final class SchedulesTest {

  private static final int SECONDS = Integer.getInteger("bloomery.schedules.seconds", 900);
  private static final Path FOLDER = Path.of("target", "fray").toAbsolutePath();
  private static final Pattern END =
      Pattern.compile("Run finished. Total iter: (\\d+), .* Covered timelines: (\\d+)");

  /** A method that is run again and again, each time in another order. */
  private record Turn(Class<?> in, String method) {
    @Override
    public String toString() {
      return method;
    }
  }

  static Stream<Turn> turns() {
    return Stream.of(
        new Turn(GuardSchedules.class, "writeBesideRebuild"),
        new Turn(GuardSchedules.class, "createdBesideRebuild"),
        new Turn(GuardSchedules.class, "loadBesideDeleteAndWrite"),
        new Turn(GuardSchedules.class, "closeBesideRebuild"),
        new Turn(GuardSchedules.class, "writeBesideSwap"),
        new Turn(GrowthSchedules.class, "putsAtGrowth"));
  }

  @BeforeAll
  static void makeImage() throws IOException, InterruptedException {
    if (!Files.exists(FOLDER.resolve("image"))) {
      Files.createDirectories(FOLDER);
      String modules =
          jars("fray-instrumentation-jdk|fray-instrumentation-base|fray-runtime|asm|kotlin-|annotations-1")
              .collect(Collectors.joining(File.pathSeparator));
      Path log = FOLDER.resolve("image.txt");
      int exitCode =
          run(
              log,
              List.of(
                  Path.of(
                          Objects.requireNonNull(
                              System.getProperty("bloomery.jdk25"),
                              "say -Dtest.options=-Dbloomery.jdk25=HOME, with that of a JDK 25"),
                          "bin",
                          "jlink")
                      .toString(),
                  "-J-javaagent:" + jars("fray-instrumentation-jdk").findFirst().orElseThrow(),
                  "-J--module-path=" + modules,
                  "-J--class-path=" + modules,
                  "-J--add-modules=org.pastalab.fray.instrumentation.jdk",
                  "--add-modules=java.se,jdk.unsupported,jdk.zipfs,jdk.management",
                  "--output",
                  FOLDER.resolve("image").toString(),
                  "--fray-instrumentation"));
      assertEquals(0, exitCode, Files.readString(log));
      try (ZipFile jar = new ZipFile(jars("fray-jvmti").findFirst().orElseThrow())) {
        Files.copy(jar.getInputStream(new ZipEntry("libjvmti.so")), FOLDER.resolve("libjvmti.so"));
      }
    }
    System.out.printf("%-26s %6s %9s %6s%n", "schedules of", "runs", "timelines", "found");
  }

  @ParameterizedTest
  @MethodSource("turns")
  void noOrderBreaksAPromise(Turn turn) throws IOException, InterruptedException {
    Path log = FOLDER.resolve(turn + ".txt");
    int exitCode =
        run(
            log,
            List.of(
                FOLDER.resolve("image/bin/java").toString(),
                "-Xmx512m",
                "-agentpath:" + FOLDER.resolve("libjvmti.so"),
                "-javaagent:" + jars("fray-instrumentation-agent").findFirst().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                "org.pastalab.fray.core.MainKt",
                "--run-config=cli",
                "--clazz=" + turn.in().getName(),
                "--method=" + turn.method(),
                "--scheduler=pos",
                "-i",
                Integer.toString(Integer.MAX_VALUE),
                "-t",
                Long.toString(SECONDS / turns().count()),
                "-o",
                FOLDER.resolve(turn.method()).toString()));
    String printed = Files.readString(log);
    Matcher end = END.matcher(printed);
    boolean isDone = end.find();
    System.out.printf(
        "%-26s %6s %9s %6d%n",
        turn, isDone ? end.group(1) : "-", isDone ? end.group(2) : "-", isDone ? 0 : 1);
    assertTrue(isDone, printed);
    assertEquals(0, exitCode, printed);
  }

  /** Returns the entries of the class path whose file names begin so. */
  private static Stream<String> jars(String names) {
    Pattern begin = Pattern.compile("(" + names + ").*");
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> begin.matcher(String.valueOf(Path.of(entry).getFileName())).matches());
  }

  private static int run(Path log, List<String> command) throws IOException, InterruptedException {
    return new ProcessBuilder(command)
        .directory(FOLDER.toFile())
        .redirectErrorStream(true)
        .redirectOutput(Redirect.to(log.toFile()))
        .start()
        .waitFor();
  }
}
