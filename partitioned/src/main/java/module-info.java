import org.jspecify.annotations.NullMarked;

/** The Bloom filter of one slice for each probe, found as variant {@code partitioned}. */
@NullMarked
module io.bloomery.partitioned {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.partitioned;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.partitioned.PartitionedProvider;
}
