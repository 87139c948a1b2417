/** The Bloom filter of 1970, found as variant {@code standard}. */
module io.bloomery.standard {
  requires io.bloomery;

  provides io.bloomery.FilterProvider with
      io.bloomery.standard.StandardProvider;
}
