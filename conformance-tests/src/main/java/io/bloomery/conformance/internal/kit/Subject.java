package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.cases.Offer;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.StaticFilterProvider;
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

/** The provider under test, and operations on it that many rules use. */
public final class Subject {

  /**
   * The number of keys up to which every variant must offer filters, at {@link #ALWAYS_RATE} or
   * above.
   */
  public static final long ALWAYS_KEYS = 1_000_000;

  /** The number of words in a segment of mapped content. */
  public static final int SEGMENT = 1 << 10;

  /** The rate from which on every variant must offer filters, for up to {@link #ALWAYS_KEYS}. */
  public static final double ALWAYS_RATE = 1e-3;

  /** The number of hashes in a batch that replaces as many calls. */
  private static final int BATCH = 1_000;

  /** The number of hashes of a filter that are put by single calls if calls are slow. */
  private static final int SINGLY = 100;

  /** The most bytes that are reserved before a filter is written. */
  private static final long MAX_ROOM = 1 << 25;

  private static final int ROOM_FOR_HEADER = 1 << 10;

  private final FilterProvider provider;

  // The plans for offers, or empty if rejected: rules draw from the same edges, and planning
  // counters takes longer than filling a small filter.
  private final Map<FilterSpec, Optional<FilterPlan>> planned = new ConcurrentHashMap<>();

  private final boolean isSlow;

  public Subject(FilterProvider provider) {
    this(provider, false);
  }

  /**
   * Wraps a provider.
   *
   * @param isSlow whether calls of its filters are slow, so that most hashes are passed in batches
   */
  public Subject(FilterProvider provider, boolean isSlow) {
    this.provider = provider;
    this.isSlow = isSlow || !takesPuts();
  }

  public FilterProvider provider() {
    return provider;
  }

  /** Returns whether its filters take puts, and are not built once from all their hashes. */
  public boolean takesPuts() {
    return builder().isEmpty();
  }

  /** Returns the provider that builds the filters, or empty if they take puts. */
  public Optional<StaticFilterProvider> builder() {
    return BuiltOnDemand.tested(provider) instanceof StaticFilterProvider building
        ? Optional.of(building)
        : Optional.empty();
  }

  public Filter create(long keys, double rate) {
    return create(keys, rate, ThreadMode.SHARED);
  }

  public Filter create(long keys, double rate, ThreadMode mode) {
    return provider.create(FilterSpec.of(keys, rate), mode);
  }

  /**
   * Returns a mode drawn from a hash. What is not about threads holds in both; in loops over many
   * keys, atomic puts would take most of the time.
   */
  public static ThreadMode drawnMode(Hashes hashes) {
    return modeOf((int) hashes.next());
  }

  /** Returns one mode for even numbers and the other for odd numbers. */
  public static ThreadMode modeOf(int number) {
    return (number & 1) == 0 ? ThreadMode.SHARED : ThreadMode.CONFINED;
  }

  /** Checks that another filter can be created like one, after others were refused. */
  public void checkCreates(Filter like) {
    Filter created = provider.create(like.spec(), ThreadMode.CONFINED);
    assertEquals(like.layout(), created.layout(), "layout of what is created after a refusal");
    assertEquals(like.spec(), created.spec(), "spec of what is created after a refusal");
    assertEquals(FilterLimits.HEAP, created.limits(), "limits of what is created after a refusal");
    assertEquals(0, created.stats().setBits(), "bits set in what is created after a refusal");
  }

  public FilterPlan plan(long keys, double rate) {
    return provider.plan(FilterSpec.of(keys, rate));
  }

