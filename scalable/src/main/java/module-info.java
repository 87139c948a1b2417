import org.jspecify.annotations.NullMarked;

/** The Bloom filter that grows, found as variant {@code scalable}. */
@NullMarked
module io.bloomery.scalable {
  requires transitive io.bloomery;
  requires io.bloomery.blocked;
  requires io.bloomery.standard;
  requires static org.jspecify;

  exports io.bloomery.scalable;

  provides io.bloomery.filter.FilterProvider with
      io.bloomery.scalable.ScalableProvider;
}
