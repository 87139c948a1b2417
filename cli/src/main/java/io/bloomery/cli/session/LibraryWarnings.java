package io.bloomery.cli.session;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;

/**
 * Reports the warnings that the library logs as those of the command: in one line, and none with
 * {@code --quiet}. Java looks for it when the first one is logged.
 */
public final class LibraryWarnings extends System.LoggerFinder {

  private static volatile @Nullable Session session;

  /** Creates a finder, for ServiceLoader. */
  public LibraryWarnings() {}

  /** Has all warnings from now on reported by a session. */
  public static void reportTo(Session next) {
    session = next;
  }

  @Override
  public Logger getLogger(String name, Module module) {
    return new Warnings(name);
  }

  private static final class Warnings implements Logger {

    private final String name;

    Warnings(String name) {
      this.name = name;
    }

    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      return level != Level.OFF && level.compareTo(Level.WARNING) >= 0;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        report(thrown == null ? message : message + ": " + thrown);
      }
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        String format,
        @Nullable Object @Nullable ... values) {
      if (isLoggable(level)) {
        report(
            values == null || values.length == 0 ? format : MessageFormat.format(format, values));
      }
    }

    private static void report(String text) {
      Session to = session;
      if (to == null) {
        System.err.println(text);
      } else {
        to.warn("%s", text);
      }
    }
  }
}
