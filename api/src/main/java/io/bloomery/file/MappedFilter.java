package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
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
 * answers. Where a page is gone, batches, {@link #stats} and {@link #verify} end in a
 * FilterUnavailableException. Single queries do as far as Java tells in time: an {@link
 * InternalError} may come after them instead, anywhere in the thread. {@link FilterFiles#save}
 * never does either, but replaces the file: a filter that is mapped goes on with the content that
 * it had.
 */
public final class MappedFilter implements FilterView, AutoCloseable {

  private final FilterHeader header;
  private final FilterProvider provider;
  private final String origin;
  private volatile @Nullable MappedFile file; // null when closed
  private volatile @Nullable FilterView view; // null when closed

  private int one = 1; // no constant, or the compiler would leave out what raiseFaults does

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
    FilterView opened = opened(view);
    try {
      return opened.mightContain(hash);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    FilterView opened = opened(view);
    try {
      int found = opened.select(hashes, from, to, hits);
      raiseFaults();
      return found;
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /**
   * {@inheritDoc} Reads what queries look at.
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public FilterStats stats() {
    FilterView opened = opened(view);
    try {
      FilterStats stats = opened.stats();
      raiseFaults();
      return stats;
    } catch (InternalError e) {
      throw truncated(e);
    }
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
   * @return the damaged regions, none if the file is as it was written, as {@link
   *     FilterFiles#verify}
   * @throws FilterUnavailableException if this was closed, or the file truncated
   * @throws UncheckedIOException if checking the content needs more memory than the heap has
   */
  public VerificationResult verify() {
    MappedFile opened = opened(file);
    try {
      List<DamagedRegion> damage = opened.verify(provider);
      raiseFaults();
      return VerificationResult.of(damage);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /**
   * Makes the JVM throw what it has put off: compiled code goes on with garbage where a page of a
   * mapping cannot be read, up to the next thing that the JVM does for it, which after a single
   * query is not in here. An array of arrays is the cheapest such thing that was found.
   */
  private void raiseFaults() {
    int[][] made = new int[one][one];
    if (made.length != one) {
      throw new AssertionError("arrays are as long as asked for");
    }
  }

  // What Java throws where a page of a mapping cannot be read.
  private FilterUnavailableException truncated(InternalError e) {
    return new FilterUnavailableException(
        "the file "
            + origin
            + " must stay as it was mapped, but was truncated, or cannot be read any more; map a"
            + " sound one",
        e);
  }

  /** Returns what a manifest would say of the file. */
  ShardEntry entry() {
    return opened(file).entry();
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
  public FilterLayout layout() {
    return header.layout();
  }

  /** Returns how many bytes the content has, as {@link Filter#payloadSize} does. */
  public long payloadSize() {
    return header.payloadSize();
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
