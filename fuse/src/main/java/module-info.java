import org.jspecify.annotations.NullMarked;

/** The filter of a set that never changes, found as variant {@code fuse}. */
@NullMarked
module io.bloomery.fuse {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.fuse;

  provides io.bloomery.filter.StaticFilterProvider with
      io.bloomery.fuse.FuseProvider;
}
