package io.bloomery.guard;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/**
 * The log of a guard. Its methods never throw: handlers of the log and exceptions of the source are
 * code of others, and must not end a rebuild or a write.
 */
final class GuardLog {

  private static final Logger LOG = System.getLogger("io.bloomery.guard");

  private final String prefix;

  GuardLog(String guard) {
    this.prefix = "guard " + guard;
  }

  void info(String text) {
    log(Level.INFO, text, null);
  }

  void warning(String text) {
    log(Level.WARNING, text, null);
  }

  void warning(String text, Throwable cause) {
    log(Level.WARNING, text, cause);
  }

  void error(String text, Throwable cause) {
    log(Level.ERROR, text, cause);
  }

  private void log(Level level, String text, @Nullable Throwable cause) {
    try {
      String message = prefix + text + (cause == null ? "" : ": " + describe(cause));
      if (cause == null) {
        LOG.log(level, message);
      } else {
        LOG.log(level, message, cause);
      }
    } catch (RuntimeException | Error e) {
      if (cause != null) {
        // It may be the cause that cannot be printed.
        log(level, text + ": " + cause.getClass().getName(), null);
      }
    }
  }

  /** Returns an exception as text, whatever its own methods do. */
  static String describe(Throwable failure) {
    try {
      String text = failure.toString();
      if (text != null) {
        return text;
      }
    } catch (RuntimeException | Error e) {
      // Its class has to do.
    }
    return failure.getClass().getName();
  }

  /** Returns an exception whose text can be taken: itself, or one that it is the cause of. */
  static Throwable describable(Throwable failure) {
    try {
      String unused = failure.toString();
      return failure;
    } catch (RuntimeException | Error e) {
      return SourceException.failed(failure);
    }
  }
}
