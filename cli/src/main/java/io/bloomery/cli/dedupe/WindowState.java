package io.bloomery.cli.dedupe;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.window.LiveSlidingFilter;
import io.bloomery.window.SlidingFilter;
import java.io.IOException;
import java.nio.file.Path;

/** The most recent lines of all runs, in a live window. */
final class WindowState implements StateFile {

  /** The attribute of a window whose lines are remembered from when they were printed. */
  static final String SINCE = "bloomery.since";

  /** Its only value. */
  static final String PRINTED = "printed";

  private final LiveSlidingFilter live;
  private final SlidingFilter window;
  private final WindowOfLines lines;
  private final boolean renews;

  WindowState(LiveSlidingFilter live) {
    this.live = live;
    this.window = live.filter();
    this.renews = !isSincePrinted(window.spec());
    this.lines = new WindowOfLines(window, renews ? window::put : window::putIfAbsent);
  }

  /** Returns whether lines count from when they were printed. */
  static boolean isSincePrinted(FilterSpec spec) {
    return PRINTED.equals(spec.attributes().get(SINCE));
  }

  SlidingFilter window() {
    return window;
  }

  @Override
  public Path path() {
    return live.path();
  }

  @Override
  public FilterSpec spec() {
    return window.spec();
  }

  @Override
  public long together() {
    return window.putsBeforeForgetting();
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return window.select(hashes, from, to, hits);
  }

  @Override
  public void renew(long hash) {
    if (renews) {
      lines.put(hash);
    }
  }

  @Override
  public void put(long[] hashes, int from, int to) {
    for (int i = from; i < to; i++) {
      lines.put(hashes[i]);
    }
  }

  @Override
  public double highestRate() {
    FilterStats stats = window.statsBeforeForgetting();
    long each = Math.max(spec().expectedKeys(), stats.approximateKeys().orElse(0));
    long all = each > Long.MAX_VALUE / 3 ? Long.MAX_VALUE : 3 * each;
    // With that of equal hashes of earlier runs.
    return lines.highestRate() + FilterSpec.lowestRate(all);
  }

  @Override
  public boolean isOverfull() {
    return lines.isOverfull();
  }

  @Override
  public void close() throws IOException {
    live.close();
  }
}
