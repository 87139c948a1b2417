import org.jspecify.annotations.NullMarked;

/** The Bloom filter of 1970, found as variant {@code standard}. */
@NullMarked
module io.bloomery.standard {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.standard;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.standard.StandardProvider;
}
