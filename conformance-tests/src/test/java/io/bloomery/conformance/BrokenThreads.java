package io.bloomery.conformance;

import static io.bloomery.conformance.Broken.atLeast;
import static io.bloomery.conformance.Broken.only;

import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.MergeableFilter;
import io.bloomery.PayloadOutput;
import io.bloomery.ThreadMode;
import io.bloomery.spi.BitTable;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** Faults that show between threads. */
final class BrokenThreads {

  private BrokenThreads() {}

  static List<Broken> all() {
    return List.of(
        only(Rule.R39, "sets more bits in large confined tables", new ConfinedSetsMore()),
        only(Rule.R40, "different hashes overwrite each other's bits", new Overwriting()),
        atLeast(Rule.R40, "puts are not atomic at all", new NotAtomic()),
        only(Rule.R41, "two equal puts both see a change", new BothFirst()),
        only(Rule.R42, "readers share a field", SharedScratch::new),
        only(Rule.R43, "copies lack what another thread put last", BuffersLast::new),
        only(Rule.R44, "a confined filter insists on the thread that created it", Owned::new));
  }

  /**
   * Once there is a race, holds either thread back until the other has changed something, so that a
   * fault shows however busy the machine is.
   */
  private static final class Gap {
    private volatile boolean raced;
    private int vainWaitsLeft = 300;
    private Object waitedInVainFor;

    /** Notes who uses the filter. */
    void notice() {
      if (Thread.currentThread().getName().equals(Race.SECOND_THREAD)) {
        raced = true;
      }
    }

    /** Waits at most once in vain for each subject, since the other thread may be done with it. */
    <T> void letOtherThreadChange(Object subject, Supplier<T> state) {
      notice();
      if (!raced || vainWaitsLeft == 0 || subject.equals(waitedInVainFor)) {
        return;
      }
      T before = state.get();
      for (int i = 0; i < 50; i++) {
        LockSupport.parkNanos(100_000);
        if (!state.get().equals(before)) {
          return;
        }
      }
      waitedInVainFor = subject;
      vainWaitsLeft--;
    }
  }

  private static final class ConfinedSetsMore extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode) {
      PatchedFilter filter = (PatchedFilter) super.create(spec, mode);
      if (mode == ThreadMode.SHARED || !filter.large()) {
        return filter;
      }
      return new PatchedFilter(this, filter.inner, mode) {
        @Override
        public boolean put(long hash) {
          inner.put(~hash);
          return super.put(hash);
        }
      };
    }
  }

  private static class NotAtomic extends ReferenceProvider {
    private final Gap gap = new Gap();

    @Override
    boolean set(BitTable table, long hash, int probes) {
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        long bit = position(hash, i, table.sizeInBits());
        int index = (int) (bit >>> 6);
        long word = table.words()[index];
        gap.letOtherThreadChange(table, table::countSetBits);
        table.words()[index] = word | 1L << bit;
        changed |= (word >>> bit & 1) == 0;
      }
      return changed;
    }
  }

  /** Equal hashes take turns, and so do the puts into tables of more than 40 words. */
  private static final class Overwriting extends NotAtomic {
    private final Object[] locks = new Object[1 << 10];

    Overwriting() {
      for (int i = 0; i < locks.length; i++) {
        locks[i] = new Object();
      }
    }

    @Override
    boolean set(BitTable table, long hash, int probes) {
      int lock = table.words().length > 40 ? 0 : (int) hash & (locks.length - 1);
      synchronized (locks[lock]) {
        return super.set(table, hash, probes);
      }
    }
  }

  private static final class BothFirst extends ReferenceProvider {
    private final Gap gap = new Gap();

    @Override
    long position(long hash, int i, long bits) {
      gap.notice();
      return super.position(hash, i, bits);
    }

    @Override
    boolean set(BitTable table, long hash, int probes) {
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        if (table.set(position(hash, i, table.sizeInBits()))) {
          changed = true;
          // Two words are the table of racing equal puts: other races must not use up the waits.
          if (table.words().length == 2) {
            gap.letOtherThreadChange(hash, table::countSetBits);
          }
        }
      }
      return changed;
    }
  }

  private static final class SharedScratch extends PatchedFilter {
    private final Gap gap = new Gap();
    private volatile long asked;

    SharedScratch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean mightContain(long hash) {
      asked = hash;
      gap.letOtherThreadChange(hash, () -> asked);
      return super.mightContain(asked);
    }
  }

  /** Keeps the last hash back until the next one comes, or its own thread looks. */
  private static final class BuffersLast extends PatchedFilter {
    private long kept;
    private Thread keeper;

    BuffersLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private void flush() {
      if (keeper != null) {
        super.put(kept);
        keeper = null;
      }
    }

    private void flushOwn() {
      if (keeper == Thread.currentThread()) {
        flush();
      }
    }

    @Override
    public synchronized boolean put(long hash) {
      flush();
      if (Thread.currentThread() instanceof ForkJoinWorkerThread || super.mightContain(hash)) {
        return super.put(hash);
      }
      kept = hash;
      keeper = Thread.currentThread();
      return true;
    }

    @Override
    public synchronized boolean mightContain(long hash) {
      return super.mightContain(hash) || (keeper != null && kept == hash);
    }

    @Override
    public synchronized Filter copy() {
      flushOwn();
      return super.copy();
    }

    @Override
    public synchronized FilterStats stats() {
      flushOwn();
      return super.stats();
    }

    @Override
    public synchronized void clear() {
      keeper = null;
      super.clear();
    }

    @Override
    public synchronized void writePayload(PayloadOutput out) throws IOException {
      flushOwn();
      super.writePayload(out);
    }

    @Override
    public synchronized void putAll(Filter other) {
      if (other instanceof BuffersLast buffering) {
        buffering.flushOwn();
      }
      super.putAll(other);
    }
  }

  private static final class Owned extends PatchedFilter {
    private final Thread owner = Thread.currentThread();

    Owned(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    private void check() {
      if (mode == ThreadMode.CONFINED && owner != Thread.currentThread()) {
        throw new IllegalStateException("this filter belongs to " + owner);
      }
    }

    @Override
    public boolean put(long hash) {
      check();
      return super.put(hash);
    }

    @Override
    public void putAll(Filter other) {
      check();
      super.putAll(other);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      check();
      super.writePayload(out);
    }
  }
}
