package io.bloomery.cli;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar on the terminal that shows how many lines are done; nothing if nobody watches. */
final class Progress implements AutoCloseable {

  /** For a number of lines that is not known. */
  static final long UNKNOWN = -1;

  // With a width given, the library opens no terminal to ask for one.
  private static final int WIDTH = 79;

  private final ProgressBar bar; // null when nobody watches

  private Progress(ProgressBar bar) {
    this.bar = bar;
  }

  static Progress start(Session session, long lines) {
    if (!session.terminal()) {
      return new Progress(null);
    }
    return new Progress(
        new ProgressBarBuilder()
            .setTaskName("lines")
            .setInitialMax(lines)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(
                new DelegatingProgressBarConsumer(line -> session.err().print("\r" + line), WIDTH))
            .clearDisplayOnFinish()
            .showSpeed()
            .build());
  }

  void advance(int lines) {
    if (bar != null) {
      bar.stepBy(lines);
    }
  }

  @Override
  public void close() {
    if (bar != null) {
      bar.close();
    }
  }
}
