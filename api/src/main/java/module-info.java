import org.jspecify.annotations.NullMarked;

/**
 * The filters of Bloomery as their users see them, and the tools for authors of new variants.
 *
 * <p>Start with {@link io.bloomery.Bloomery}; authors start with {@link
 * io.bloomery.filter.FilterProvider}.
 */
@NullMarked
// The modules that the internal package is exported to are built after this one.
@SuppressWarnings("module")
module io.bloomery {
  requires com.dynatrace.hash4j;
  requires static com.google.errorprone.annotations;
  requires static org.jspecify;

  exports io.bloomery;
  exports io.bloomery.file;
  exports io.bloomery.filter;
  exports io.bloomery.hash;
  exports io.bloomery.spi;
  exports io.bloomery.internal to
      io.bloomery.blocked,
      io.bloomery.counting,
      io.bloomery.fuse,
      io.bloomery.partitioned,
      io.bloomery.redis,
      io.bloomery.scalable,
      io.bloomery.standard,
      io.bloomery.vector,
      io.bloomery.window;
  exports io.bloomery.internal.file to
      io.bloomery.guard,
      io.bloomery.interop,
      io.bloomery.window;

  uses io.bloomery.filter.FilterProvider;
  uses io.bloomery.filter.StaticFilterProvider;
  uses io.bloomery.internal.CellKernel;
  uses io.bloomery.internal.PairKernel;
  uses io.bloomery.internal.ProbeKernel;
}