  /**
   * Plans a filter, or returns empty if the variant rejects a filter of this size or rate, as it
   * may.
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

  /** Plans a filter, or returns empty if the variant rejects it, whether or not it may. */
  private Optional<FilterPlan> planIfAccepted(long keys, double rate) {
    FilterSpec spec;
    try {
      spec = FilterSpec.of(keys, rate);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    Optional<FilterPlan> known = planned.get(spec);
    if (known == null) {
      // Not within a method of the map: a plan that never ends must block only one rule.
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
   * Returns what the provider offers, as far as there is enough memory to try it. Rejecting what
   * every variant must offer is reported by one rule, not by all.
   */
  public Offer offer() {
    // A rule may hold several filters of a case at a time, and their serialised forms.
    return offerUpTo(Runtime.getRuntime().maxMemory() / 32);
  }

  /** Returns what the provider plans, however large, for rules that build nothing. */
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
   * Returns the number of bytes that planning allocates, whether or not the plan is rejected, so
   * that it is not counted as memory of the filter. Calls of StrictMath.pow leave some garbage, and
   * plans of blocks make thousands.
   */
  public long allocatedByPlan(FilterSpec spec) {
    long before = Allocation.byThisThread();
    try {
      provider.plan(spec);
    } catch (IllegalArgumentException e) {
      // A rejected plan has allocated memory as well.
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

  /** Checks the serialised form of a filter without reading it. */
  public void check(Filter written) {
    try {
      provider.check(written.spec(), written.layout(), Payload.of(written).reread());
    } catch (IOException e) {
      throw new AssertionError("check must take what was written by " + text(written), e);
    }
  }

  /** Maps the serialised form of a filter, in segments much smaller than those of a file. */
  public FilterView mapped(Filter written) {
    try {
      long[] words = Payload.of(written).words();
      return provider.map(written.spec(), written.layout(), new MappedWords(words, SEGMENT));
    } catch (IOException e) {
      throw new AssertionError("what was written must be mapped", e);
    }
  }

  /** Reads the serialised form of a filter as if it had been created for another spec. */
  public Filter readAs(FilterSpec spec, Filter written, ThreadMode mode) {
    return readAs(spec, written, mode, FilterLimits.HEAP);
  }

  public Filter readAs(FilterSpec spec, Filter written, ThreadMode mode, FilterLimits limits) {
    return read(spec, written.layout(), Payload.of(written), mode, limits);
  }

  /** Reads the serialised form of a filter; {@code meanwhile} is run as by {@link Payload#of}. */
  public Filter read(Filter written, Runnable meanwhile) {
    return read(
        written.spec(),
        written.layout(),
        Payload.of(written, meanwhile),
        ThreadMode.CONFINED,
        FilterLimits.HEAP);
  }

  private Filter read(
      FilterSpec spec, FilterLayout layout, Payload written, ThreadMode mode, FilterLimits limits) {
    try {
      return provider.read(spec, layout, written.reread(), mode, limits);
    } catch (IOException e) {
      throw new AssertionError("what was written must be read, with " + limits, e);
    }
  }

  public static byte[] write(Filter filter) {
    // Room for all of it, as a buffer that grows is copied over and over; a faulty filter may state
    // any size.
    long room = Math.max(0, Math.min(filter.payloadSize(), MAX_ROOM)) + ROOM_FOR_HEADER;
    ByteArrayOutputStream out = new ByteArrayOutputStream((int) room);
    try {
      FilterFiles.write(filter, out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  /** Puts hashes until there is no room, and returns whether there was room for all. */
  public static boolean put(Filter filter, long... hashes) {
    for (long hash : hashes) {
      if (!isTaken(filter, hash)) {
        return false;
      }
    }
    return true;
  }

  /** Checks that each of some hashes is found by a query of its own. */
  public static void checkFound(Filter filter, long... hashes) {
    for (long hash : hashes) {
      assertTrue(filter.mightContain(hash), () -> "hash " + hash + " is lost in " + text(filter));
    }
  }

  /** Returns the number of hashes that are put or queried one by one instead of in a batch. */
  int singly(int count) {
    return singly(count, SINGLY);
  }

  /** Returns the number of calls to make: all, or at most {@code maxSlow} if they are slow. */
  int singly(int count, int maxSlow) {
    return isSlow ? Math.min(count, maxSlow) : count;
  }

  /**
   * Puts a number of hashes, one by one, or in batches if calls are slow; returns false if there is
   * no room for all.
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

  /** Returns the number of hashes that are found, queried in the same way as {@link #putMany}. */
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

  /** Puts a hash, and returns false if the filter is full, because it may have a limit. */
  public static boolean isTaken(Filter filter, long hash) {
    try {
      filter.put(hash);
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }

  /**
   * Returns an object of the provider as text, even if its toString fails: a message about another
   * fault must not be lost.
   */
  public static String text(Object shown) {
    try {
      return String.valueOf(shown);
    } catch (Throwable e) {
      return shown.getClass().getName() + ", whose toString throws " + e.getClass().getName();
    }
  }
}
