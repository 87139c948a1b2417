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

  /** The calls that look at content or change it. */
  private static final Set<String> COUNTED =
      Set.of(
          "put",
          "mightContain",
          "remove",
          "approximateCount",
          "putAll",
          "select",
          "removeAll",
          "stats",
          "description",
          "clear",
          "writePayload");

  private final FilterProvider inner;
  private final LongAdder calls = new LongAdder();

  CountedProvider(FilterProvider inner) {
    this.inner = inner;
  }

  /** Returns the number of calls, and of filters that were made. */
  long calls() {
    return calls.sum();
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
    calls.increment();
    return counted(created);
  }

  @Override
  public Filter read(
      FilterSpec spec, FilterLayout layout, PayloadInput in, ThreadMode mode, FilterLimits limits)
      throws IOException {
    Filter read = inner.read(spec, layout, in, mode, limits);
    calls.increment();
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
        default -> {
          if (COUNTED.contains(method.getName())) {
            calls.increment();
          }
        }
      }
      if (arguments != null && arguments.length == 1) {
        arguments[0] = unwrapped(arguments[0]);
      }
      try {
        Object answer = method.invoke(filter, arguments);
        if (answer instanceof Filter derived) { // a copy, for example
          calls.increment();
          return counted(derived);
        }
        return answer;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
