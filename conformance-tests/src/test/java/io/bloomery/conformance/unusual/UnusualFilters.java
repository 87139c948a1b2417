package io.bloomery.conformance.unusual;

import io.bloomery.conformance.broken.ForwardingFilter;
import io.bloomery.conformance.broken.GrowingReference;
import io.bloomery.conformance.broken.PatchedFilter;
import io.bloomery.conformance.broken.PatchedInput;
import io.bloomery.conformance.broken.PatchedPlan;
import io.bloomery.conformance.broken.PatchedProvider;
import io.bloomery.conformance.broken.ReferenceProvider;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.TableLayout;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Filters that are right, but keep, copy, lock or write their content in another way. */
final class UnusualFilters {

  private UnusualFilters() {}

  /** Makes filters for any number of threads, whatever was asked for. */
  static final class AlwaysShared extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Objects.requireNonNull(mode, "mode");
      return super.create(spec, ThreadMode.SHARED, limits);
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      return super.read(spec, layout, in, ThreadMode.SHARED, limits);
    }
  }

  /** Has one lock for all that is done to it. */
  static final class OneLock extends PatchedFilter {
    OneLock(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public synchronized boolean put(long hash) {
      return super.put(hash);
    }

    @Override
    public synchronized boolean mightContain(long hash) {
      return super.mightContain(hash);
    }

    @Override
    public synchronized FilterStats stats() {
      return super.stats();
    }

    @Override
    public synchronized Filter copy() {
      return super.copy();
    }

    @Override
    public synchronized void writePayload(PayloadOutput out) throws IOException {
      super.writePayload(out);
    }

    // Two that merge crosswise would wait for each other.
    @Override
    public void putAll(Filter other) {
      Filter from = other == this ? this : other.copy();
      synchronized (this) {
        super.putAll(from);
      }
    }
  }

  /** Asks the last hash of a batch first. */
  static final class SelectsBackwards extends PatchedFilter {
    SelectsBackwards(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      super.select(hashes, from, from, hits); // checks what is null
      super.select(hashes, from, to, hits); // checks the range
      int next = to - from;
      for (int i = to - 1; i >= from; i--) {
        if (mightContain(hashes[i])) {
          hits[--next] = i;
        }
      }
      int found = to - from - next;
      System.arraycopy(hits, next, hits, 0, found);
      return found;
    }
  }

  /** Shares its content with its copies until one of them is changed. */
  static final class CopyOnWrite extends ForwardingFilter<MergeableFilter>
      implements MergeableFilter {
    private final Provider provider;
    private volatile MergeableFilter content;
    private boolean isBorrowed;

    private CopyOnWrite(Provider provider, Filter content, boolean isBorrowed) {
      this.provider = provider;
      this.content = (MergeableFilter) content;
      this.isBorrowed = isBorrowed;
    }

    /** Makes filters that share their content. */
    static final class Provider extends PatchedProvider {
      @Override
      public Class<? extends Filter> filterType() {
        return CopyOnWrite.class;
      }

      @Override
      public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
        Filter made = super.create(spec, mode, limits);
        return new CopyOnWrite(this, PatchedFilter.unwrap(made), false);
      }

      @Override
      public Filter read(
          FilterSpec spec,
          FilterLayout layout,
          PayloadInput in,
          ThreadMode mode,
          FilterLimits limits)
          throws IOException {
        Filter made = super.read(spec, layout, in, mode, limits);
        return new CopyOnWrite(this, PatchedFilter.unwrap(made), false);
      }
    }

    @Override
    protected MergeableFilter inner() {
      return content;
    }

    private synchronized MergeableFilter own() {
      if (isBorrowed) {
        content = (MergeableFilter) content.copy();
        isBorrowed = false;
      }
      return content;
    }

    @Override
    public synchronized Filter copy() {
      isBorrowed = true;
      return new CopyOnWrite(provider, content, true);
    }

    @Override
    public synchronized boolean put(long hash) {
      return own().put(hash);
    }

    @Override
    public synchronized void clear() {
      own().clear();
    }

    @Override
    public void putAll(Filter other) {
      Filter from = other instanceof CopyOnWrite copy ? copy.content.copy() : other;
      synchronized (this) {
        own().putAll(from);
      }
    }

    @Override
    public Optional<String> incompatibility(Filter other) {
      return content.incompatibility(other instanceof CopyOnWrite copy ? copy.content : other);
    }
  }

  /** Writes its words in another form, from which the same change brings them back. */
  static final class Rewritten extends PatchedProvider {
    private final UnaryOperator<long[]> form;

    Rewritten(UnaryOperator<long[]> form) {
      this.form = form;
    }

    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new PatchedFilter(this, filter, mode) {
        @Override
        public void writePayload(PayloadOutput out) throws IOException {
          out.begin(payloadSize());
          for (long word : form.apply(Payload.of(inner).words())) {
            out.writeLong(word);
          }
        }
      };
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      PayloadInput rewritten =
          new PatchedInput(in) {
            @Override
            public long[] readLongs(long count) throws IOException {
              return form.apply(super.readLongs(count));
            }
          };
      return super.read(spec, layout, rewritten, mode, limits);
    }
  }

  /** Returns the last word first, each with its highest byte first. */
  static long[] backwards(long[] words) {
    long[] backwards = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      backwards[words.length - 1 - i] = Long.reverseBytes(words[i]);
    }
    return backwards;
  }

  /** Returns words with every bit turned over. */
  static long[] negative(long[] words) {
    return Arrays.stream(words).map(word -> ~word).toArray();
  }

  /** Grows to twenty times its first size at most. */
  static final class GrowsToALimit extends GrowingReference {
    private final long maxBytes;

    GrowsToALimit(Shape shape) {
      super(shape);
      this.maxBytes = 20 * shape.layers().get(0).filter().payloadSize();
    }

    @Override
    protected void checkRoom(long bytes) {
      super.checkRoom(bytes);
      if (bytes > maxBytes) {
        throw new FilterFullException("it grows to twenty times its first size; make another");
      }
    }
  }

  /** Has its table outside the heap, and says so. */
  static final class OffHeap extends PatchedProvider {
    OffHeap() {
      super(
          new ReferenceProvider() {
            @Override
            protected FilterDescription describe(TableLayout layout) {
              return super.describe(layout)
                  .part(FilterPlan.OFF_HEAP_BYTES, layout.bits() / Byte.SIZE, "outside the heap");
            }
          });
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      return new PatchedPlan(super.plan(spec)) {
        @Override
        public long heapBytes() {
          return 0;
        }
      };
    }
  }
}
