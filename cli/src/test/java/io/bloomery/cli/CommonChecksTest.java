package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParameterException;

/** Checks what holds for every argument of every command. */
class CommonChecksTest {

  private static final String REMOTE = "redis://localhost:1/0?filter=x";

  /** Parts of passwords, of which no message may contain any. */
  private static final List<String> SECRETS = List.of("geheim", "segreto", "hemlig");

  private static final List<String> SCHEMES = List.of("redis", "rediss-cluster", "https");

  private static final Random DRAW = Shell.draw();

  @TempDir private Path folder;

  private static final CommandLine MODEL =
      Main.commands(
          new Session(
              InputStream.nullInputStream(),
              new StandardOutput(OutputStream.nullOutputStream()),
              new PrintStream(OutputStream.nullOutputStream()),
              Terminal.NONE,
              Bloomery::installed));

  static Stream<List<String>> commands() {
    return paths(MODEL);
  }

  private static Stream<List<String>> paths(CommandLine command) {
    String[] names = command.getCommandSpec().qualifiedName().split(" ");
    return Stream.concat(
        Stream.of(Arrays.asList(names).subList(1, names.length)),
        command.getSubcommands().values().stream().distinct().flatMap(CommonChecksTest::paths));
  }

  private static CommandSpec spec(List<String> path) {
    CommandLine command = MODEL;
    for (String name : path) {
      command = command.getSubcommands().get(name);
    }
    return command.getCommandSpec();
  }

  private static boolean takesUrl(ArgSpec argument) {
    return List.of("URL", "SERVER").contains(argument.paramLabel());
  }

  /** Returns the command with what it requires, except for one argument. */
  private List<String> required(List<String> path, CommandSpec spec, ArgSpec except) {
    List<String> arguments = new ArrayList<>(path);
    for (OptionSpec option : spec.options()) {
      if (option.required() && option != except) {
        arguments.add(option.longestName());
        arguments.add(folder.resolve("absent").toString());
      }
    }
    for (PositionalParamSpec each : spec.positionalParameters()) {
      if (each != except && (each.arity().min() > 0 || except instanceof PositionalParamSpec)) {
        arguments.add(takesUrl(each) ? REMOTE : folder.resolve("absent").toString());
      }
    }
    return arguments;
  }

  /** Returns how an option is written on the command line, with a value that it takes. */
  private List<String> written(List<String> path, CommandSpec spec, OptionSpec option) {
    if (option.arity().max() == 0) {
      return List.of(option.longestName());
    }
    Iterable<String> candidates = option.completionCandidates();
    List<String> values = new ArrayList<>(List.of("1", "0.5", "1s", "a=b"));
    if (candidates != null) {
      StreamSupport.stream(candidates.spliterator(), false).forEach(values::add);
    }
    for (String value : values) {
      List<String> arguments = required(path, spec, option);
      arguments.addAll(List.of(option.longestName(), value));
      try {
        MODEL.parseArgs(arguments.toArray(String[]::new));
        return List.of(option.longestName(), value);
      } catch (ParameterException e) {
        // Not a value of this option.
      }
    }
    throw new AssertionError(path + " " + option + ": none of " + values + " is a value");
  }

  @ParameterizedTest
  @MethodSource("commands")
  void anOptionGivenTwiceIsRefusedOrIsAList(List<String> path) {
    CommandSpec spec = spec(path);
    for (OptionSpec option : spec.options()) {
      String what = path + " " + option;
      if (option.isMultiValue()) {
        assertTrue(
            String.join(" ", option.description()).contains("may be given more than once"), what);
        continue;
      }
      List<String> arguments = required(path, spec, option);
      arguments.addAll(written(path, spec, option));
      arguments.addAll(written(path, spec, option));
      Run run = Run.of(arguments.toArray());
      assertEquals(ExitCode.USAGE, run.exitCode(), what);
      assertTrue(run.err().contains("should be specified only once; try 'bloomery"), run.err());
    }
  }

  @ParameterizedTest
  @MethodSource("commands")
  @Tag("nightly")
  void noOptionPrintsThePasswordOfAUrl(List<String> path) {
    checkSilence(path, 1);
  }

