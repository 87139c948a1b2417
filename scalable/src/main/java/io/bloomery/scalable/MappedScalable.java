package io.bloomery.scalable;

import io.bloomery.Filter;
import io.bloomery.FilterStats;
import io.bloomery.FilterView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The queries of a {@link ScalableFilter}, on its slices in a mapped file. */
final class MappedScalable implements FilterView {

  private final List<FilterView> oldestFirst;
  private final FilterView[] newestFirst;

  MappedScalable(List<FilterView> oldestFirst) {
    this.oldestFirst = oldestFirst;
    List<FilterView> views = new ArrayList<>(oldestFirst);
    Collections.reverse(views);
    this.newestFirst = views.toArray(new FilterView[0]);
  }

  @Override
  public boolean mightContain(long hash) {
    for (FilterView slice : newestFirst) {
      if (slice.mightContain(hash)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Filter.checkSelect(hashes, from, to, hits);
    if (newestFirst.length == 1) {
      return newestFirst[0].select(hashes, from, to, hits);
    }
    Selection selection = new Selection(Math.min(Selection.BATCH, to - from));
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Selection.BATCH, to - i);
      found = selection.select(newestFirst, hashes, i, end, hits, found);
    }
    return found;
  }

  @Override
  public FilterStats stats() {
    return ScalableFilter.stats(oldestFirst);
  }
}
