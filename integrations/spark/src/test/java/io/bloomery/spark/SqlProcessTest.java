package io.bloomery.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.dynatrace.hash4j.hashing.Hashing;
import io.bloomery.Bloomery;
import io.bloomery.blocked.BlockedProvider;
import io.bloomery.counting.CountingProvider;
import io.bloomery.partitioned.PartitionedProvider;
import io.bloomery.scalable.ScalableProvider;
import io.bloomery.standard.StandardProvider;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The command that examples/spark/known-links.sql shows prints the answers that stand there and in
 * the cookbook: started as {@code spark-sql} starts it, by {@code SparkSubmit} in a process of its
 * own, which has Spark's jars alone and is given ours by {@code --jars}. With {@code
 * -Dspark.home=FOLDER}, it is the program itself of the distribution in that folder.
 */
@Tag("nightly")
@Tag("processes")
class SqlProcessTest {

  private static final Path ROOT = Path.of("../..");

  /** Jars that a command may name, by a class in each; all of ours that this test has. */
  private static final Map<String, Class<?>> JARS =
      Map.of(
          "bloomery-api.jar", Bloomery.class,
          "bloomery-standard.jar", StandardProvider.class,
          "bloomery-partitioned.jar", PartitionedProvider.class,
          "bloomery-blocked.jar", BlockedProvider.class,
          "bloomery-counting.jar", CountingProvider.class,
          "bloomery-scalable.jar", ScalableProvider.class,
          "bloomery-spark.jar", BloomeryExtensions.class,
          "hash4j.jar", Hashing.class);

  @TempDir private Path folder;

  @Test
  void sparkSqlPrintsWhatThePagesSay() throws Exception {
    String example = Files.readString(ROOT.resolve("examples/spark/known-links.sql"));
    String recipe =
        found(
            "\n## [0-9]+[.] One file from a Spark table\n.*?```sql\n(.*?)```",
            Files.readString(ROOT.resolve("docs/cookbook.md")));
    Path script = Files.writeString(folder.resolve("typed.sql"), example + recipe);
    List<String> answers = new ArrayList<>(answers(example));
    answers.addAll(answers(recipe));

    String printed = new SparkProcess(folder, command(example, script)).run(Duration.ofMinutes(2));

    assertEquals(answers, printed.lines().toList());
  }

  private static String found(String pattern, String text) {
    Matcher matcher = Pattern.compile(pattern, Pattern.DOTALL).matcher(text);
    assertTrue(matcher.find(), pattern);
    return matcher.group(1);
  }

  /** Returns what stands in comments right behind each statement. */
  private static List<String> answers(String script) {
    List<String> answers =
        Pattern.compile(";[^\n]*\n((?:-- .*\n)+)")
            .matcher(script)
            .results()
            .flatMap(answer -> answer.group(1).lines())
            .map(line -> line.substring("-- ".length()))
            .toList();
    assertFalse(answers.isEmpty(), script);
    return answers;
  }

  /** Returns the command in the comment that the example begins with, for another script. */
  private List<String> command(String example, Path script) throws IOException, URISyntaxException {
    String shown =
        found("--   spark-sql (.*?) -f known-links[.]sql\n", example).replaceAll("\\\\\n--", "");
    List<String> arguments = new ArrayList<>(List.of("--master", "local[2]"));
    for (String argument : shown.trim().split("\\s+", -1)) {
      arguments.add(argument.endsWith(".jar") ? jars(argument) : argument);
    }
    List<String> command = new ArrayList<>();
    String home = System.getProperty("spark.home");
    if (home == null) {
      command.addAll(SparkProcess.java(sparkAlone()));
      command.add("org.apache.spark.deploy.SparkSubmit");
      command.addAll(arguments);
      command.addAll(List.of("--class", SqlProgram.class.getName(), "spark-internal"));
    } else {
      command.addAll(List.of("bash", home + "/bin/spark-sql"));
      command.addAll(arguments);
    }
    command.addAll(List.of("-f", script.toString()));
    return command;
  }

  private String jars(String names) throws IOException, URISyntaxException {
    List<String> jars = new ArrayList<>();
    for (String name : names.split(",", -1)) {
      Class<?> in = JARS.get(name);
      assertNotNull(in, name);
      Path path = origin(in);
      jars.add((Files.isDirectory(path) ? jarOf(path, name) : path).toString());
    }
    return String.join(",", jars);
  }

  private static Path origin(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  /** Packs the classes of a module that this build has not packed yet. */
  private Path jarOf(Path classes, String name) throws IOException {
    Path jar = folder.resolve(name);
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
        Stream<Path> files = Files.walk(classes)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(classes.relativize(file).toString()));
        Files.copy(file, out);
      }
    }
    return jar;
  }

  /** Returns the class path of this test without any jar of ours that --jars is to bring. */
  private static String sparkAlone() throws URISyntaxException {
    List<Path> ours = new ArrayList<>();
    for (Class<?> in : JARS.values()) {
      ours.add(origin(in));
    }
    return SparkProcess.classPath().stream()
        .filter(path -> !ours.contains(path))
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
