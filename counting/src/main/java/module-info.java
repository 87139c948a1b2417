import org.jspecify.annotations.NullMarked;

/** A Bloom filter that counts, found as variant {@code counting}. */
@NullMarked
module io.bloomery.counting {
  requires com.carrotsearch.hppc;
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.counting;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.counting.CountingProvider;
}
