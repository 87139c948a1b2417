package io.bloomery.scalable;

import io.bloomery.blocked.BlockedGroup;
import io.bloomery.filter.Filter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Stripes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The list of layers of a scalable filter between two growths, and the lock stripes of puts into
 * the newest layer.
 *
 * <p>A put locks the stripe that its hash selects. A copy, a write, statistics and a growth lock
 * all stripes, in order.
 */
final class Layers {

  private final Layer[] oldestFirst;

  // Newest first. The rates decrease, and layers with low rates are standard filters, so that these
  // are the newest.
  private final Filter[] standard;
  private final BlockedGroup blocked;

  private final @Nullable Stripes stripes; // null if confined

  Layers(List<Layer> oldestFirst, ThreadMode mode) {
    this.oldestFirst = oldestFirst.toArray(new Layer[0]);
    List<Filter> standard = new ArrayList<>();
    List<Filter> blocked = new ArrayList<>();
    for (int i = this.oldestFirst.length - 1; i >= 0; i--) {
      Filter filter = this.oldestFirst[i].filter();
      (LayerPlan.isBlocked(filter) ? blocked : standard).add(filter);
    }
    this.standard = standard.toArray(new Filter[0]);
    this.blocked = new BlockedGroup(blocked);
    this.stripes =
        mode == ThreadMode.SHARED
            ? new Stripes((int) (newest().filter().payloadSize() / Long.BYTES))
            : null;
  }

  boolean mightContain(long hash) {
    for (Filter filter : standard) {
      if (filter.mightContain(hash)) {
        return true;
      }
    }
    return blocked.mightContain(hash);
  }

  List<Layer> oldestFirst() {
    return Collections.unmodifiableList(Arrays.asList(oldestFirst));
  }

  Layer newest() {
    return oldestFirst[oldestFirst.length - 1];
  }

  /** Returns the number of bytes of all tables. */
  long bytes() {
    long bytes = 0;
    for (Layer layer : oldestFirst) {
      bytes += layer.filter().payloadSize();
    }
    return bytes;
  }

  /**
   * Locks the stripe that a hash selects. Must not be called if confined.
   *
   * @return the stripe, to be passed to {@link #unlock}
   */
  int lock(long hash) {
    return Objects.requireNonNull(stripes).lock(hash);
  }

  void unlock(int stripe) {
    Objects.requireNonNull(stripes).unlock(stripe);
  }

  /** Waits until no put is in progress, and blocks further ones; does nothing if confined. */
  void lockAll() {
    if (stripes != null) {
      stripes.lockAll();
    }
  }

  void unlockAll() {
    if (stripes != null) {
      stripes.unlockAll();
    }
  }

  /**
   * Selects possible members as {@link Filter#select} does, in batches: the newest layer is queried
   * for all hashes of a batch, each older one for those that no layer has matched so far.
   */
  int select(long[] hashes, int from, int to, int[] hits) {
    if (oldestFirst.length == 1) {
      return oldestFirst[0].filter().select(hashes, from, to, hits);
    }
    if (standard.length == 0) {
      return blocked.select(hashes, from, to, hits);
    }
    BatchSelect batch = new BatchSelect(Math.min(BatchSelect.BATCH, to - from));
    int found = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(BatchSelect.BATCH, to - i);
      found = batch.select(standard, blocked, hashes, i, end, hits, found);
    }
    return found;
  }
}
