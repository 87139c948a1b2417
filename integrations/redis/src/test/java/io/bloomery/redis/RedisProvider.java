package io.bloomery.redis;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ref.Cleaner;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Filters on a real server, each under a name of its own, as the suite wants them. One that nobody
 * has any more is deleted.
 *
 * <p>Copies and what is read are on the server as well. Where a table is cut into chunks they are
 * made of the export, and so is the filter itself whenever it is copied or written: see {@link
 * Tested}.
 */
final class RedisProvider implements FilterProvider {

  private static final Cleaner CLEANER = Cleaner.create();
  private static final AtomicLong NUMBER = new AtomicLong();

  private final FilterProvider local;
  private final RedisLink link;
  private final int chunks;

  RedisProvider(String variant, RedisLink link, int chunks) {
    this.local = FilterProviders.installed().get(variant);
    this.link = link;
    this.chunks = chunks;
  }

  @Override
  public String variant() {
    return local.variant();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return local.plan(spec);
  }

  @Override
  public Class<? extends Filter> filterType() {
    return Tested.class;
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return local.positions(hash, bits, probes);
  }

  private RedisFilters filters(FilterPlan plan) {
    long words = plan.sizeInBits() / Long.SIZE;
    int fit = (int) Math.min(chunks, plan.probes() == 6 ? words - 1 : words / 4);
    return RedisFilters.of(
        link, RedisOptions.defaults().chunks(variant().equals(Chunks.STANDARD) ? 1 : fit));
  }

  private Tested tested(RedisFilters filters, RedisFilter filter, FilterLimits limits) {
    Tested tested = new Tested(filters, filter, limits);
    String name = filter.name();
    CLEANER.register(
        tested,
        () -> {
          try {
            filters.delete(name);
          } catch (RuntimeException e) {
            // The server ends with this JVM.
          }
        });
    return tested;
  }

  /** A server may hold more, but no copy of it could be made here. */
  private static void checkHeap(FilterPlan plan) {
    long heap = Runtime.getRuntime().maxMemory();
    if (plan.sizeInBits() / Byte.SIZE > heap) {
      throw new IllegalArgumentException(
          "a filter that is copied must fit in a heap of " + heap + " bytes, but was " + plan);
    }
  }

  private static String name() {
    return "suite-" + NUMBER.incrementAndGet();
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    java.util.Objects.requireNonNull(mode, "mode");
    FilterPlan plan = plan(spec);
    limits.check(plan.sizeInBits() / Byte.SIZE);
    checkHeap(plan);
    RedisFilters filters = filters(plan);
    return tested(filters, filters.create(name(), plan), limits);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Filter read = local.read(spec, layout, in, mode, limits);
    RedisFilters filters =
        RedisFilters.of(
            link,
            RedisOptions.defaults()
                .chunks(
                    variant().equals(Chunks.STANDARD)
                        ? 1
                        : (int) Math.min(chunks, layout.get("bits") / 256)));
    return tested(filters, filters.load(name(), read), limits);
  }

  /** A filter on the server whose copies are there, too. */
  private final class Tested implements Filter {

    private final RedisFilters filters;
    private final RedisFilter filter;
    private final FilterLimits limits;

    Tested(RedisFilters filters, RedisFilter filter, FilterLimits limits) {
      this.filters = filters;
      this.filter = filter;
      this.limits = limits;
    }

    @Override
    public boolean put(long hash) {
      return filter.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContain(hash);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      return filter.putAll(hashes, from, to);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      return filter.select(hashes, from, to, hits);
    }

    @Override
    public FilterSpec spec() {
      return filter.spec();
    }

    @Override
    public FilterLimits limits() {
      return limits;
    }

    @Override
    public String variant() {
      return filter.variant();
    }

    @Override
    public FilterLayout layout() {
      return filter.layout();
    }

    @Override
    public FilterStats stats() {
      return filter.stats();
    }

    @Override
    public FilterDescription description() {
      return filter.description();
    }

    @Override
    public Filter copy() {
      try {
        return tested(filters, filters.load(name(), filter.copy()), limits);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void clear() {
      filter.clear();
    }

    @Override
    public long payloadSize() {
      return filter.payloadSize();
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      filter.writePayload(out);
    }

    @Override
    public String toString() {
      return filter.toString();
    }
  }
}
