package io.bloomery.blocked;

import io.bloomery.filter.FilterView;
import java.util.List;

/**
 * A group of blocked filters in memory-mapped files that are queried as one, like a {@link
 * BlockedGroup} of filters on the heap.
 */
public final class MappedBlockedGroup {

  private final MappedBlocked[] fourWords;
  private final MappedBlocked[] twoWords;

  /**
   * Creates a group that queries views in the given order, but those of low rates first, until one
   * might contain the hash.
   *
   * @throws IllegalArgumentException if a view is of another variant
   */
  public MappedBlockedGroup(List<FilterView> views) {
    for (FilterView view : views) {
      if (!(view instanceof MappedBlocked)) {
        throw new IllegalArgumentException(
            "a group is of mapped blocked filters, but one was a "
                + view.getClass().getSimpleName());
      }
    }
    this.fourWords = ofKind(views, false);
    this.twoWords = ofKind(views, true);
  }

  private static MappedBlocked[] ofKind(List<FilterView> views, boolean twoWords) {
    return views.stream()
        .map(MappedBlocked.class::cast)
        .filter(view -> view.isOfTwoWords() == twoWords)
        .toArray(MappedBlocked[]::new);
  }

  /** Returns whether any filter might contain a hash: false only if it was put into none. */
  public boolean mightContain(long hash) {
    return (anyOfFourWords(hash) | (twoWords.length == 0 ? 0 : anyOfTwoWords(hash))) != 0;
  }

  /** Returns 1 if all bits of a hash are set in one of the tables, else 0. */
  private int anyOfFourWords(long hash) {
    if (fourWords.length == 1) {
      return fourWords[0].test(hash);
    }
    // Masks cost more than shifts, but are the same for all tables.
    long pattern = FourWordFilter.pattern(hash);
    long a = FourWordFilter.mask(pattern, 0);
    long b = FourWordFilter.mask(pattern, 1);
    long c = FourWordFilter.mask(pattern, 2);
    long d = FourWordFilter.mask(pattern, 3);
    for (MappedBlocked view : fourWords) {
      if (view.hasAll(hash, a, b, c, d)) {
        return 1;
      }
    }
    return 0;
  }

  private int anyOfTwoWords(long hash) {
    int any = 0;
    for (MappedBlocked view : twoWords) {
      any |= view.test(hash);
    }
    return any;
  }
}
