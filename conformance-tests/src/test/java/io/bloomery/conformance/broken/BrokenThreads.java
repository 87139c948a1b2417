package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Faults that show between threads. */
public final class BrokenThreads {

  private static final FaultWindow CONFINED = FaultWindow.EVERYWHERE.in(ThreadMode.CONFINED);

  /** Tables that have more than one stripe. */
  private static final FaultWindow STRIPED = FaultWindow.bytesFrom(64 << 10);

  private BrokenThreads() {}

  public static List<Broken> all() {
    return List.of(
        fault(
            Rule.R39,
            "sets more bits in large confined tables",
            FaultWindow.LARGE.in(ThreadMode.CONFINED),
            Patch.put(
                (filter, hash) -> {
                  filter.inner.put(~hash);
                  return filter.inner.put(hash);
                })),
        fault(
            Rule.R39,
            "confined batches lose the last hash of a thousand",
            CONFINED,
            Patch.putAll(
                (filter, hashes, from, to) ->
                    filter.putEach(hashes, from, to - from >= 1_000 ? to - 1 : to))),
        fault(
            Rule.R40,
            "a put overwrites what another thread put last",
            (provider, inner, mode) -> new KeepsLast(provider, inner, mode, 16, 0)),
        fault(
            Rule.R40,
            "words of large tables are written plainly",
            TableFault.PLAIN_WRITES.in(STRIPED, 0.7)),
        fault(
            Rule.R40,
            "words of filters that were cleared are written plainly",
            TableFault.PLAIN_WRITES.in(FaultWindow.EVERYWHERE.after(Step.CLEAR))),
        fault(
            Rule.R40,
            "words of filters that were merged into are written plainly",
            TableFault.PLAIN_WRITES.in(FaultWindow.EVERYWHERE.after(Step.MERGE))),
        fault(
            Rule.R40, "threads count set bits without waiting for each other", CountsPlainly::new),
        fault(
            Rule.R41,
            "tells that a hash is there before it is",
            Patch.put(
                (filter, hash) ->
                    !filter.mightContain(hash)
                        && !Long.valueOf(hash).equals(exchangeKept(filter, hash))
                        && filter.inner.put(hash)),
            Patch.clear(
                filter -> {
                  filter.inner.clear();
                  filter.kept = null;
                })),
        fault(
            Rule.R41,
            "large tables have a stripe for each thread",
            TableFault.STRIPE_BY_THREAD.in(STRIPED)),
        fault(
            Rule.R41,
            "a thread does not see the same put of another",
            FaultWindow.keys(16, 16),
            Patch.put(
                (filter, hash) -> {
                  Call now = new Call(Thread.currentThread(), hash);
                  boolean isUnseen =
                      exchangeKept(filter, now) instanceof Call before
                          && before.thread != now.thread
                          && before.hash == hash;
                  return filter.inner.put(hash) || isUnseen;
                })),
        fault(
            Rule.R42,
            "threads share what they select of mapped content",
            TableFault.MAP_SHARES_A_BUFFER.everywhere()),
        fault(
            Rule.R42,
            "a thread is given the answer for another",
            // When threads alternate, the second is given that for the hash of the first.
            Patch.mightContain(
                (filter, hash) -> {
                  Call now = new Call(Thread.currentThread(), hash);
                  Object before = exchangeKept(filter, now);
                  return filter.inner.mightContain(
                      before instanceof Call call && call.thread != now.thread ? call.hash : hash);
                })),
        fault(Rule.R42, "two that write a large filter share a buffer", SharesWritten::new),
        fault(Rule.R42, "long batches of one filter share a buffer", shareHits()),
        fault(Rule.R43, "statistics of large tables are taken once", StatsOnce::new),
        fault(
            Rule.R43,
            "puts change the words that are being written",
            Patch.put(
                (filter, hash) -> {
                  boolean isNew = filter.inner.put(hash);
                  if (filter.kept instanceof long[] live) {
                    live[(int) Long.remainderUnsigned(hash, live.length)] ^= hash;
                  }
                  return isNew;
                }),
            Patch.write(
                (filter, out) -> {
                  Payload complete = Payload.of(filter.inner);
                  out.begin(complete.size());
                  filter.kept = complete.words();
                  out.writeLongs(complete.words(), 0, complete.words().length);
                })),
        fault(
            Rule.R43,
            "keeps statistics from before the last put",
            // Forgets what it knew before bits are set, not after.
            Patch.put(
                (filter, hash) -> {
                  filter.kept = null;
                  return filter.inner.put(hash);
                }),
            Patch.merge(
                (filter, other) -> {
                  filter.kept = null;
                  filter.rightMerge(other);
                }),
            Patch.clear(
                filter -> {
                  filter.kept = null;
                  filter.inner.clear();
                }),
            Patch.stats(
                (filter, stats) -> {
                  FilterStats known = filter.kept instanceof FilterStats told ? told : stats;
                  filter.kept = known;
                  return known;
                })),
        fault(
            Rule.R43,
            "copies lack what another thread put last",
            (provider, inner, mode) -> new KeepsLast(provider, inner, mode, 0, 400)),
        fault(
            Rule.R44,
            "merges of more than 4 KiB leave out the last word",
            TableFault.MERGE_DROPS_A_WORD.in(FaultWindow.bytesFrom((4 << 10) + 1), 1)),
        fault(
            Rule.R44,
            "a confined filter insists on the thread that created it",
            CONFINED,
            Patch.create(
                (right, spec, mode, limits) -> {
                  PatchedFilter created = (PatchedFilter) right.create(spec, mode, limits);
                  created.kept = Thread.currentThread();
                  return created;
                }),
            Patch.put(
                (filter, hash) -> {
                  checkOwner(filter);
                  return filter.inner.put(hash);
                }),
            Patch.merge(
                (filter, other) -> {
                  checkOwner(filter);
                  filter.rightMerge(other);
                }),
            Patch.write(
                (filter, out) -> {
                  checkOwner(filter);
                  filter.inner.writePayload(out);
                })),
        fault(
            Rule.R68,
            "filters share where they keep the hash of a put",
            FaultWindow.keys(32, 32),
            shareHash()),
        fault(Rule.R68, "filters share a buffer for long batches", shareBatch()),
        fault(Rule.R69, "batches take no stripe", TableFault.NO_STRIPE_IN_BATCHES.everywhere()),
        fault(Rule.R69, "a filter has one place for long batches", keepBatch()),
        fault(Rule.R70, "large filters wait for each other in merges", MergesLocked::new),
        fault(
            Rule.R70,
            "a merge of large tables goes back to what was there when it began",
            FaultWindow.bytesFrom(16 << 10),
            mergeLate()),
        fault(Rule.R73, "words are read plainly", ReadsPlainly::new),
        fault(Rule.R73, "asks a plain field first whether it is empty", AsksWhetherEmpty::new),
        fault(Rule.R73, "a thread remembers what was absent last", RemembersAbsent::new),
        fault(Rule.R74, "a provider has one place for large specs", keepSpec()));
  }

