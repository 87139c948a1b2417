package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterBits;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.KeyEstimator;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.file.LiveFile;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A read-only filter that is queried in its memory-mapped file, without being loaded. The time to
 * open it does not depend on its size; the operating system loads the pages that queries access,
 * and all processes that map the file share them. The file may be larger than the heap.
 *
 * <p>Opening checks the header and trailer but not the content, all of which {@link #verify} reads.
 * Corrupt content that was not verified causes wrong answers, and nothing worse.
 *
 * <p>It is thread-safe, also while a thread closes it: a concurrent query answers or throws
 * FilterUnavailableException, and every later one throws. Closing releases the mapping, which is
 * unmapped once the garbage collector has found that no query uses it.
 *
 * <p>A live file is mapped whether or not it is open for writing: every key that its writer has put
 * is found, and none ever vanishes.
 *
 * <p>A file must not be truncated, or written to by others than a {@link LiveFilter}, while it is
 * mapped. Queries may then give wrong answers. If a page no longer exists, batches, {@link #stats}
 * and {@link #verify} throw FilterUnavailableException. A single query does so only if the JVM
 * reports the fault in time: it may answer that a key is absent, and an {@link InternalError} be
 * thrown later, anywhere in the thread. {@link FilterFiles#save} neither truncates nor writes to
 * the file but replaces it: a mapped filter keeps the content that it had.
 */
public final class MappedFilter implements FilterView, AutoCloseable {
  // decisions.md#a-mapped-file-that-is-truncated-cannot-be-told-after-a-single-query
  // decisions.md#close-of-a-mapped-filter-unmaps-nothing-and-no-file-stays-open
  // decisions.md#a-mapped-filter-is-not-a-filter

  private final FilterHeader header;
  private final VariantProvider provider;
  private final String origin;
  private final boolean isWritten;
  private volatile @Nullable MappedFile file; // null when closed
  private volatile @Nullable FilterView view; // null when closed

  MappedFilter(MappedFile file, VariantProvider provider, FilterView view) {
    this.header = file.header();
    this.provider = provider;
    this.origin = file.path().toString();
    this.isWritten = file.isWritten();
    this.file = file;
    this.view = view;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public boolean mightContain(long hash) {
    FilterView opened = opened(view);
    try {
      return answer(opened, hash);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  private static boolean answer(FilterView opened, long hash) {
    try {
      return opened.mightContain(hash);
    } catch (RuntimeException e) { // of garbage that was read
      MappingFaults.raise();
      throw e;
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    FilterView opened = opened(view);
    try {
      try {
        return opened.select(hashes, from, to, hits);
      } finally {
        MappingFaults.raise();
      }
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /**
   * {@inheritDoc} Reads all data that queries use.
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public FilterStats stats() {
    FilterView opened = opened(view);
    try {
      try {
        return opened.stats();
      } finally {
        MappingFaults.raise();
      }
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this filter is closed
   * @throws UncheckedIOException if the bits cannot be mapped
   */
  @Override
  public Optional<FilterBits> overlapBits() {
    MappedFile opened = opened(file);
    if (!(provider instanceof FilterProvider putting)) {
      return Optional.empty();
    }
    try {
      return putting
          .overlapBits(header.spec(), header.layout(), opened.content())
          .map(bits -> bits.with(new CheckedReads(bits.estimator())));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** An estimator that tells of a page that cannot be read. */
  private final class CheckedReads implements KeyEstimator {
    private final KeyEstimator estimator;

    CheckedReads(KeyEstimator estimator) {
      this.estimator = estimator;
    }

    @Override
    public OptionalDouble keys(LongUnaryOperator words) {
      try {
        try {
          return estimator.keys(words);
        } finally {
          MappingFaults.raise();
        }
      } catch (InternalError e) {
        throw truncated(e);
      }
    }

    @Override
    public double variance(double keys) {
      return estimator.variance(keys);
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this filter is closed
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
   * @throws FilterUnavailableException if this filter is closed, or the file truncated
   * @throws UncheckedIOException if checking the content needs more memory than the heap has
   */
  public VerificationResult verify() {
    MappedFile opened = opened(file);
    try {
      try {
        return opened.verify(provider);
      } finally {
        MappingFaults.raise();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InternalError e) {
      throw truncated(e);
    }
  }

  // Java throws InternalError if a page of a mapping cannot be read.
  FilterUnavailableException truncated(InternalError e) {
    return new FilterUnavailableException(
        "the file "
            + origin
            + (isWritten
                ? " " + MappingFaults.WRITTEN
                : " must stay as it was mapped, but was truncated, or cannot be read any more; map a"
                    + " sound one"),
        e);
  }

  /** Returns the entry of the file in a manifest. */
  ShardEntry entry() {
    return opened(file).entry();
  }

  private <T> T opened(@Nullable T part) {
    if (part == null) {
      throw new FilterUnavailableException(
          isWritten
              ? LiveFile.closed(origin)
              : "the filter mapped from " + origin + " was closed; map the file again to ask it");
    }
    return part;
  }

  /** Returns the specification that the filter was created for. */
  public FilterSpec spec() {
    return header.spec();
  }

  /** Returns the name of the variant, for example {@code "standard"}. */
  public String variant() {
    return header.variant();
  }

  /** Returns the layout, as {@link Filter#layout} does. */
  public FilterLayout layout() {
    return header.layout();
  }

  /** Returns the size of the content in bytes, as {@link Filter#payloadSize} does. */
  public long payloadSize() {
    return header.payloadSize();
  }

  /** Releases the file. Every later query throws; closing again has no effect. */
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
