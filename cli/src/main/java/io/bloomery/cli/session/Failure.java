package io.bloomery.cli.session;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.window.SlidingFilterFiles;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * An error that ends a command: a message of one line with the fault and a remedy, and an exit
 * code.
 */
public final class Failure extends Exception {

  private static final long serialVersionUID = 1;

  private static final String NAME_ANOTHER = "; name one that 'bloomery create' made";

  private static final String SAVE = "; 'bloomery merge -o NEW FILE' makes a saved filter of it";

  private final int exitCode;
  private final String file; // or null
  private final String detail;

  private Failure(int exitCode, String message) {
    this(exitCode, message, null);
  }

  private Failure(int exitCode, String message, Throwable cause) {
    this(exitCode, null, message, cause);
  }

  private Failure(int exitCode, String file, String detail, Throwable cause) {
    super(file == null ? detail : file + ": " + detail, cause);
    this.exitCode = exitCode;
    this.file = file;
    this.detail = detail;
  }

  /** Returns the same failure with more text at the end of its message. */
  public Failure with(String more) {
    return new Failure(exitCode, file, detail + more, getCause());
  }

  /** Returns the message without the name of the file. */
  public String detail() {
    return detail;
  }

  /** Returns the failure of a command that cannot be carried out as given. */
  public static Failure usage(String message) {
    return new Failure(ExitCode.USAGE, message);
  }

  /** Returns the same, with values in its message. */
  public static Failure usage(String format, Object... values) {
    return usage(String.format(Locale.ROOT, format, values));
  }

  /** A call of the library, which refuses arguments by an IllegalArgumentException. */
  public interface Call<T> {
    T get() throws Failure;
  }

  /**
   * Returns what a call returns.
   *
   * @throws Failure if the library refuses an argument, which is one of the command line
   */
  public static <T> T usageIfRefused(Call<T> call) throws Failure {
    try {
      return call.get();
    } catch (IllegalArgumentException e) {
      throw usage(e.getMessage());
    }
  }

  /** Returns the failure of a file with unexpected content or state. */
  public static Failure file(String name, String message) {
    return new Failure(ExitCode.BAD_FILE, name, message, null);
  }

  /** Returns the failure of an unexpected line of an input. */
  public static Failure line(String name, long number, String message) {
    return file(
        name, "line " + number + ": " + message + "; see that this line is what the options say");
  }

  /** Returns the failure of reading a filter. */
  public static Failure reading(Path path, IOException e) {
    if (e instanceof FileSystemException system
        && path.toString().equals(system.getFile())
        && ShardedFilterFiles.isSharded(path)) {
      return file(
          path.toString(),
          "is a folder of shards, which check, info and verify take and no other command; name a"
              + " filter in one file");
    }
    if (isWindow(path, e)) {
      return file(
          path.toString(),
          "is a window, which info, verify and, if it is a live one, dedupe --state take and no"
              + " other command"
              + NAME_ANOTHER);
    }
    return new Failure(
        ExitCode.BAD_FILE,
        path.toString(),
        packing(path, e).orElseGet(() -> reason(e) + (isLive(path, e) ? SAVE : next(e))),
        e);
  }

  /** Returns whether a file was refused since it is a live filter, and not a saved one. */
  private static boolean isLive(Path path, IOException e) {
    try {
      return e instanceof FilterFormatException format
          && format.reason() == FilterFormatException.Reason.OTHER_KIND
          && FilterFiles.inspect(path).live().isPresent();
    } catch (IOException other) {
      return false;
    }
  }

  /** Returns whether a file was refused since it is a window, and not a filter. */
  private static boolean isWindow(Path path, IOException e) {
    try {
      return e instanceof FilterFormatException format
          && format.reason() == FilterFormatException.Reason.OTHER_KIND
          && SlidingFilterFiles.isWindow(path);
    } catch (IOException other) {
      return false;
    }
  }

  /** Returns what to do next, unless the exception says it. */
  private static String next(IOException e) {
    if (e instanceof FilterFormatException format) {
      return switch (format.reason()) {
        case UNSUPPORTED_VERSION -> "";
        case OTHER_KIND -> NAME_ANOTHER;
        case NOT_A_FILTER ->
            NAME_ANOTHER
                + ", or the system that made it, as in --format cassandra-4 of info, check, verify,"
                + " add and convert";
        case OPEN_FOR_WRITING -> "; if its writer has ended, seal it by verify --seal";
        case TRUNCATED, TRAILING_BYTES, DAMAGED, INVALID ->
            "; restore it from a copy, or create it again";
      };
    }
    if (e instanceof AccessDeniedException denied && denied.getReason() == null) {
      return "; see that you may read it, and to change it, write in its folder";
    }
    if (SystemReason.isFull(reason(e))) {
      return "; make room on its disk, for names as well as for bytes";
    }
    return isNotOpened(e) ? NAME_ANOTHER : "";
  }

  /** Returns whether a file was not opened, so that another may be meant. */
  public static boolean isNotOpened(IOException e) {
    return e instanceof FileNotFoundException
        || (e instanceof FileSystemException system && system.getReason() == null);
  }

  /** Returns the failure of reading an input. */
  public static Failure input(String name, IOException e, String message) {
    return new Failure(ExitCode.BAD_FILE, name, message, e);
  }

  /** Returns the failure of saving a filter. */
  public static Failure saving(Path path, IOException e) {
    if (e instanceof FileAlreadyExistsException exists && exists.getReason() == null) {
      return usage(
          path
              + " was made by another meanwhile, and is unchanged; name another file, or --force to"
              + " replace it");
    }
    String reason = reason(e);
    if (!SystemReason.namesNextStep(reason)) {
      reason += "; nothing was changed, so make room or choose another place and run this again";
    }
    return new Failure(ExitCode.BAD_FILE, "cannot save " + path + ": " + reason, e);
  }