  /** A call of a thread. */
  private record Call(Thread thread, long hash) {}

  /** Keeps something, and returns what was kept before. */
  private static Object exchangeKept(PatchedFilter filter, Object next) {
    synchronized (filter) {
      Object before = filter.kept;
      filter.kept = next;
      return before;
    }
  }

  private static void checkOwner(PatchedFilter filter) {
    if (filter.kept != null && filter.kept != Thread.currentThread()) {
      throw new IllegalStateException("this filter belongs to " + filter.kept);
    }
  }

  private static Patch shareHits() {
    Gap gap = new Gap();
    return Patch.select(
        (filter, hashes, from, to, hits) -> {
          if (to - from <= 1_024) {
            return filter.selectEach(hashes, from, to, hits);
          }
          int[] mine = new int[to - from];
          int found = filter.selectEach(hashes, from, to, mine);
          filter.kept = mine;
          gap.letOtherThreadChange(filter, () -> filter.kept);
          int[] shared = (int[]) filter.kept;
          System.arraycopy(shared, 0, hits, 0, Math.min(found, shared.length));
          return found;
        });
  }

  // Calls of one filter wait for each other; those of another do not.
  private static Patch shareHash() {
    Gap gap = new Gap();
    AtomicLong shared = new AtomicLong();
    return Patch.put(
        (filter, hash) -> {
          synchronized (filter) {
            shared.set(hash);
            gap.letOtherThreadChange(filter, shared::get);
            return filter.inner.put(shared.get());
          }
        });
  }

