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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Filters on a real server, each under a name of its own, as the suite wants them. One that nobody
 * has any more is deleted.
 *
 * <p>Copies and what is read are on the server as well. Where a table is cut into chunks they are
 * made of the export, in which words that two chunks share have the bits of both. A filter that is
 * exported is given these, too: rules compare it with its copy, and it may say "absent" otherwise
 * where that says "maybe". Filters with limits are in one chunk, since of two equal ones only that
 * which has refused something is exported.
 */
final class RedisProvider implements FilterProvider {

  private static final Cleaner CLEANER = Cleaner.create();
  private static final AtomicLong NUMBER = new AtomicLong();

  private final FilterProvider local;
  private final RedisLink link;
  private final int chunks;

  RedisProvider(String variant, RedisLink link, int chunks) {
    this.local = FilterProviders.installed().get(variant);
    this.link = new FreshNamesLink(link);
    this.chunks = chunks;
  }

  /**
   * A link to a server that says that it has no keys, so that nothing is looked for under the fresh
   * names of ten thousand filters.
   */
  private static final class FreshNamesLink extends ForwardingLink {

    FreshNamesLink(RedisLink link) {
      super(link);
    }

    @Override
    public CompletableFuture<List<Object>> send(
        String node, List<List<byte[]>> commands, Executor executor) {
      return Arrays.equals(commands.get(0).get(0), Script.ascii("DBSIZE"))
          ? CompletableFuture.completedFuture(List.of(0L))
          : super.send(node, commands, executor);
    }
  }

  @Override
  public String variant() {
    return local.variant();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    FilterPlan plan = local.plan(spec);
    return new Planned(plan, RedisFilter.describe(cut(plan)));
  }

  /** A local plan, which is carried out on the server. */
  private record Planned(FilterPlan local, FilterDescription description) implements FilterPlan {
    @Override
    public FilterSpec spec() {
      return local.spec();
    }

    @Override
    public String variant() {
      return local.variant();
    }

    @Override
    public long sizeInBits() {
      return local.sizeInBits();
    }

    @Override
    public long heapBytes() {
      return local.heapBytes();
    }

    @Override
    public int probes() {
      return local.probes();
    }

    @Override
    public double falsePositiveRate(long keys) {
      return local.falsePositiveRate(keys);
    }

    @Override
    public String toString() {
      return local.toString();
    }
  }

  @Override
  public Class<? extends Filter> filterType() {
    return Tested.class;
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return local.positions(hash, bits, probes);
  }

  /** Returns into how many chunks a table is cut. */
  private int cut(long bits, long probes) {
    long words = bits / Long.SIZE;
    return variant().equals(Chunks.STANDARD)
        ? 1
        : (int) Math.min(chunks, probes == 6 ? words - 1 : words / 4);
  }

  private int cut(FilterPlan plan) {
    return cut(plan.sizeInBits(), plan.probes());
  }

  private RedisFilters filters(int cut, FilterLimits limits) {
    boolean isWhole = !limits.equals(FilterLimits.HEAP);
    return RedisFilters.of(link, RedisOptions.defaults().chunks(isWhole ? 1 : cut));
  }

  private Tested tested(RedisFilters filters, RedisFilter filter, FilterLimits limits) {
    Tested tested = new Tested(filters, filter, limits);
    Name name = filter.served().name();
    List<byte[]> keys = new ArrayList<>(List.of(name.recordKey()));
    for (int chunk = 0; chunk < filter.served().count(); chunk++) {
      keys.add(name.chunkKey(chunk));
    }
    CLEANER.register(
        tested,
        () -> {
          try {
            new Calls(link).run(new Calls.Call(Script.DELETE, keys, List.of()));
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
    RedisFilters filters = filters(cut(plan), limits);
    return tested(filters, filters.create(name(), plan), limits);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Filter read = local.read(spec, layout, in, mode, limits);
    RedisFilters filters = filters(cut(layout.get("bits"), layout.get("probes")), limits);
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

    /** Returns a local filter with the same bits, where each chunk has those of its words. */
    private Filter exported() {
      Filter export = filter.copy();
      Borders.align(link, filter, export);
      return export;
    }

    @Override
    public FilterStats stats() {
      return exported().stats();
    }

    @Override
    public FilterDescription description() {
      return filter.description();
    }

    @Override
    public Filter copy() {
      try {
        return tested(filters, filters.load(name(), exported()), limits);
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
      exported().writePayload(out);
    }

    @Override
    public String toString() {
      return filter.toString();
    }
  }
}