  public static Failure outOfMemory(OutOfMemoryError e) {
    return new Failure(
        ExitCode.BAD_FILE,
        "there is not enough memory; give Java more, as in JAVA_OPTS=-Xmx4g bloomery ...",
        e);
  }

  /** Returns the failure of a variant that was found in a place but cannot be used. */
  public static Failure loading(Throwable e, String place) {
    String cause = e.getCause() == null ? "" : ", since " + firstLine(e.getCause().toString());
    return loading(firstLine(e.toString()) + cause, place, e);
  }

  /** Returns the failure of a variant that cannot be loaded in another JVM, for some reason. */
  public static Failure loadingElsewhere(String reason, String place, Throwable e) {
    return loading(firstLine(reason), place, e);
  }

  private static Failure loading(String reason, String place, Throwable e) {
    return new Failure(
        ExitCode.USAGE,
        "a variant cannot be loaded: "
            + reason
            + "; take it out of "
            + place
            + ", or get one made for this version",
        e);
  }

  /** Returns the failure of invalid arguments. */
  public static Failure of(ParameterException e) {
    CommandLine command = e.getCommandLine();
    String help = "try '" + command.getCommandSpec().qualifiedName() + " --help'";
    if (e instanceof UnmatchedArgumentException unmatched) {
      String argument = unmatched.getUnmatched().get(0);
      String kind =
          argument.startsWith("-")
              ? "unknown option"
              : command.getSubcommands().isEmpty() ? "one argument too many:" : "unknown command";
      Optional<String> meant =
          OtherNames.ours(argument, command.getCommandSpec().optionsMap().keySet())
              .or(() -> meant(argument, command));
      return usage(
          "%s '%s'; %s",
          kind, argument, meant.map(option -> "did you mean '" + option + "'?").orElse(help));
    }
    String message = firstLine(e.getMessage());
    return usage(Character.toLowerCase(message.charAt(0)) + message.substring(1) + "; " + help);
  }

  /** Returns the failure of a name that cannot be one of a file. */
  public static Failure name(InvalidPathException e) {
    return usage(
        "'%s' must be the name of a file, but has characters that Java cannot encode in this"
            + " locale; set LC_ALL=C.UTF-8, or give the file another name",
        e.getInput());
  }

  /** Returns the option or command that an argument is similar to. */
  private static Optional<String> meant(String argument, CommandLine command) {
    if (!argument.startsWith("-")) {
      return Likeness.nearest(argument, command.getSubcommands().keySet());
    }
    // Without the dashes, which would make all options similar.
    Map<String, String> options = new HashMap<>();
    command.getCommandSpec().optionsMap().keySet().forEach(name -> options.put(bare(name), name));
    return Likeness.nearest(bare(argument.split("=", 2)[0]), options.keySet()).map(options::get);
  }

  private static String bare(String option) {
    return option.replaceFirst("^-+", "");
  }

  /** Returns the failure of any other throwable; an unexpected one is a fault of this program. */
  public static Failure of(Throwable e) {
    if (e instanceof Failure failure) {
      return failure;
    }
    if (e instanceof OutputException output) {
      return output.isBrokenPipe()
          ? new Failure(ExitCode.BROKEN_PIPE, "")
          : new Failure(
              ExitCode.BAD_FILE,
              "cannot write the output: "
                  + e.getMessage()
                  + (output.isFull() ? "; make room" : "; send it to another file or pipe"),
              e);
    }
    StackTraceElement[] trace = e.getStackTrace();
    return new Failure(
        ExitCode.FAULT,
        "fault in bloomery: "
            + firstLine(e.toString())
            + (trace.length == 0 ? "" : " at " + trace[0])
            + "; please report it with the command that you ran and what --debug adds",
        e);
  }

  /**
   * Returns the reason why the system or the format rejected a file, without the name of the file.
   */
  public static String reason(IOException e) {
    if (e instanceof FilterFormatException format) {
      return firstLine("byte " + format.offset() + ": " + format.detail());
    }
    if (e instanceof UnexpectedFilterException unexpected) {
      return firstLine(unexpected.detail());
    }
    if (e instanceof NoSuchFileException absent) {
      return absent.getReason() == null ? "no such file" : firstLine(absent.getReason());
    }
    if (e instanceof AccessDeniedException denied && denied.getReason() == null) {
      return "permission denied";
    }
    if (e instanceof FileSystemException system && system.getReason() != null) {
      return firstLine(system.getReason());
    }
    return firstLine(e.getMessage() == null ? e.toString() : e.getMessage());
  }

  /** Returns how a file is packed that was rejected since it is no filter, if it is packed. */
  public static Optional<String> packing(Path path, IOException e) {
    return e instanceof FilterFormatException ? Packing.ofFilter(path, true) : Optional.empty();
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse(text);
  }

  /** Prints the message, unless it is empty as for a broken pipe, and returns the exit code. */
  public int report(Session session) {
    if (!getMessage().isEmpty()) {
      PrintStream err = session.err();
      err.println(
          session.terminal().red("bloomery:")
              + " "
              + VisibleText.line(Urls.withoutLogin(getMessage())));
      if (session.debug()) {
        StringWriter trace = new StringWriter();
        (getCause() == null ? this : getCause()).printStackTrace(new PrintWriter(trace, true));
        err.print(VisibleText.lines(Urls.withoutLogin(trace.toString())));
      }
    }
    return exitCode;
  }
}
