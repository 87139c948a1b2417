/** The Bloom filter of 1970, found as variant {@code standard}. */
module io.bloomery.standard {
  requires transitive io.bloomery;

  exports io.bloomery.standard;

  provides io.bloomery.FilterProvider with
      io.bloomery.standard.StandardProvider;
}
