package io.bloomery.conformance;

import com.carrotsearch.hppc.LongLongHashMap;
import com.carrotsearch.hppc.cursors.LongLongCursor;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * The hashes themselves, each with how often it was put, in the order of the hashes on file: never
 * wrong, and as large as what it holds. All its calls take one lock.
 */
final class ExactCounts implements RemovableFilter, MergeableFilter {

  private static final String VARIANT = "exact-counts";
  private static final int BITS = 2 * Long.SIZE;

  private final FilterSpec spec;
  private final FilterLimits limits;
  private final LongLongHashMap counts;

  private ExactCounts(FilterSpec spec, FilterLimits limits, LongLongHashMap counts) {
    this.spec = spec;
    this.limits = limits;
    this.counts = counts;
  }

  /** Makes them. */
  static final class Provider implements FilterProvider {
    @Override
    public String variant() {
      return VARIANT;
    }

    @Override
    public Class<? extends Filter> filterType() {
      return ExactCounts.class;
    }

    @Override
    public FilterPlan plan(FilterSpec spec) {
      if (spec.expectedKeys() > Long.MAX_VALUE / BITS - 1) {
        throw new IllegalArgumentException("keys must be fewer than 2^56, but: " + spec);
      }
      return new Plan(spec);
    }

    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      Objects.requireNonNull(mode, "mode");
      long heap = Runtime.getRuntime().maxMemory();
      if (plan(spec).sizeInBits() / Byte.SIZE > heap) {
        throw new IllegalArgumentException("keys must fit into " + heap + " bytes, but: " + spec);
      }
      limits.check(Long.BYTES);
      return new ExactCounts(spec, limits, new LongLongHashMap());
    }

    @Override
    public Filter read(
        FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
        throws IOException {
      Objects.requireNonNull(mode, "mode");
      Objects.requireNonNull(limits, "limits");
      if (!layout.toMap().isEmpty()) {
        throw in.malformed("layout must have no numbers, but has " + layout);
      }
      long hashes = in.readLongs(1)[0];
      if (hashes < 0 || hashes > in.size() || in.size() != Long.BYTES * (1 + 2 * hashes)) {
        throw in.malformed("there must be two words for each of " + hashes + " hashes");
      }
      long[] words = in.readLongs(2 * hashes);
      for (int i = 0; i < words.length; i += 2) {
        if (words[i + 1] < 1 || i > 0 && words[i - 2] >= words[i]) {
          throw in.malformed("hashes must ascend and be counted");
        }
      }
      LongLongHashMap counts = new LongLongHashMap();
      for (int i = 0; i < words.length; i += 2) {
        counts.put(words[i], words[i + 1]);
      }
      return new ExactCounts(spec, limits, counts);
    }
  }

  private record Plan(FilterSpec spec) implements FilterPlan {
    @Override
    public String variant() {
      return VARIANT;
    }

    @Override
    public long sizeInBits() {
      return BITS * spec.expectedKeys() + Long.SIZE;
    }

    @Override
    public int probes() {
      return 1;
    }

    @Override
    public double falsePositiveRate(long keys) {
      return keys * 0x1p-64;
    }
  }

  private void checkRoom(long hashes) {
    if (size(hashes) > limits.maxBytes()) {
      throw new FilterFullException("one more hash would be beyond " + limits);
    }
  }

  private static long size(long hashes) {
    return Long.BYTES * (1 + 2 * hashes);
  }

  @Override
  public synchronized boolean put(long hash) {
    long count = counts.getOrDefault(hash, 0);
    if (count == 0) {
      checkRoom(counts.size() + 1L);
    }
    counts.put(hash, count + 1);
    return count == 0;
  }

  @Override
  public synchronized boolean remove(long hash) {
    long count = counts.getOrDefault(hash, 0);
    if (count == 1) {
      counts.remove(hash);
    } else if (count > 1) {
      counts.put(hash, count - 1);
    }
    return count > 0;
  }

  @Override
  public synchronized long approximateCount(long hash) {
    return counts.getOrDefault(hash, 0);
  }

  @Override
  public synchronized boolean mightContain(long hash) {
    return counts.containsKey(hash);
  }

  @Override
  public void putAll(Filter other) {
    incompatibility(other)
        .ifPresent(
            reason -> {
              throw new IllegalArgumentException("filters do not fit: " + reason);
            });
    LongLongHashMap more = ((ExactCounts) other.copy()).counts;
    synchronized (this) {
      long hashes = counts.size();
      for (LongLongCursor hash : more) {
        long count = counts.getOrDefault(hash.key, 0);
        hashes += count == 0 ? 1 : 0;
        if (count + hash.value < 0) {
          throw new FilterFullException("counts must be below 2^63; remove hashes first");
        }
      }
      if (hashes > counts.size()) {
        checkRoom(hashes);
      }
      for (LongLongCursor hash : more) {
        counts.addTo(hash.key, hash.value);
      }
    }
  }

  @Override
  public FilterSpec spec() {
    return spec;
  }

  @Override
  public FilterLimits limits() {
    return limits;
  }

  @Override
  public String variant() {
    return VARIANT;
  }

  @Override
  public FilterLayout layout() {
    return FilterLayout.EMPTY;
  }

  @Override
  public synchronized FilterStats stats() {
    int hashes = counts.size();
    return FilterStats.of(spec)
        .grows()
        .sizeInBits((long) Long.SIZE * Math.max(1, hashes))
        .setBits(hashes)
        .falsePositiveRate(hashes * 0x1p-64)
        .approximateKeys(hashes)
        .build();
  }

  @Override
  public synchronized Filter copy() {
    return new ExactCounts(spec, limits, new LongLongHashMap(counts));
  }

  @Override
  public synchronized void clear() {
    counts.clear();
  }

  @Override
  public synchronized long payloadSize() {
    return size(counts.size());
  }

  @Override
  public synchronized void writePayload(PayloadOutput out) throws IOException {
    long[] hashes = counts.keys().toArray();
    Arrays.sort(hashes);
    out.begin(size(hashes.length));
    out.writeLong(hashes.length);
    for (long hash : hashes) {
      out.writeLong(hash);
      out.writeLong(counts.get(hash));
    }
  }

  @Override
  public String toString() {
    return VARIANT + " of " + counts.size() + " hashes";
  }
}
