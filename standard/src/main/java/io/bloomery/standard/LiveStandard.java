package io.bloomery.standard;

import static io.bloomery.internal.WordProbes.HASH_PROBES;
import static io.bloomery.internal.WordProbes.HASH_ROTATION;
import static io.bloomery.internal.WordProbes.PROBES_PER_PRODUCT;
import static io.bloomery.internal.WordProbes.PRODUCT_ROTATION;
import static io.bloomery.internal.WordProbes.product;

import io.bloomery.filter.LivePuts;
import io.bloomery.internal.Batches;
import io.bloomery.internal.WordProbes;
import io.bloomery.spi.LiveTable;
import io.bloomery.spi.TableLayout;
import java.util.Objects;

/** The puts of a {@link StandardFilter} into its table in a memory-mapped file. */
final class LiveStandard implements LivePuts {

  private final LiveTable table;
  private final MappedStandard view;
  private final int words;
  private final int probes;

  LiveStandard(LiveTable table, MappedStandard view, TableLayout layout) {
    this.table = table;
    this.view = view;
    this.words = (int) (table.sizeInBits() / Long.SIZE);
    this.probes = layout.probes();
  }

  @Override
  public boolean put(long hash) {
    if (view.mightContain(hash)) {
      return false;
    }
    int stripe = table.lock(hash);
    try {
      return orAll(hash) != 0;
    } finally {
      table.unlock(stripe);
    }
  }

  /** Sets all bits of a hash atomically, and returns those that were clear. */
  private long orAll(long hash) {
    long missing = or(hash, HASH_ROTATION, Math.min(probes, HASH_PROBES));
    long product = hash;
    for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
      product = product(product);
      missing |= or(product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
    }
    return missing;
  }

  private long or(long first, int rotation, int count) {
    long missing = 0;
    long probe = first;
    for (int i = 0; i < count; i++) {
      int index = WordProbes.word(probe, words);
      probe = Long.rotateLeft(probe, rotation);
      missing |= table.or(index, 1L << probe);
    }
    return missing;
  }

  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int added = 0;
    for (int i = from, end; i < to; i = end) {
      end = i + Math.min(Batches.SIZE, to - i);
      prefetch(hashes, i, end);
      for (int j = i; j < end; j++) {
        added += put(hashes[j]) ? 1 : 0;
      }
    }
    return added;
  }

  /** Reads all words of a batch, unless the whole table fits in the cache, as the filter does. */
  private void prefetch(long[] hashes, int from, int to) {
    if (words <= Batches.CACHED_WORDS) {
      return;
    }
    long any = 0;
    for (int i = from; i < to; i++) {
      any ^= prefetch(hashes[i], HASH_ROTATION, Math.min(probes, HASH_PROBES));
      long product = hashes[i];
      for (int left = probes - HASH_PROBES; left > 0; left -= PROBES_PER_PRODUCT) {
        product = product(product);
        any ^= prefetch(product, PRODUCT_ROTATION, Math.min(left, PROBES_PER_PRODUCT));
      }
    }
    table.prefetched(any);
  }

  private long prefetch(long first, int rotation, int count) {
    long probe = first;
    long any = 0;
    for (int i = 0; i < count; i++) {
      any ^= table.word(WordProbes.word(probe, words));
      probe = Long.rotateLeft(probe, rotation);
    }
    return any;
  }
}
