import org.jspecify.annotations.NullMarked;

/** Bloom filters that count, found as variants {@code counting} and {@code counting-fast}. */
@NullMarked
module io.bloomery.counting {
  requires com.carrotsearch.hppc;
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.counting;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.counting.CountingProvider,
      io.bloomery.counting.FastCountingProvider;
}
