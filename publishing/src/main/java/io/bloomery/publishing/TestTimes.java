package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The times of the tests of all modules in one build: {@code TestTimes ROOT BEGIN DAY} prints the
 * slowest, and in builds by day compares each module with {@code tests.seconds} in its pom.
 *
 * <p>Modules that take more than three times as long are reported; on a server that sets {@code
 * CI}, the build fails. Machines differ by a factor of two, and so does a single machine under
 * varying load.
 */
public final class TestTimes {

  private static final int SHOWN = 10;
  private static final int PATIENCE = 3;
  private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
  private static final Pattern BUDGET =
      Pattern.compile("<tests\\.seconds>(\\d+)</tests\\.seconds>");

  /** The time of a test class in one reported run. */
  record Timed(String module, String name, double seconds) {}

  private TestTimes() {}

  /** Reads the folder of the root pom, the start time of the build, and whether it is by day. */
  public static void main(String[] arguments) throws IOException {
    Path root = Path.of(arguments[0]);
    List<Timed> tests = read(root, Instant.parse(arguments[1]));
    System.out.print(slowest(tests));
    if (Boolean.parseBoolean(arguments[2])) {
      List<String> findings = findings(root, tests);
      findings.forEach(System.out::println);
      if (!findings.isEmpty() && System.getenv("CI") != null) {
        System.exit(1);
      }
    }
  }

  /** Returns the reports since a time: reports of earlier builds may be present. */
  static List<Timed> read(Path root, Instant begin) throws IOException {
    List<Timed> tests = new ArrayList<>();
    for (String module : modules(root)) {
      Path reports = root.resolve(module).resolve("target/surefire-reports");
      if (!Files.isDirectory(reports)) {
        continue;
      }
      try (Stream<Path> files = Files.list(reports)) {
        for (Path file : (Iterable<Path>) files::iterator) {
          if (file.getFileName().toString().matches("TEST-.*\\.xml")
              && !Files.getLastModifiedTime(file).toInstant().isBefore(begin)) {
            tests.add(timed(module, file));
          }
        }
      }
    }
    return tests;
  }

  private static Timed timed(String module, Path report) throws IOException {
    // The time of the suite itself is in its first line; its output may be very long.
    try (Stream<String> lines = Files.lines(report)) {
      String suite =
          lines
              .filter(line -> line.startsWith("<testsuite "))
              .findFirst()
              .orElseThrow(() -> new IOException(report + " has no line that begins <testsuite"));
      return new Timed(
          module,
          attribute(report, suite, "name"),
          Double.parseDouble(attribute(report, suite, "time").replace(",", "")));
    }
  }

  private static String attribute(Path report, String suite, String name) throws IOException {
    Matcher value = Pattern.compile(" " + name + "=\"([^\"]*)\"").matcher(suite);
    if (!value.find()) {
      throw new IOException(report + " must say " + name + " of its suite, but has " + suite);
    }
    return value.group(1);
  }

  /** Returns the slowest classes, one line each, or nothing if no test was run. */
  static String slowest(List<Timed> tests) {
    if (tests.isEmpty()) {
      return "";
    }
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%d test classes took %.0f seconds in all, the slowest of them:%n",
            tests.size(),
            seconds(tests.stream())));
    tests.stream()
        .sorted(Comparator.comparingDouble(Timed::seconds).reversed())
        .limit(SHOWN)
        .forEach(
            test ->
                text.append(
                    String.format(
                        Locale.ROOT,
                        "%7.1f  %s  %s%n",
                        test.seconds(),
                        test.name(),
                        test.module())));
    return text.toString();
  }

  /** Returns the problems with the time of each tested module, one line each. */
  static List<String> findings(Path root, List<Timed> tests) throws IOException {
    List<String> findings = new ArrayList<>();
    for (String module : modules(root)) {
      double seconds = seconds(tests.stream().filter(test -> test.module().equals(module)));
      Optional<Integer> budget = budget(root, module);
      if (budget.isEmpty() && seconds > 0) {
        findings.add(
            String.format(
                Locale.ROOT,
                "%s/pom.xml must say in tests.seconds how long its tests may take: now %.0f",
                module,
                seconds));
      } else if (budget.isPresent() && seconds > PATIENCE * budget.get()) {
        findings.add(
            String.format(
                Locale.ROOT,
                "tests of %s must take at most three times %d seconds, but took %.0f: make them faster,"
                    + " move some to nightly, or change tests.seconds in its pom",
                module,
                budget.get(),
                seconds));
      }
    }
    return findings;
  }

  private static double seconds(Stream<Timed> tests) {
    return tests.mapToDouble(Timed::seconds).sum();
  }

  private static Optional<Integer> budget(Path root, String module) throws IOException {
    Matcher budget = BUDGET.matcher(Files.readString(root.resolve(module).resolve("pom.xml")));
    return budget.find() ? Optional.of(Integer.valueOf(budget.group(1))) : Optional.empty();
  }

  static List<String> modules(Path root) throws IOException {
    return MODULE
        .matcher(Files.readString(root.resolve("pom.xml")))
        .results()
        .map(found -> found.group(1))
        .toList();
  }
}