  /** Of options a third, drawn. */
  @ParameterizedTest
  @MethodSource("commands")
  void noCommandPrintsThePasswordOfAUrl(List<String> path) {
    checkSilence(path, 3);
  }

  private void checkSilence(List<String> path, int everyOption) {
    CommandSpec spec = spec(path);
    for (ArgSpec argument : spec.args()) {
      if (argument.isOption() && DRAW.nextInt(everyOption) > 0) {
        continue;
      }
      // Only what stands alone is taken for a URL; an option refuses each as it refuses any value.
      for (String scheme :
          argument.isPositional() ? SCHEMES : List.of(SCHEMES.get(DRAW.nextInt(3)))) {
        String url = url(scheme, DRAW);
        List<String> arguments = required(path, spec, argument);
        if (argument instanceof OptionSpec option) {
          arguments.add(option.arity().max() == 0 ? url : option.longestName() + "=" + url);
        } else {
          int before = ((PositionalParamSpec) argument).index().min();
          arguments.add(arguments.size() - urlsAfter(spec, before), url);
        }
        // Prints all that there is, whatever -q leaves out.
        arguments.add("--debug");
        assertIsSilent(url, Run.of(arguments.toArray()));
      }
    }
  }

  /** Returns how many positional arguments of {@link #required} stand after one. */
  private static int urlsAfter(CommandSpec spec, int index) {
    return (int)
        spec.positionalParameters().stream().filter(each -> each.index().min() > index).count();
  }

  private static void assertIsSilent(String url, Run run) {
    for (String secret : SECRETS) {
      assertFalse((run.out() + run.err()).contains(secret), url + "\n" + run);
    }
  }

  private static String url(String scheme, Random random) {
    String between = "@:/?#%&=+ ~'\"\\$ü2";
    StringBuilder password = new StringBuilder();
    for (String secret : SECRETS) {
      password.append(secret).append(between.charAt(random.nextInt(between.length())));
    }
    return scheme + "://user:" + password + "@localhost:1/0?filter=x";
  }

  @ParameterizedTest
  @MethodSource("commands")
  void aUrlForAFileSaysWhatToDo(List<String> path) {
    CommandSpec spec = spec(path);
    for (ArgSpec argument : spec.args()) {
      boolean isFile =
          Arrays.asList(argument.auxiliaryTypes()).contains(Path.class)
              || argument.typeInfo().getClassName().equals(Path.class.getName());
      boolean isAsked = path.equals(List.of("check")) && argument.paramLabel().equals("FILE");
      if (takesUrl(argument) || isAsked || !(isFile || argument.isPositional())) {
        continue;
      }
      List<String> arguments = required(path, spec, argument);
      if (argument instanceof OptionSpec option) {
        arguments.addAll(List.of(option.longestName(), REMOTE));
      } else {
        int index = ((PositionalParamSpec) argument).index().min();
        arguments.add(arguments.size() - urlsAfter(spec, index), REMOTE);
      }
      Run run = Run.of(arguments.toArray());
      assertEquals(ExitCode.USAGE, run.exitCode(), arguments.toString());
      assertTrue(run.err().contains(" must be a file, not a URL, but was " + REMOTE), run.err());
      assertTrue(run.err().contains("'bloomery pull'"), run.err());
    }
  }

  @Test
  void aUrlAmongOtherArgumentsIsPrintedWithoutItsPasswordToo() {
    Random random = new Random(9);
    for (int i = 0; i < 20; i++) {
      String url = url("redis", random);
      for (Object[] arguments :
          new Object[][] {
            {url},
            {"check", "--" + url, "x"},
            {"info", "x", url},
            {"plot", "--keys", url},
            {"check", "-c", "--json", url},
            {"check", url + "&a=b"},
            {"redis", url},
            {"create", "-o", folder.resolve("x"), "--attribute", url.replace("@local", "=@local")},
          }) {
        assertIsSilent(url, Run.of(arguments));
      }
    }
  }

  @Test
  void aFileWithAColonInItsNameIsNoUrl() throws Exception {
    Path file = Files.createDirectories(folder.resolve("redis:")).resolve("words");
    Files.writeString(file, "a\n");
    Run.of("create", "-o", folder.resolve("x"), file).assertEnds(ExitCode.OK);
    assertEquals("a\n", Run.of("check", folder.resolve("x"), file).out());
  }
}
