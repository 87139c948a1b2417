import org.jspecify.annotations.NullMarked;

/**
 * A Bloom filter, a cache and a source in step, so that questions for absent keys reach the source
 * hardly ever and keys that are there are always found.
 *
 * <p>Start with {@link io.bloomery.guard.Guard}.
 */
@NullMarked
module io.bloomery.guard {
  requires com.github.benmanes.caffeine;
  requires transitive io.bloomery;
  requires static com.google.errorprone.annotations;
  requires static micrometer.core;
  requires static org.jspecify;

  exports io.bloomery.guard;
}
