package io.bloomery.cli;

import io.bloomery.filter.Filter;
import java.util.function.DoubleFunction;

/**
 * The lines that came last, in a fixed amount of memory: three generations of filters, the youngest
 * of which takes what comes, while the oldest is forgotten as a whole.
 *
 * <p>For a window of N, the youngest is closed when it has taken N/2 lines that nothing remembered
 * (rounded up), or N different ones in all. It also takes lines that only an older one remembers,
 * so that what keeps coming stays.
 *
 * <p>A line that came is in the youngest of that moment, and forgotten when the two after it are
 * closed. Each of them was closed by lines that came since: by N different ones, or, if not, both
 * by N/2 that no generation remembered, which are different from each other. So at least N other
 * lines came: a line among the last N different ones is always remembered. And since a generation
 * has at most N/2 lines that nothing remembered, a line is forgotten after at most 1.5 N of them.
 *
 * <p>A line that never came is looked up in three filters; each has a third of the rate.
 */
final class RecentLines implements SeenLines {

  private static final int GENERATIONS = 3;

  private final long window;
  private final Filter[] generations = new Filter[GENERATIONS];
  private int youngest;
  private long taken; // by the youngest: different lines
  private long unknown; // those of them that nothing remembered
  private double highestRate; // before the last generation was forgotten

  /**
   * Begins with nothing.
   *
   * @param window how many lines are remembered at least, at least 1
   * @param rate how often a line that is not remembered may seem so
   * @param filters creates a filter for {@link #keys} lines at a rate
   */
  RecentLines(long window, double rate, DoubleFunction<Filter> filters) {
    this.window = window;
    for (int i = 0; i < GENERATIONS; i++) {
      generations[i] = filters.apply(rate / GENERATIONS);
    }
  }

  /** Returns how many lines are remembered at most. */
  static long most(long window) {
    return window > Long.MAX_VALUE / GENERATIONS ? Long.MAX_VALUE : GENERATIONS * window;
  }

  /** Returns how many lines each filter has to take: it counts only those that change it. */
  static long keys(long window, double rate) {
    return (long) Math.ceil(window / (1 - rate));
  }

  @Override
  public boolean put(long hash) {
    if (!generations[youngest].put(hash)) {
      return false;
    }
    boolean known = isInOlder(hash);
    taken++;
    unknown += known ? 0 : 1;
    if (taken == window || unknown == window - window / 2) {
      begin();
    }
    return !known;
  }

  private boolean isInOlder(long hash) {
    for (int i = 0; i < GENERATIONS; i++) {
      if (i != youngest && generations[i].mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  private void begin() {
    highestRate = Math.max(highestRate, rate());
    youngest = (youngest + 1) % GENERATIONS;
    generations[youngest].clear();
    taken = 0;
    unknown = 0;
  }

  @Override
  public double highestRate() {
    double highest = Math.max(highestRate, rate());
    highestRate = 0;
    return highest;
  }

  /** Returns the rate as of now. */
  double rate() {
    double absent = 1;
    for (Filter generation : generations) {
      absent *= 1 - generation.stats().falsePositiveRate();
    }
    return 1 - absent;
  }
}
