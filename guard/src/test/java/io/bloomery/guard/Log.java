package io.bloomery.guard;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;

/** What guards log while this is open. */
final class Log extends Handler implements AutoCloseable {

  // Held, since loggers that nobody holds are collected, with their handlers.
  private final Logger logger = Logger.getLogger("io.bloomery.guard");
  private final List<String> warnings = new CopyOnWriteArrayList<>();
  private final List<String> infos = new CopyOnWriteArrayList<>();

  Log() {
    logger.addHandler(this);
  }

  /** Returns how many warnings contain a text. */
  long warnings(String text) {
    return warnings.stream().filter(warning -> warning.contains(text)).count();
  }

  /** Returns how many messages that are no warnings contain a text. */
  long infos(String text) {
    return infos.stream().filter(info -> info.contains(text)).count();
  }

  @Override
  public void publish(LogRecord message) {
    String text = new SimpleFormatter().formatMessage(message);
    if (message.getLevel().equals(Level.WARNING)) {
      warnings.add(text);
    } else if (message.getLevel().equals(Level.INFO)) {
      infos.add(text);
    }
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }

  @Override
  public String toString() {
    return warnings.toString();
  }
}
