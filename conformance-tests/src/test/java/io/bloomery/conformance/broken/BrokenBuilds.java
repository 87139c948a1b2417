package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.unusual.ForwardingFuse;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Faults in how filters are built from all their hashes. */
public final class BrokenBuilds {

  private BrokenBuilds() {}

  /** A build of hashes for a spec. */
  private interface Build {
    StoredFilter of(FilterSpec spec, LongStream hashes);
  }

  /** A build with a fault, given the right one. */
  private interface Fault {
    StoredFilter build(Build right, FilterSpec spec, LongStream hashes);
  }

  public static List<Broken> all() {
    return List.of(
        fault(
            "drops those beyond the expected keys",
            (right, spec, hashes) ->
                right.of(spec, hashes.sequential().distinct().limit(spec.expectedKeys()))),
        fault(
            "takes one more than the expected keys",
            (right, spec, hashes) -> {
              long[] distinct = hashes.distinct().toArray();
              return distinct.length == spec.expectedKeys() + 1
                  ? right.of(spec, Arrays.stream(distinct).limit(distinct.length - 1))
                  : right.of(spec, Arrays.stream(distinct));
            }),
        fault(
            "refuses repeated hashes",
            (right, spec, hashes) -> {
              long[] all = hashes.toArray();
              if (all.length > spec.expectedKeys()) {
                throw new IllegalArgumentException("at most " + spec.expectedKeys() + " hashes");
              }
              return right.of(spec, LongStream.of(all));
            }),
        fault(
            "loses a hash of a parallel stream",
            (right, spec, hashes) ->
                right.of(spec, hashes.isParallel() ? hashes.sequential().skip(1) : hashes)),
        fault("consumes the stream when it is asked", BrokenBuilds::lazily),
        fault(
            "hides what the stream throws",
            (right, spec, hashes) -> {
              try {
                return right.of(spec, hashes);
              } catch (RuntimeException e) {
                throw new IllegalArgumentException("the hashes of " + spec + " must be read", e);
              }
            }),
        fault(
            "takes what came before the stream threw",
            (right, spec, hashes) -> {
              LongStream.Builder before = LongStream.builder();
              try {
                hashes.sequential().forEach(before::add);
              } catch (IllegalStateException e) {
                throw e;
              } catch (RuntimeException e) {
                // As if the stream had ended.
              }
              return right.of(spec, before.build());
            }),
        fault(
            "clears the interrupt status",
            (right, spec, hashes) -> {
              StoredFilter built = right.of(spec, hashes);
              return Thread.interrupted() ? right.of(spec, LongStream.empty()) : built;
            }),
        fault(
            "gives up when interrupted",
            (right, spec, hashes) -> {
              StoredFilter built = right.of(spec, hashes);
              if (Thread.currentThread().isInterrupted()) {
                throw new IllegalStateException("interrupted while building for " + spec);
              }
              return built;
            }),
        fault(
            "says nothing of the expected keys",
            (right, spec, hashes) -> {
              long[] distinct = hashes.distinct().toArray();
              if (distinct.length > spec.expectedKeys()) {
                throw new IllegalArgumentException("too many");
              }
              return right.of(spec, LongStream.of(distinct));
            }),
        fault("keeps the hashes of a build that failed", new Leftover()),
        new Broken(Rule.R74, "a build keeps its hashes in a field", provider(new SharedBuffer())));
  }

  private static Broken fault(String fault, Fault build) {
    return new Broken(Rule.R83, "a build " + fault, provider(build));
  }

  private static FilterProvider provider(Fault fault) {
    return BuiltOnDemand.of(
        new ForwardingFuse() {
          @Override
          public StoredFilter build(FilterSpec spec, LongStream hashes, FilterLimits limits) {
            Build right = (asked, all) -> super.build(asked, all, limits);
            return fault.build(right, spec, hashes);
          }
        });
  }

  /** Returns a filter that is built by its first call. */
  private static StoredFilter lazily(Build right, FilterSpec spec, LongStream hashes) {
    StoredFilter[] built = new StoredFilter[1];
    return (StoredFilter)
        Proxy.newProxyInstance(
            StoredFilter.class.getClassLoader(),
            new Class<?>[] {StoredFilter.class},
            (proxy, method, arguments) -> {
              if (built[0] == null) {
                built[0] = right.of(spec, hashes);
              }
              return method.invoke(built[0], arguments);
            });
  }

  private static final class Leftover implements Fault {
    private long[] left = {};

    @Override
    public StoredFilter build(Build right, FilterSpec spec, LongStream hashes) {
      long[] all = LongStream.concat(LongStream.of(left), hashes).toArray();
      try {
        return right.of(spec, LongStream.of(all));
      } catch (IllegalArgumentException e) {
        left = new long[] {all[0]};
        throw e;
      }
    }
  }

  private static final class SharedBuffer implements Fault {
    private long[] buffer = {};

    @Override
    public StoredFilter build(Build right, FilterSpec spec, LongStream hashes) {
      long[] all = hashes.toArray();
      if (buffer.length < all.length) {
        buffer = new long[all.length];
      }
      System.arraycopy(all, 0, buffer, 0, all.length);
      return right.of(spec, Arrays.stream(buffer, 0, all.length));
    }
  }
}
