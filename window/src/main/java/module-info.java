import org.jspecify.annotations.NullMarked;

/**
 * Bloom filters of what came last, which forget what is older, in memory that does not grow.
 *
 * <p>Start with {@link io.bloomery.window.SlidingBloomFilter}.
 */
@NullMarked
module io.bloomery.window {
  requires transitive io.bloomery;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports io.bloomery.window;
}
