import org.jspecify.annotations.NullMarked;

/** The Bloom filter of one block for each key, found as variant {@code blocked}. */
@NullMarked
module io.bloomery.blocked {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.blocked;

  uses io.bloomery.blocked.BlockedKernel;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.blocked.BlockedProvider;
}
