package io.bloomery.benchmarks.paired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.bloomery.Bloomery;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.function.LongPredicate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Puts and queries of long keys allocate nothing, as docs/performance.md says. */
class AllocationTest {

  private static final int KEYS = 100_000;
  private static final int TIMES = 20;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  static Collection<FilterProvider> providers() {
    return Bloomery.installed().providers().all();
  }

  @ParameterizedTest
  @MethodSource("providers")
  void putsAndQueriesAllocateNothing(FilterProvider provider) {
    LongKeyHasher hasher = KeyHasher.longs();
    long puts = Long.MAX_VALUE;
    long queries = Long.MAX_VALUE;
    // What links and compiles the code allocates, now and then; a call that does, does each time.
    for (int time = 0; time < TIMES && (time == 0 || queries + puts > 0); time++) {
      Filter filter = provider.create(FilterSpec.of(KEYS, 0.01), ThreadMode.SHARED);
      puts = Math.min(puts, allocated(key -> filter.put(hasher.hash(key)), 0));
      queries =
          Math.min(queries, allocated(key -> filter.mightContain(hasher.hash(key)), KEYS / 2));
    }
    assertEquals(0, queries);
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) { // whose counts grow
      assertEquals(0, puts);
    }
  }

  private static long allocated(LongPredicate call, long from) {
    int answered = 0;
    long before = THREADS.getCurrentThreadAllocatedBytes();
    for (long key = from; key < from + KEYS; key++) {
      answered += call.test(key) ? 1 : 0;
    }
    long bytes = THREADS.getCurrentThreadAllocatedBytes() - before;
    assertTrue(answered > 0, "answered " + answered);
    return bytes;
  }
}
