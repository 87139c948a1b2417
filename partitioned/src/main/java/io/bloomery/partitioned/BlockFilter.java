package io.bloomery.partitioned;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import io.bloomery.spi.TableFilter;
import io.bloomery.spi.TableLayout;
import io.bloomery.spi.TableProvider;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A Bloom filter of blocks, where all bits of a key lie in the block that its hash picks: what does
 * not depend on what a block is.
 *
 * <p>A shared put that has something to write holds the stripe of its block, so that it writes each
 * word plainly: with 5,000,000 keys a fresh put takes a fifth less time than with four atomic
 * writes. Whoever else writes to a block holds the same stripe.
 */
abstract class BlockFilter extends TableFilter {

  // As many queries as keep the memory busy, and as few as stay in the first-level cache.
  static final int BATCH = 64;

  // Words in 1 MiB, a common size of second-level caches.
  static final int CACHED = 1 << 17;

  static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final long[] words;
  private final boolean shared;

  BlockFilter(TableProvider provider, FilterSpec spec, TableLayout layout, BitTable table) {
    super(provider, spec, layout, table);
    this.words = table.sharedWords();
    this.shared = table.mode() == ThreadMode.SHARED;
  }

  /** Returns the words of the table. */
  final long[] words() {
    return words;
  }

  /** Returns whether other threads may use this filter at the same time. */
  final boolean shared() {
    return shared;
  }
}
