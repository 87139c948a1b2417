import org.jspecify.annotations.NullMarked;

/**
 * Bloom filters of slices and of blocks, found as variants {@code partitioned} and {@code
 * split-block}.
 */
@NullMarked
module io.bloomery.partitioned {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.partitioned;

  uses io.bloomery.partitioned.SplitBlockKernel;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.partitioned.PartitionedProvider,
      io.bloomery.partitioned.SplitBlockProvider;
}
