package io.bloomery.conformance.internal.kit;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.cases.Offer;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;

/** The provider under test, and what rules do with it again and again. */
public final class Subject {

  /** Every variant must offer filters for so many keys, at {@link #ALWAYS_RATE} or above. */
  public static final long ALWAYS_KEYS = 1_000_000;

  /** How many words segments of mapped content have. */
  public static final int SEGMENT = 1 << 10;

  /** Every variant must offer filters of this rate, for up to {@link #ALWAYS_KEYS}. */
  public static final double ALWAYS_RATE = 1e-3;

  /** How many hashes there are in a batch that stands for as many calls. */
  private static final int BATCH = 1_000;

  /** How many of the hashes of a filter are put by calls of their own where calls are slow. */
  private static final int SINGLY = 100;

  private final FilterProvider provider;

  // What was planned for offers, or nothing where it was refused: rules draw from the same edges,
  // and to plan counters takes longer than to fill a small filter.
  private final Map<FilterSpec, Optional<FilterPlan>> planned = new ConcurrentHashMap<>();

  private final boolean isSlow;

  public Subject(FilterProvider provider) {
    this(provider, false);
  }

  /**
   * Wraps a provider.
   *
   * @param isSlow whether calls of its filters are slow, so that most hashes go in batches
   */
  public Subject(FilterProvider provider, boolean isSlow) {
    this.provider = provider;
    this.isSlow = isSlow;
  }

  public FilterProvider provider() {
    return provider;
  }

  public Filter create(long keys, double rate) {
    return create(keys, rate, ThreadMode.SHARED);
  }

  public Filter create(long keys, double rate, ThreadMode mode) {
    return provider.create(FilterSpec.of(keys, rate), mode);
  }

  /** Returns one mode for even numbers and the other for odd ones. */
  public static ThreadMode modeOf(int number) {
    return (number & 1) == 0 ? ThreadMode.SHARED : ThreadMode.CONFINED;
  }

  public FilterPlan plan(long keys, double rate) {
    return provider.plan(FilterSpec.of(keys, rate));
  }

  /**
   * Plans a filter, or returns nothing if the variant refuses one so large or so strict, as it may.
   */
  public Optional<FilterPlan> planIfOffered(long keys, double rate) {
    try {
      return Optional.of(plan(keys, rate));
    } catch (IllegalArgumentException e) {
      if (keys <= ALWAYS_KEYS && rate >= ALWAYS_RATE) {
        throw new AssertionError(keys + " keys at a rate of " + rate + " must be offered", e);
      }
      return Optional.empty();
    }
  }

