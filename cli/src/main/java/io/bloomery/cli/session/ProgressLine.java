package io.bloomery.cli.session;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A progress line of a terminal, which is overwritten at each update. */
final class ProgressLine extends Progress {

  // With a fixed width, the library does not open a terminal to query one.
  private static final int WIDTH = 79;

  private static final int MEBIBYTE = 1 << 20;
  private static final String CLEAR = "\r" + " ".repeat(WIDTH) + "\r";

  private final ProgressBar bar;
  private final Thread atInterrupt;
  private final long start = System.nanoTime();
  private long lines;

  private ProgressLine(PrintStream err, ProgressBarBuilder builder) {
    bar =
        builder
            .setConsumer(new DelegatingProgressBarConsumer(line -> err.print("\r" + line), WIDTH))
            .clearDisplayOnFinish()
            .build();
    atInterrupt = new Thread(() -> err.print(CLEAR));
    Runtime.getRuntime().addShutdownHook(atInterrupt);
  }

  /**
   * Shows the share of the bytes read, the estimated remaining time, the number of lines and the
   * lines per second.
   */
  static ProgressLine ofBytes(PrintStream err, long bytes) {
    RemainingTime remaining = new RemainingTime(bytes);
    return new ProgressLine(
        err,
        new ProgressBarBuilder()
            .setTaskName("")
            .setInitialMax(bytes)
            .setUnit(" MiB", MEBIBYTE)
            .setStyle(ProgressBarStyle.ASCII)
            .setEtaFunction(
                state -> remaining.after(state.getElapsedAfterStart(), state.getCurrent())));
  }

  /** Shows what is being done, and for how long. */
  static ProgressLine ofWork(PrintStream err, String what) {
    return new ProgressLine(
        err,
        new ProgressBarBuilder()
            .setRenderer(
                (state, columns) ->
                    String.format(
                        Locale.ROOT, "%s, %d s", what, state.getElapsedAfterStart().toSeconds())));
  }

  @Override
  public void advance(int more, long bytes) {
    lines += more;
    double seconds = (System.nanoTime() - start) / 1e9;
    bar.stepTo(bytes);
    bar.setExtraMessage(
        String.format(Locale.ROOT, " %,d lines, %,.0f/s", lines, lines / Math.max(seconds, 1e-3)));
  }

  @Override
  public void close() {
    bar.close();
    try {
      Runtime.getRuntime().removeShutdownHook(atInterrupt);
    } catch (IllegalStateException e) {
      // The JVM is shutting down and clears the line by itself.
    }
  }
}
