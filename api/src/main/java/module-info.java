/**
 * The filters of Bloomery as their users see them, and the tools for authors of new variants.
 *
 * <p>Start with {@link io.bloomery.Bloomery}; authors start with {@link
 * io.bloomery.FilterProvider}.
 */
module io.bloomery {
  requires com.dynatrace.hash4j;

  exports io.bloomery;
  exports io.bloomery.spi;

  uses io.bloomery.FilterProvider;
}