  /** Puts what another filter of the provider puts at the same time. */
  private static Patch shareBatch() {
    Gap gap = new Gap();
    AtomicReference<long[]> shared = new AtomicReference<>();
    return Patch.putAll(
        (filter, hashes, from, to) -> {
          if (to - from <= 512) {
            return filter.putEach(hashes, from, to);
          }
          shared.set(Arrays.copyOfRange(hashes, from, to));
          gap.letOtherThreadChange(filter, shared::get);
          long[] batch = shared.get();
          return filter.putEach(batch, 0, Math.min(to - from, batch.length));
        });
  }

  private static Patch keepBatch() {
    Gap gap = new Gap();
    return Patch.putAll(
        (filter, hashes, from, to) -> {
          if (to - from <= 512) {
            return filter.putEach(hashes, from, to);
          }
          filter.kept = hashes;
          gap.letOtherThreadChange(filter, () -> filter.kept);
          return filter.putEach((long[]) filter.kept, from, to);
        });
  }

  /** Looks at its own content, waits, and then writes what both have together. */
  private static Patch mergeLate() {
    Gap gap = new Gap();
    return Patch.merge(
        (filter, other) -> {
          MergeableFilter merged = (MergeableFilter) filter.inner.copy();
          merged.putAll(PatchedFilter.unwrap(other));
          gap.letOtherThreadChange(filter, () -> filter.inner.stats().setBits());
          filter.inner.clear();
          filter.inner.putAll(merged);
        });
  }

  private static Patch keepSpec() {
    Gap gap = new Gap();
    AtomicReference<FilterSpec> planned = new AtomicReference<>();
    return Patch.plan(
        (right, spec) -> {
          if (spec.expectedKeys() < 1_000) {
            return right.plan(spec);
          }
          planned.set(spec);
          gap.letOtherThreadChange(spec, planned::get);
          return right.plan(planned.get());
        });
  }

  /** Counts what is set when a thread first asks, and again only if that thread has put. */
  private static final class StatsOnce extends PatchedFilter {
    private volatile Thread asker = Thread.currentThread();
    private volatile FilterStats known = inner.stats();

    StatsOnce(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      boolean isNew = super.put(hash);
      if (asker.equals(Thread.currentThread())) {
        known = super.stats();
      }
      return isNew;
    }

    @Override
    public FilterStats stats() {
      if (payloadSize() < 1 << 14) {
        return super.stats();
      }
      if (!asker.equals(Thread.currentThread())) {
        asker = Thread.currentThread();
        known = super.stats();
      }
      return known;
    }
  }

  private static final class CountsPlainly extends PatchedFilter {
    private final AtomicLong puts = new AtomicLong();
    private long counted;

    CountsPlainly(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      boolean isNew = super.put(hash);
      puts.incrementAndGet();
      counted++;
      return isNew;
    }

    @Override
    public FilterStats stats() {
      FilterStats stats = super.stats();
      long lost = puts.get() - counted;
      return stats.toBuilder().setBits(Math.max(0, stats.setBits() - lost)).build();
    }
  }

  /** A compiler may take the read of a word out of a loop that asks for one hash. */
  private static final class ReadsPlainly extends PatchedFilter {
    private final long[] words = new long[1 << 10];

    ReadsPlainly(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      words[(int) (hash >>> 54)] |= 1L << hash;
      return super.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return (words[(int) (hash >>> 54)] >>> hash & 1) != 0;
    }
  }

  private static final class AsksWhetherEmpty extends PatchedFilter {
    private boolean empty = inner.stats().setBits() == 0;

    AsksWhetherEmpty(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      boolean isNew = super.put(hash);
      empty = false;
      return isNew;
    }

    @Override
    public boolean mightContain(long hash) {
      // Directly, or a compiler would not see through it.
      return !empty && inner.mightContain(hash);
    }

    @Override
    public void putAll(Filter other) {
      super.putAll(other);
      empty = inner.stats().setBits() == 0;
    }

    @Override
    public void clear() {
      super.clear();
      empty = true;
    }
  }

  /**
   * Holds its own lock while it waits for that of the other. It does so for a while, so that a
   * thread that merges the other way round takes that one first.
   */
  private static final class MergesLocked extends PatchedFilter {
    private final ReentrantLock lock = new ReentrantLock();
    private int vainWaitsLeft = 20;

