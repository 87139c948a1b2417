package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * A provider of filters that are built once, as rules see it: what they put is collected, and the
 * filter is built of it when it is asked. What a put returns means nothing. A filter that is read
 * goes on with what was put into the one that was written, if that was written here and of late.
 */
public final class BuiltOnDemand implements FilterProvider {

  /** How many hashes are kept of what was written: 32 MiB of them. */
  private static final int MAX_KEPT = 1 << 22;

  private final StaticFilterProvider provider;

  // The hashes of what was written, by its content, the eldest first.
  private final Map<Content, long[]> written = new LinkedHashMap<>();
  private int kept;

  /** A digest of a filter's layout and words. */
  private static final class Content implements PayloadOutput {

    private final FilterLayout layout;
    private long one;
    private long other;

    Content(StoredFilter filter) {
      this.layout = filter.layout();
      try {
        filter.writePayload(this);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void begin(long size) {
      writeLong(size);
    }

    @Override
    public void writeLong(long word) {
      one = (one ^ word) * 0x9e3779b97f4a7c15L;
      other = Long.rotateLeft(other + word, 31) * 0xbf58476d1ce4e5b9L;
    }

    @Override
    public boolean equals(Object object) {
      return object instanceof Content content
          && content.one == one
          && content.other == other
          && content.layout.equals(layout);
    }

    @Override
    public int hashCode() {
      return Long.hashCode(one);
    }
  }

  private BuiltOnDemand(StaticFilterProvider provider) {
    this.provider = provider;
  }

  /** Returns a provider to put into, which is the given one if that is. */
  public static FilterProvider of(VariantProvider provider) {
    return provider instanceof FilterProvider creating
        ? creating
        : new BuiltOnDemand((StaticFilterProvider) provider);
  }

  /** Returns the provider whose filters these are. */
  public static VariantProvider tested(FilterProvider provider) {
    return provider instanceof BuiltOnDemand built ? built.provider : provider;
  }

  @Override
  public String variant() {
    return provider.variant();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return provider.plan(spec);
  }

  @Override
  public Class<? extends Filter> filterType() {
    return Collected.class;
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Objects.requireNonNull(mode, "mode");
    return new Collected(provider.build(spec, LongStream.empty(), limits), new long[0], limits);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    StoredFilter filter = provider.read(spec, layout, in, mode, limits);
    synchronized (written) {
      return new Collected(filter, written.get(new Content(filter)), limits);
    }
  }

  private void keep(Content content, long[] hashes) {
    synchronized (written) {
      long[] before = written.put(content, hashes);
      kept += hashes.length - (before == null ? 0 : before.length);
      Iterator<long[]> eldest = written.values().iterator();
      while (kept > MAX_KEPT && written.size() > 1) {
        kept -= eldest.next().length;
        eldest.remove();
      }
    }
  }

  @Override
  public FilterView map(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    return provider.map(spec, layout, in);
  }

  @Override
  public void check(FilterSpec spec, FilterLayout layout, PayloadInput in) throws IOException {
    provider.check(spec, layout, in);
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return provider.positions(hash, bits, probes);
  }

  private final class Collected implements Filter {

    private final FilterLimits limits;
    private long @Nullable [] hashes; // null if it is not known what is in the filter
    private int count;
    private StoredFilter built;
    private boolean isCurrent = true;
    private boolean isSorted;

    Collected(StoredFilter built, long @Nullable [] hashes, FilterLimits limits) {
      this.built = built;
      this.hashes = hashes == null ? null : hashes.clone();
      this.count = hashes == null ? 0 : hashes.length;
      this.limits = limits;
    }

    private synchronized StoredFilter built() {
      if (!isCurrent) {
        built = provider.build(built.spec(), Arrays.stream(hashes, 0, count), limits);
        isCurrent = true;
      }
      return built;
    }

    @Override
    public synchronized boolean put(long hash) {
      if (hashes == null) {
        throw new IllegalStateException("it is not known what is in the filter that was read");
      }
      if (count >= spec().expectedKeys()) {
        if (!isSorted) {
          hashes = Arrays.stream(hashes, 0, count).sorted().distinct().toArray();
          count = hashes.length;
          isSorted = true;
        }
        boolean isIn = Arrays.binarySearch(hashes, 0, count, hash) >= 0;
        if (count >= spec().expectedKeys() && !isIn) {
          throw new FilterFullException("a filter that is built once has room for those expected");
        }
        if (isIn) {
          return false;
        }
      }
      if (count == hashes.length) {
        hashes = Arrays.copyOf(hashes, Math.max(16, 2 * count));
      }
      hashes[count++] = hash;
      isSorted = false;
      isCurrent = false;
      return true;
    }

    @Override
    public boolean mightContain(long hash) {
      return built().mightContain(hash);
    }

    @Override
    public int select(long[] all, int from, int to, int[] hits) {
      return built().select(all, from, to, hits);
    }

    @Override
    public FilterSpec spec() {
      return built.spec();
    }

    @Override
    public FilterLimits limits() {
      return limits;
    }

    @Override
    public String variant() {
      return built.variant();
    }

    @Override
    public FilterLayout layout() {
      return built.layout();
    }

    @Override
    public FilterStats stats() {
      return built().stats();
    }

    @Override
    public FilterDescription description() {
      return built().description();
    }

    @Override
    public synchronized Filter copy() {
      return new Collected(built(), hashes == null ? null : Arrays.copyOf(hashes, count), limits);
    }

    @Override
    public synchronized void clear() {
      hashes = new long[0];
      count = 0;
      isCurrent = false;
    }

    @Override
    public long payloadSize() {
      return built().payloadSize();
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      StoredFilter filter = built();
      long[] content;
      synchronized (this) {
        content = hashes == null ? null : Arrays.copyOf(hashes, count);
      }
      if (content != null) {
        keep(new Content(filter), content);
      }
      filter.writePayload(out);
    }

    @Override
    public String toString() {
      return built().toString();
    }
  }
}
