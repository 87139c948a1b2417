package io.bloomery.conformance;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what is called of the filters of another provider, each call of which would be a round
 * trip if they were elsewhere.
 */
final class CountedProvider implements FilterProvider {

  private static final Set<String> BATCHED = Set.of("putAll", "select", "removeAll");

  private final FilterProvider inner;
  private final LongAdder singly = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder batched = new LongAdder();
  private final LongAdder made = new LongAdder();
  private final LongAdder others = new LongAdder();

  CountedProvider(FilterProvider inner) {
    this.inner = inner;
  }

  /**
   * How often something was called.
   *
   * @param singly calls with one hash
   * @param batches calls with an array of hashes
   * @param batched hashes in these
   * @param made filters created, copied or read
   * @param others all other calls that look at content, such as for statistics
   */
  record Calls(long singly, long batches, long batched, long made, long others) {

    long all() {
      return singly + batches + made + others;
    }

    Calls since(Calls before) {
      return new Calls(
          singly - before.singly,
          batches - before.batches,
          batched - before.batched,
          made - before.made,
          others - before.others);
    }
  }

  Calls calls() {
    return new Calls(singly.sum(), batches.sum(), batched.sum(), made.sum(), others.sum());
  }

  @Override
  public String variant() {
    return inner.variant();
  }

  @Override
  public Class<? extends Filter> filterType() {
    return counted(inner.create(FilterSpec.of(1, 0.5), ThreadMode.SHARED)).getClass();
  }

  @Override
  public FilterPlan plan(FilterSpec spec) {
    return inner.plan(spec);
  }

  @Override
  public Optional<long[]> positions(long hash, long bits, int probes) {
    return inner.positions(hash, bits, probes);
  }

  @Override
  public OptionalLong unionBits(FilterLayout layout, long payloadSize) {
    return inner.unionBits(layout, payloadSize);
  }

  @Override
  public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
    Filter created = inner.create(spec, mode, limits);
    made.increment();
    return counted(created);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Filter read = inner.read(spec, layout, in, mode, limits);
    made.increment();
    return counted(read);
  }

  private Filter counted(Filter filter) {
    List<Class<?>> types = new ArrayList<>(List.of(Filter.class));
    if (filter instanceof MergeableFilter) {
      types.add(MergeableFilter.class);
    }
    if (filter instanceof RemovableFilter) {
      types.add(RemovableFilter.class);
    }
    return (Filter)
        Proxy.newProxyInstance(
            Filter.class.getClassLoader(), types.toArray(Class<?>[]::new), new Calling(filter));
  }

  private static Object unwrapped(Object argument) {
    return argument instanceof Filter filter
            && Proxy.isProxyClass(filter.getClass())
            && Proxy.getInvocationHandler(filter) instanceof Calling calling
        ? calling.filter
        : argument;
  }

  /** Counts a call, and makes it. */
  private final class Calling implements InvocationHandler {
    private final Filter filter;

    Calling(Filter filter) {
      this.filter = filter;
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
      switch (method.getName()) {
        case "equals" -> {
          return proxy == arguments[0];
        }
        case "hashCode" -> {
          return System.identityHashCode(proxy);
        }
        case "put", "mightContain", "remove", "approximateCount" -> singly.increment();
        case "stats", "description", "clear", "writePayload" -> others.increment();
        default -> {
          // Of what it was made with.
        }
      }
      if (arguments != null && arguments.length == 1) {
        arguments[0] = unwrapped(arguments[0]);
      }
      try {
        Object answer = method.invoke(filter, arguments);
        if (BATCHED.contains(method.getName())) {
          countBatch(arguments);
        }
        if (answer instanceof Filter derived) { // a copy, for example
          made.increment();
          return counted(derived);
        }
        return answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    private void countBatch(Object[] arguments) {
      if (arguments.length == 1) {
        others.increment();
      } else {
        batches.increment();
        batched.add(Math.max(0L, (long) (int) arguments[2] - (int) arguments[1]));
      }
    }
  }
}
