/** A Bloom filter that counts, found as variant {@code counting}. */
module io.bloomery.counting {
  requires com.carrotsearch.hppc;
  requires transitive io.bloomery;

  exports io.bloomery.counting;

  provides io.bloomery.FilterProvider with
      io.bloomery.counting.CountingProvider;
}
