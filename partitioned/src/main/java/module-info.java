/**
 * Bloom filters of slices and of blocks, found as variants {@code partitioned} and {@code
 * split-block}.
 */
module io.bloomery.partitioned {
  requires transitive io.bloomery;

  exports io.bloomery.partitioned;

  uses io.bloomery.partitioned.SplitBlockKernel;

  provides io.bloomery.FilterProvider with
      io.bloomery.partitioned.PartitionedProvider,
      io.bloomery.partitioned.SplitBlockProvider;
}
