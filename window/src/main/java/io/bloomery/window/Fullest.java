package io.bloomery.window;

import io.bloomery.filter.FilterStats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a window just before it last forgot a generation. Each filter is read once,
 * when it gets no more keys, and nothing waits for that.
 */
final class Fullest {

  private final Function<List<FilterStats>, FilterStats> whole;
  private List<Generation> before = List.of();
  private volatile @Nullable FilterStats stats; // null before they are known

  /**
   * Creates the statistics of a window that has forgotten nothing, without reading it: they are
   * known when it has forgotten a generation.
   *
   * @param whole the statistics of a window, from those of its generations
   */
  Fullest(Function<List<FilterStats>, FilterStats> whole) {
    this.whole = whole;
  }

  /**
   * Creates the statistics of a window that has forgotten nothing.
   *
   * @param whole the statistics of a window, from those of its generations
   */
  Fullest(List<Generation> youngestFirst, Function<List<FilterStats>, FilterStats> whole) {
    this.whole = whole;
    List<FilterStats> all =
        youngestFirst.stream().map(generation -> generation.filter.stats()).toList();
    for (int i = 1; i < all.size(); i++) {
      youngestFirst.get(i).closed = all.get(i);
    }
    this.stats = whole.apply(all);
  }

  Optional<FilterStats> stats() {
    return Optional.ofNullable(stats);
  }

  /** Takes what the window remembers before it forgets some of it. */
  synchronized void begin(List<Generation> remembered) {
    if (stats == null) {
      for (Generation generation :
          remembered.subList(Math.min(1, remembered.size()), remembered.size())) {
        generation.closed = generation.filter.stats();
      }
    }
    before = remembered;
  }

  /** Must be called before the filter of a generation is cleared. */
  synchronized void end(Generation generation) {
    generation.isOver = true;
  }

  /** Reads a generation that gets no more keys. */
  void measure(Generation closed) {
    FilterStats read;
    try {
      read = closed.filter.stats();
    } catch (RuntimeException e) {
      return; // It is being cleared. What else fails is thrown to those who ask for statistics.
    }
    synchronized (this) {
      if (!closed.isOver) {
        closed.closed = read;
        List<FilterStats> all = new ArrayList<>();
        for (Generation generation : before) {
          if (generation.closed == null) {
            return;
          }
          all.add(generation.closed);
        }
        stats = whole.apply(all);
      }
    }
  }
}
