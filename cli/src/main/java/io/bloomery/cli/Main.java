package io.bloomery.cli;

import io.bloomery.Bloomery;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.util.ServiceConfigurationError;
import picocli.CommandLine;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.RunLast;

/** The {@code bloomery} command. */
public final class Main {

  private Main() {}

  /** Runs one command and ends the JVM with its exit code: {@code bloomery --help} lists both. */
  public static void main(String[] arguments) {
    Session session =
        new Session(
            new FileInputStream(FileDescriptor.in),
            new StandardOutput(
                new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16)),
            new PrintStream(new FileOutputStream(FileDescriptor.err), true, Session.CHARSET),
            // Set by the launcher: Java cannot tell whether stderr alone is a terminal.
            Boolean.getBoolean("bloomery.terminal"),
            Bloomery::installed);
    System.exit(run(session, arguments));
  }

  /** Runs one command and returns its exit code; whatever goes wrong is said in one line. */
  static int run(Session session, String... arguments) {
    CommandLine commands = commands(session);
    PrintWriter help = new PrintWriter(session.out(), false, Session.CHARSET);
    commands.setOut(help);
    commands.setErr(new PrintWriter(session.err(), true, Session.CHARSET));
    commands.setParameterExceptionHandler((e, rest) -> Failure.of(e).report(session.err()));
    commands.setExecutionExceptionHandler(
        (e, command, parsed) -> Failure.of(e).report(session.err()));
    commands.setExecutionStrategy(
        parsed -> {
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
      return Failure.outOfMemory().report(session.err());
    } catch (ServiceConfigurationError | LinkageError e) {
      return Failure.loading(e, "BLOOMERY_PATH").report(session.err());
    }
  }

  static CommandLine commands(Session session) {
    return new CommandLine(new BloomeryCommand())
        .addSubcommand(new CreateCommand(session))
        .addSubcommand(new AddCommand(session))
        .addSubcommand(new RemoveCommand(session))
        .addSubcommand(new CheckCommand(session))
        .addSubcommand(new VerifyCommand(session))
        .addSubcommand(new InfoCommand(session))
        .addSubcommand(new DedupeCommand(session))
        .addSubcommand(new SizeCommand(session))
        .addSubcommand(new PlotCommand(session))
        .addSubcommand(new CompareCommand(session))
        .addSubcommand(new DemoCommand(session))
        .addSubcommand(new ConformanceCommand(session))
        .addSubcommand(new CompletionCommand(session));
  }
}
