package io.bloomery.benchmarks.contender;

import io.bloomery.benchmarks.paired.Action;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.util.EnumSet;
import java.util.Set;
import org.fastfilter.Filter;
import org.fastfilter.bloom.BlockedBloom;
import org.fastfilter.bloom.Bloom;
import org.fastfilter.bloom.count.CountingBloom;
import org.fastfilter.bloom.count.SuccinctCountingBlockedBloom;

/** A filter of fastfilter: {@code Bloom}, {@code BlockedBloom} and so on. */
final class FastFilterLongs extends LongContender {

  // The size that its blocked filters need for 1 %.
  private static final int BITS_PER_KEY_BLOCKED = 11;
  private static final int PROBES_BLOCKED = 6;

  private final String type;
  private Filter filter;

  FastFilterLongs(String type) {
    this.type = type;
  }

  // The constructors are only accessible through methods that require all keys at once.
  @Override
  public void create(long keys, double rate) {
    int n = Math.toIntExact(keys);
    double bits = Textbook.bitsPerKey(rate);
    int probes = Textbook.probes(rate);
    filter =
        switch (type) {
          case "Bloom" -> make(Bloom.class, n, bits, probes);
          case "BlockedBloom" -> make(BlockedBloom.class, n, BITS_PER_KEY_BLOCKED);
          case "CountingBloom" -> make(CountingBloom.class, n, bits, probes);
          case "SuccinctCountingBlockedBloom" ->
              make(SuccinctCountingBlockedBloom.class, n, BITS_PER_KEY_BLOCKED, PROBES_BLOCKED);
          default -> throw new IllegalArgumentException("no filter of fastfilter: " + type);
        };
  }

  private static Filter make(Class<? extends Filter> type, Object... arguments) {
    for (Constructor<?> constructor : type.getDeclaredConstructors()) {
      if (constructor.getParameterCount() == arguments.length) {
        constructor.setAccessible(true);
        try {
          return (Filter) constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
          throw new IllegalArgumentException("it refuses: " + e.getCause(), e);
        } catch (ReflectiveOperationException e) {
          throw new IllegalStateException("the constructor must be there", e);
        }
      }
    }
    throw new IllegalStateException("no such constructor in " + type);
  }

  @Override
  boolean put(long key) {
    filter.add(key);
    return false;
  }

  @Override
  boolean mightContain(long key) {
    return filter.mayContain(key);
  }

  @Override
  void remove(long key) {
    filter.remove(key);
  }

  @Override
  public Set<Action> actions() {
    return filter.supportsRemove() ? EnumSet.allOf(Action.class) : super.actions();
  }

  @Override
  public long sizeInBits() {
    return filter.getBitCount();
  }
}