  /** Plans a filter, or returns nothing if the variant refuses it, whether it may or not. */
  private Optional<FilterPlan> planIfAccepted(long keys, double rate) {
    FilterSpec spec;
    try {
      spec = FilterSpec.of(keys, rate);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    Optional<FilterPlan> known = planned.get(spec);
    if (known == null) {
      // Not within a method of the map: a plan that never ends must hold up one rule alone.
      known = planIfAccepted(spec);
      planned.put(spec, known);
    }
    return known;
  }

  private Optional<FilterPlan> planIfAccepted(FilterSpec spec) {
    try {
      return Optional.of(provider.plan(spec));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /**
   * Returns what the provider offers, as far as there is memory to try it. What it refuses though
   * every variant must offer it is one rule's business, not that of each.
   */
  public Offer offer() {
    // A rule may have some filters of a case at a time, and what they write.
    return offerUpTo(Runtime.getRuntime().maxMemory() / 32);
  }

  /** Returns what the provider plans, however large: nothing of it is built. */
  public Offer plans() {
    return offerUpTo(Long.MAX_VALUE);
  }

  private Offer offerUpTo(long maxBytes) {
    return new Offer() {
      @Override
      public Optional<FilterPlan> plan(long keys, double rate) {
        return planIfAccepted(keys, rate);
      }

      @Override
      public long maxBytes() {
        return maxBytes;
      }
    };
  }

  /**
   * Returns how many bytes a plan allocates, whether it is made or refused: what comes before
   * memory is taken is not to be counted as memory taken. Calls of StrictMath.pow leave some bytes
   * behind, and plans of blocks make thousands.
   */
  public long allocatedByPlan(FilterSpec spec) {
    long before = Allocation.byThisThread();
    try {
      provider.plan(spec);
    } catch (IllegalArgumentException e) {
      // A plan that is refused has cost what it has cost.
    }
    return Allocation.byThisThread() - before;
  }

  public Bloomery bloomery() {
    return Bloomery.with(provider);
  }

  public Filter read(byte[] bytes) {
    return read(bytes, ThreadMode.SHARED);
  }

  public Filter read(byte[] bytes, ThreadMode mode) {
    try {
      return bloomery().files().read(new ByteArrayInputStream(bytes), OpenOptions.of(mode));
    } catch (IOException e) {
      throw new AssertionError("what was written must be read", e);
    }
  }

  /** Checks what a filter writes without reading it. */
  public void check(Filter written) {
    try {
      provider.check(written.spec(), written.layout(), Payload.of(written).reread());
    } catch (IOException e) {
      throw new AssertionError("check must take what was written by " + written, e);
    }
  }

  /** Maps what a filter writes, in segments much smaller than those of a file. */
  public FilterView mapped(Filter written) {
    try {
      long[] words = Payload.of(written).words();
      return provider.map(written.spec(), written.layout(), new MappedWords(words, SEGMENT));
    } catch (IOException e) {
      throw new AssertionError("what was written must be mapped", e);
    }
  }

  /** Reads what a filter writes as if it had been made for another spec. */
  public Filter readAs(FilterSpec spec, Filter written, ThreadMode mode) {
    return readAs(spec, written, mode, FilterLimits.HEAP);
  }

  public Filter readAs(FilterSpec spec, Filter written, ThreadMode mode, FilterLimits limits) {
    try {
      return provider.read(spec, written.layout(), Payload.of(written).reread(), mode, limits);
    } catch (IOException e) {
      throw new AssertionError("what was written must be read, with " + limits, e);
    }
  }

  public static byte[] write(Filter filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      FilterFiles.write(filter, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Puts hashes, as many of them as there is room for. */
  public static void put(Filter filter, long... hashes) {
    for (long hash : hashes) {
      if (!isTaken(filter, hash)) {
        return;
      }
    }
  }

  /** Returns how many of some hashes are put or asked for one by one, and not in a batch. */
  int singly(int count) {
    return singly(count, SINGLY);
  }

  /** Returns how many of some calls are made: all, or where they are slow at most so many. */
  int singly(int count, int maxSlow) {
    return isSlow ? Math.min(count, maxSlow) : count;
  }

  /**
   * Puts so many hashes, one by one, or in batches where calls are slow; returns false if they are
   * fewer, as there is no room for more.
   */
  public boolean putMany(Filter filter, LongSupplier hashes, long count) {
    if (!isSlow) {
      long left = count;
      while (left > 0 && isTaken(filter, hashes.getAsLong())) {
        left--;
      }
      return left == 0;
    }
    try {
      for (long left = count; left > 0; left -= BATCH) {
        long[] batch = next(hashes, left);
        filter.putAll(batch, 0, batch.length);
      }
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }

  /** Returns how many of so many hashes are found, asked for like those of {@link #putMany}. */
  public long countFound(FilterView filter, LongSupplier hashes, long count) {
    long found = 0;
    if (!isSlow) {
      for (long left = count; left > 0; left--) {
        found += filter.mightContain(hashes.getAsLong()) ? 1 : 0;
      }
      return found;
    }
    for (long left = count; left > 0; left -= BATCH) {
      long[] batch = next(hashes, left);
      found += filter.select(batch, 0, batch.length, new int[batch.length]);
    }
    return found;
  }

  private static long[] next(LongSupplier hashes, long left) {
    return LongStream.generate(hashes).limit(Math.min(left, BATCH)).toArray();
  }

  /** Puts a hash, and returns false if the filter is full: it may have a limit. */
  public static boolean isTaken(Filter filter, long hash) {
    try {
      filter.put(hash);
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }
}
