package io.bloomery.window;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a window remembers from one change of its generations to the next: an immutable list, the
 * youngest first. One is null while its filter is not yet empty: the youngest while that is being
 * cleared, another if two or three began at once, so that nothing was put into it.
 */
final class Generations {
  // decisions.md#puts-of-a-window-take-turns
  // decisions.md#queries-of-a-window-of-a-time-leave-out-what-puts-forget
  // decisions.md#a-window-is-three-filters-each-closed-by-n2-lines-that-nothing-remembered-or-n-different-ones

  private final @Nullable Generation[] youngestFirst;
  private final long began;
  private final boolean isOdd;

  private Generations(@Nullable Generation[] youngestFirst, long began, boolean isOdd) {
    this.youngestFirst = youngestFirst;
    this.began = began;
    this.isOdd = isOdd;
  }

  /**
   * Returns generations.
   *
   * @param began when the youngest began, by the ticker
   * @param isOdd whether an odd number of generations began before it
   */
  static Generations of(List<Generation> youngestFirst, long began, boolean isOdd) {
    return new Generations(youngestFirst.toArray(new Generation[0]), began, isOdd);
  }

  /** Returns one of them by its age, 0 for the youngest. */
  @Nullable Generation get(int age) {
    return youngestFirst[age];
  }

  long began() {
    return began;
  }

  boolean isOdd() {
    return isOdd;
  }

  /** Returns whether one of an age from {@code youngest} to {@code end - 1} contains a hash. */
  boolean mightContain(long hash, int youngest, int end) {
    for (int i = youngest; i < end; i++) {
      Generation generation = youngestFirst[i];
      if (generation != null && generation.filter.mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  /** Returns those of an age from {@code youngest} to {@code end - 1}, without null. */
  List<Generation> list(int youngest, int end) {
    List<Generation> all = new ArrayList<>();
    for (int i = youngest; i < end; i++) {
      Generation generation = youngestFirst[i];
      if (generation != null) {
        all.add(generation);
      }
    }
    return all;
  }

  /** Returns what is left when so many more have begun, the last of them at a time. */
  Generations after(int steps, long begins) {
    @Nullable Generation[] left = new Generation[Extent.GENERATIONS];
    System.arraycopy(youngestFirst, 0, left, steps, Extent.GENERATIONS - steps);
    return new Generations(left, begins, isOdd ^ steps % 2 == 1);
  }

  /** Returns the same with another one of an age. */
  Generations with(int age, Generation generation) {
    @Nullable Generation[] all = youngestFirst.clone();
    all[age] = generation;
    return new Generations(all, began, isOdd);
  }
}
