package io.bloomery;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A saved filter that answers from its memory-mapped file, which is not loaded: opening takes no
 * longer for a large one than for a small one, what is asked is brought in by the operating system,
 * and all processes that map the file share it. It may be larger than the heap.
 *
 * <p>Opening checks header and trailer and leaves the content alone; {@link #verify} reads all of
 * it. A damaged content that was not verified gives wrong answers, and nothing worse.
 *
 * <p>Nobody can put into it. Any number of threads may ask, also while one of them closes it: a
 * query then answers, or throws FilterUnavailableException, as every later one does. Closing lets
 * go of the mapping, which disappears once the garbage collector has found that no query uses it.
 *
 * <p>A file must not be truncated or written to while it is mapped. Queries may then give wrong
 * answers or end in an {@link InternalError}, and the JVM may stop. {@link Bloomery#save} never
 * does either, but replaces the file: a filter that is mapped goes on with the content that it had.
 */
public final class MappedFilter implements FilterView, AutoCloseable {

  private final Header header;
  private final FilterProvider provider;
  private final String origin;
  private volatile @Nullable MappedFile file; // null when closed
  private volatile @Nullable FilterView view; // null when closed

  MappedFilter(MappedFile file, FilterProvider provider, FilterView view) {
    this.header = file.header();
    this.provider = provider;
    this.origin = file.path().toString();
    this.file = file;
    this.view = view;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public boolean mightContain(long hash) {
    return opened(view).mightContain(hash);
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    return opened(view).select(hashes, from, to, hits);
  }

  /**
   * {@inheritDoc} Reads what queries look at.
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public FilterStats stats() {
    return opened(view).stats();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public FilterDescription description() {
    return opened(view).description();
  }

  /**
   * Reads the whole content, compares it with the checksum of each MiB, and checks that it is
   * content of its variant.
   *
   * @return the damaged regions, none if the file is as it was written; as {@link Bloomery#verify}
   * @throws FilterUnavailableException if this was closed
   */
  public List<DamagedRegion> verify() {
    return opened(file).verify(provider);
  }

  private <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new FilterUnavailableException(
          "the filter mapped from " + origin + " was closed; map the file again to ask it");
    }
    return part;
  }

  /** Returns what was asked for when the filter was created. */
  public FilterSpec spec() {
    return header.spec();
  }

  /** Returns the kind of filter, such as {@code "standard"}: its provider's name. */
  public String variant() {
    return header.variant();
  }

  /** Returns the numbers that fix where a hash's bits lie, as {@link Filter#layout} does. */
  public Map<String, Long> layout() {
    return header.layout();
  }

  /** Lets go of the file; every later query throws. Does nothing if this was closed before. */
  @Override
  public void close() {
    view = null;
    file = null;
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec() + ", mapped from " + origin;
  }
}
