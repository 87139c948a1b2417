import org.jspecify.annotations.NullMarked;

/**
 * The Bloom filters of other systems, read, written and queried.
 *
 * <p>Start with {@link io.bloomery.interop.ForeignFormat}.
 */
@NullMarked
module io.bloomery.interop {
  requires transitive io.bloomery;
  requires static org.jspecify;

  exports io.bloomery.interop;
}
