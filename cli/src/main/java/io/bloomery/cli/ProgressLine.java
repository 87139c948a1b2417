package io.bloomery.cli;

import java.io.PrintStream;
import java.util.Locale;
import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/**
 * A line of a terminal that is written again and again: how much of the input is read, how long the
 * rest may take, how many lines there were and how many a second.
 */
final class ProgressLine extends Progress {

  // With a width given, the library opens no terminal to ask for one.
  private static final int WIDTH = 79;

  private static final int MEBIBYTE = 1 << 20;
  private static final String CLEAR = "\r" + " ".repeat(WIDTH) + "\r";

  private final ProgressBar bar;
  private final Thread atInterrupt;
  private final long start = System.nanoTime();
  private long lines;

  ProgressLine(PrintStream err, long bytes) {
    bar =
        new ProgressBarBuilder()
            .setTaskName("")
            .setInitialMax(bytes)
            .setUnit(" MiB", MEBIBYTE)
            .setStyle(ProgressBarStyle.ASCII)
            .setConsumer(new DelegatingProgressBarConsumer(line -> err.print("\r" + line), WIDTH))
            .clearDisplayOnFinish()
            .build();
    atInterrupt = new Thread(() -> err.print(CLEAR));
    Runtime.getRuntime().addShutdownHook(atInterrupt);
  }

  @Override
  void advance(int more, long bytes) {
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
      // The JVM is ending already, and the line with it.
    }
  }
}
