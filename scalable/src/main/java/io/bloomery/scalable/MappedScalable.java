package io.bloomery.scalable;

import io.bloomery.blocked.MappedBlockedGroup;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.internal.Batches;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;

/** A read-only view of a {@link ScalableFilter} in a mapped file. */
final class MappedScalable implements FilterView {

  private final LayerPlan layerPlan;
  private final List<FilterView> oldestFirst;
  private final FilterView[] newestFirst;

  // Newest first, as in the heap.
  private final FilterView[] standard;
  private final MappedBlockedGroup blocked;

  /**
   * Creates a view of layers.
   *
   * @param blocked the layers that are blocked filters
   */
  MappedScalable(LayerPlan layerPlan, List<FilterView> oldestFirst, Set<FilterView> blocked) {
    this.layerPlan = layerPlan;
    this.oldestFirst = oldestFirst;
    List<FilterView> views = new ArrayList<>(oldestFirst);
    Collections.reverse(views);
    this.newestFirst = views.toArray(new FilterView[0]);
    this.standard =
        views.stream().filter(view -> !blocked.contains(view)).toArray(FilterView[]::new);
    this.blocked = new MappedBlockedGroup(views.stream().filter(blocked::contains).toList());
  }

  @Override
  public boolean mightContain(long hash) {
    for (FilterView layer : standard) {
      if (layer.mightContain(hash)) {
        return true;
      }
    }
    return blocked.mightContain(hash);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    if (newestFirst.length == 1) {
      return newestFirst[0].select(hashes, from, to, hits);
    }
    BatchSelect batch = new BatchSelect(Math.min(BatchSelect.BATCH, to - from));
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BatchSelect.BATCH, to - i);
      found = batch.select(newestFirst, hashes, i, end, hits, found);
    }
    return found;
  }

  @Override
  public FilterStats stats() {
    return ScalableFilter.stats(layerPlan.spec(), oldestFirst);
  }

  @Override
  public FilterDescription description() {
    return layerPlan.description(oldestFirst.get(0).description(), oldestFirst.size());
  }
}