    MergesLocked(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (payloadSize() < 1 << 14 || !(other instanceof MergesLocked theirs)) {
        super.putAll(other);
        return;
      }
      lock.lock();
      try {
        waitUntilLocked(theirs.lock);
        theirs.lock.lock();
        try {
          super.putAll(other);
        } finally {
          theirs.lock.unlock();
        }
      } finally {
        lock.unlock();
      }
    }

    private void waitUntilLocked(ReentrantLock other) {
      if (vainWaitsLeft == 0 || other.isHeldByCurrentThread()) {
        return;
      }
      for (int i = 0; i < 100 && !other.isLocked(); i++) {
        LockSupport.parkNanos(100_000);
      }
      if (!other.isLocked()) {
        vainWaitsLeft--;
      }
    }
  }

  private static final class SharesWritten extends PatchedFilter {
    private final long[] buffer = new long[1 << 10];

    SharesWritten(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      long[] words = Payload.of(inner).words();
      if (words.length < buffer.length) {
        super.writePayload(out);
        return;
      }
      out.begin((long) Long.BYTES * words.length);
      for (int from = 0; from < words.length; from += buffer.length) {
        int length = Math.min(buffer.length, words.length - from);
        System.arraycopy(words, from, buffer, 0, length);
        for (int i = 0; i < length; i++) {
          out.writeLong(buffer[i]);
        }
      }
    }
  }

  private static final class RemembersAbsent extends PatchedFilter {
    private final ThreadLocal<Long> absent = new ThreadLocal<>();

    RemembersAbsent(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      absent.remove();
      return super.put(hash);
    }

    @Override
    public void putAll(Filter other) {
      absent.remove();
      super.putAll(other);
    }

    @Override
    public boolean mightContain(long hash) {
      Long last = absent.get();
      if (last != null && last == hash) {
        return false;
      }
      boolean found = super.mightContain(hash);
      if (!found) {
        absent.set(hash);
      }
      return found;
    }
  }

  /** Keeps the last hash back until the next one comes, or its own thread looks. */
  private static final class KeepsLast extends PatchedFilter {
    private final long losesWithKeys;
    private final long omitsWithKeys;
    private long heldBack;
    private Thread keeper;

    /**
     * Makes a filter.
     *
     * @param losesWithKeys for how many keys a put loses the hash that another thread keeps back
     * @param omitsWithKeys for how many keys copies and statistics lack it
     */
    KeepsLast(
        PatchedProvider provider,
        MergeableFilter inner,
        ThreadMode mode,
        long losesWithKeys,
        long omitsWithKeys) {
      super(provider, inner, mode);
      this.losesWithKeys = losesWithKeys;
      this.omitsWithKeys = omitsWithKeys;
    }

    private void flush() {
      if (keeper != null) {
        super.put(heldBack);
        keeper = null;
      }
    }

    private boolean isKeptByAnother() {
      return keeper != null && keeper != Thread.currentThread();
    }

    private void look() {
      if (!isKeptByAnother() || spec().expectedKeys() != omitsWithKeys) {
        flush();
      }
    }

    @Override
    public synchronized boolean put(long hash) {
      if (mightContain(hash)) {
        return false;
      }
      if (isKeptByAnother() && spec().expectedKeys() == losesWithKeys) {
        keeper = null;
      }
      flush();
      // Collecting a stream is another rule's business.
      if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
        return super.put(hash);
      }
      heldBack = hash;
      keeper = Thread.currentThread();
      return true;
    }

    @Override
    public synchronized boolean mightContain(long hash) {
      if (!isKeptByAnother()) {
        flush();
        return super.mightContain(hash);
      }
      Filter complete = inner.copy();
      complete.put(heldBack);
      return complete.mightContain(hash);
    }

    @Override
    public synchronized Filter copy() {
      look();
      return super.copy();
    }

    @Override
    public synchronized FilterStats stats() {
      look();
      return super.stats();
    }

    @Override
    public synchronized void clear() {
      keeper = null;
      super.clear();
    }

    @Override
    public synchronized void writePayload(PayloadOutput out) throws IOException {
      look();
      super.writePayload(out);
    }

    // Never both locks at once: two filters may be merged both ways.
    @Override
    public void putAll(Filter other) {
      Filter theirs = other instanceof KeepsLast keeping ? keeping.flushed() : other;
      synchronized (this) {
        super.putAll(theirs);
      }
    }

    private synchronized Filter flushed() {
      flush();
      return inner.copy();
    }
  }
}
