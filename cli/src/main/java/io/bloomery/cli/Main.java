package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.cli.conformance.ConformanceCommand;
import io.bloomery.cli.dedupe.DedupeCommand;
import io.bloomery.cli.filter.AddCommand;
import io.bloomery.cli.filter.CheckCommand;
import io.bloomery.cli.filter.ConvertCommand;
import io.bloomery.cli.filter.CreateCommand;
import io.bloomery.cli.filter.InfoCommand;
import io.bloomery.cli.filter.MergeCommand;
import io.bloomery.cli.filter.OverlapCommand;
import io.bloomery.cli.filter.RemoveCommand;
import io.bloomery.cli.filter.ShrinkCommand;
import io.bloomery.cli.filter.VerifyCommand;
import io.bloomery.cli.redis.PullCommand;
import io.bloomery.cli.redis.PushCommand;
import io.bloomery.cli.redis.RedisCommand;
import io.bloomery.cli.session.BloomeryCommand;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.LibraryWarnings;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardOutput;
import io.bloomery.cli.session.Terminal;
import io.bloomery.cli.sizing.PlotCommand;
import io.bloomery.cli.sizing.SizeCommand;
import io.bloomery.cli.trial.CompareCommand;
import io.bloomery.cli.trial.DemoCommand;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.TypeConversionException;

/** The {@code bloomery} command. */
public final class Main {

  /** The names of all commands, in the order in which they are listed. */
  static final List<String> NAMES =
      List.of(
          "create",
          "add",
          "check",
          "remove",
          "merge",
          "shrink",
          "convert",
          "push",
          "pull",
          "redis",
          "info",
          "verify",
          "overlap",
          "size",
          "plot",
          "dedupe",
          "compare",
          "conformance",
          "demo",
          "generate-completion",
          "help");

  /** The commands that need the specs of all the others. */
  private static final List<String> OF_ALL = List.of("generate-completion", "help");

  private Main() {}

  /**
   * Runs one command and exits the JVM with its exit code; {@code bloomery --help} lists the
   * commands and the exit codes.
   */
  public static void main(String[] arguments) {
    Launcher.watch();
    Session session =
        new Session(
            new FileInputStream(FileDescriptor.in),
            new StandardOutput(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16),
                Path.of("/dev/fd/1")),
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, Session.CHARSET),
            Terminal.of(System.getenv()),
            Bloomery::installed);
    System.exit(Launcher.exitCode(run(session, arguments)));
  }

  /** Runs one command and returns its exit code; an error is reported in one line. */
  public static int run(Session session, String... arguments) {
    LibraryWarnings.reportTo(session);
    try {
      Undecoded.check(arguments);
    } catch (Failure e) {
      return e.report(session);
    }
    CommandLine commands = commandsFor(session, arguments);
    PrintWriter help = new PrintWriter(session.out(), false, Session.CHARSET);
    commands.setOut(help);
    commands.setErr(new PrintWriter(session.err(), true, Session.CHARSET));
    commands.setParameterExceptionHandler((e, rest) -> Failure.of(e).report(session));
    commands.setExecutionExceptionHandler(
        (e, command, parsed) -> {
          flushWhatIsGood(session);
          return Failure.of(e).report(session);
        });
    commands.setExecutionStrategy(
        parsed -> {
          try {
            CommonChecks.check(parsed);
          } catch (Failure e) {
            return e.report(session);
          }
          int exitCode = new RunLast().execute(parsed);
          help.flush();
          try {
            session.out().flush();
          } catch (IOException e) {
            throw new ExecutionException(commands, "flush", e);
          }
          return exitCode;
        });
    try {
      return commands.execute(arguments);
    } catch (OutOfMemoryError e) {
      return Failure.outOfMemory(e).report(session);
    } catch (ServiceConfigurationError | LinkageError e) {
      return Failure.loading(e, "BLOOMERY_PATH").report(session);
    } catch (Error e) {
      return Failure.of(e).report(session);
    }
  }

  /** Flushes the output written before an error. */
  private static void flushWhatIsGood(Session session) {
    try {
      session.out().flush();
    } catch (IOException e) {
      // This may be the very error that is reported next.
    }
  }

  static CommandLine commands(Session session) {
    return commands(session, NAMES);
  }

  /**
   * Returns only the commands that the arguments can refer to, since reading the annotations of all
   * commands takes a third of the start-up time.
   */
  private static CommandLine commandsFor(Session session, String... arguments) {
    boolean isVersion = arguments.length == 1 && arguments[0].equals("--version");
    boolean isOne =
        arguments.length > 0 && NAMES.contains(arguments[0]) && !OF_ALL.contains(arguments[0]);
    List<String> one = isOne ? List.of(arguments[0]) : NAMES;
    return commands(session, isVersion ? List.of() : one);
  }

  private static CommandLine commands(Session session, List<String> names) {
    CommandLine commands = new CommandLine(new BloomeryCommand(session));
    for (String name : names) {
      commands.addSubcommand(command(name, session));
    }
    return commands.registerConverter(Path.class, Main::path);
  }

  private static Path path(String name) {
    try {
      Path path = Path.of(name);
      // Which Java leaves out of the path; a URL is none.
      if (name.endsWith("/") && !name.contains("://") && !Files.isDirectory(path)) {
        throw new TypeConversionException(
            "'"
                + name
                + "' must be a folder, but there is none; leave out the / at its end, or"
                + " name a file in a folder");
      }
      return path;
    } catch (InvalidPathException e) {
      throw new TypeConversionException(Failure.name(e).getMessage());
    }
  }

  private static Object command(String name, Session session) {
    return switch (name) {
      case "create" -> new CreateCommand();
      case "add" -> new AddCommand();
      case "check" -> new CheckCommand();
      case "remove" -> new RemoveCommand();
      case "merge" -> new MergeCommand();
      case "shrink" -> new ShrinkCommand();
      case "convert" -> new ConvertCommand();
      case "push" -> new PushCommand();
      case "pull" -> new PullCommand();
      case "redis" -> new RedisCommand();
      case "info" -> new InfoCommand();
      case "verify" -> new VerifyCommand(session);
      case "overlap" -> new OverlapCommand();
      case "size" -> new SizeCommand();
      case "plot" -> new PlotCommand();
      case "dedupe" -> new DedupeCommand();
      case "compare" -> new CompareCommand();
      case "conformance" -> new ConformanceCommand();
      case "demo" -> new DemoCommand();
      case "generate-completion" -> new CompletionCommand();
      case "help" -> new HelpCommand();
      default -> throw new IllegalArgumentException("no such command: " + name);
    };
  }
}
