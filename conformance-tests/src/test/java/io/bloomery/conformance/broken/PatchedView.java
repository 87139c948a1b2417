package io.bloomery.conformance.broken;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;

/** A view that is right until a method is overridden. */
class PatchedView implements FilterView {

  private final FilterView view;

  PatchedView(FilterView view) {
    this.view = view;
  }

  @Override
  public boolean mightContain(long hash) {
    return view.mightContain(hash);
  }

  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return view.select(hashes, from, to, hits);
  }

  @Override
  public FilterStats stats() {
    return view.stats();
  }

  @Override
  public FilterDescription description() {
    return view.description();
  }
}
