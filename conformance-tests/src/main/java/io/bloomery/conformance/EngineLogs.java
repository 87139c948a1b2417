package io.bloomery.conformance;

import java.util.List;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;

/** What the engines that run the rules would write to the log, between the lines of a report. */
final class EngineLogs {

  // Held here: the log manager forgets the levels of loggers that nobody holds.
  private static final List<Logger> LOGGERS =
      List.of(Logger.getLogger("net.jqwik"), Logger.getLogger("org.junit"));

  private EngineLogs() {}

  /** Does something without them; what goes wrong is in the outcomes. */
  static void silenceDuring(Runnable work) {
    List<Optional<Level>> levels =
        LOGGERS.stream().map(logger -> Optional.ofNullable(logger.getLevel())).toList();
    LOGGERS.forEach(logger -> logger.setLevel(Level.OFF));
    try {
      work.run();
    } finally {
      for (int i = 0; i < LOGGERS.size(); i++) {
        LOGGERS.get(i).setLevel(levels.get(i).orElse(null));
      }
    }
  }
}
