/** The Bloom filter that grows, found as variant {@code scalable}. */
module io.bloomery.scalable {
  requires transitive io.bloomery;
  requires io.bloomery.partitioned;
  requires io.bloomery.standard;

  exports io.bloomery.scalable;

  provides io.bloomery.FilterProvider with
      io.bloomery.scalable.ScalableProvider;
}
