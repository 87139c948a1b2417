package io.bloomery.partitioned;

import io.bloomery.filter.FilterView;
import java.util.List;

/**
 * Several split-block filters in mapped files that are asked as one, as {@link SplitBlockGroup}
 * does with filters in the heap.
 */
public final class MappedSplitBlockGroup {

  private final MappedSplitBlock[] fourWords;
  private final MappedSplitBlock[] twoWords;

  /**
   * Makes a group that asks views in the given order, those of low rates first, until one has the
   * hash.
   *
   * @throws IllegalArgumentException if one is of another variant
   */
  public MappedSplitBlockGroup(List<FilterView> views) {
    for (FilterView view : views) {
      if (!(view instanceof MappedSplitBlock)) {
        throw new IllegalArgumentException(
            "a group is of mapped split-block filters, but one was a "
                + view.getClass().getSimpleName());
      }
    }
    this.fourWords = ofKind(views, false);
    this.twoWords = ofKind(views, true);
  }

  private static MappedSplitBlock[] ofKind(List<FilterView> views, boolean twoWords) {
    return views.stream()
        .map(MappedSplitBlock.class::cast)
        .filter(view -> view.isOfTwoWords() == twoWords)
        .toArray(MappedSplitBlock[]::new);
  }

  /** Returns false if no filter has been given the hash; true means that one probably has. */
  public boolean mightContain(long hash) {
    if (anyOfFourWords(hash)) {
      return true;
    }
    for (MappedSplitBlock view : twoWords) {
      if (view.mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  private boolean anyOfFourWords(long hash) {
    if (fourWords.length < 2) {
      return fourWords.length == 1 && fourWords[0].mightContain(hash);
    }
    // Masks cost more than shifts and serve all tables.
    long pattern = FourWordFilter.pattern(hash);
    long a = FourWordFilter.mask(pattern, 0);
    long b = FourWordFilter.mask(pattern, 1);
    long c = FourWordFilter.mask(pattern, 2);
    long d = FourWordFilter.mask(pattern, 3);
    for (MappedSplitBlock view : fourWords) {
      if (view.hasAll(hash, a, b, c, d)) {
        return true;
      }
    }
    return false;
  }
}
