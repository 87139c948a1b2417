package io.bloomery.conformance.broken;

import static io.bloomery.conformance.broken.Broken.fault;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.spi.BitTable;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Faults that show between threads. */
public final class BrokenThreads {

  private BrokenThreads() {}

  public static List<Broken> all() {
    return List.of(
        fault(Rule.R39, "sets more bits in large confined tables", new ConfinedSetsMore()),
        fault(Rule.R40, "a put overwrites what another thread put last", LosesLast::new),
        fault(Rule.R40, "puts are not atomic", new NotAtomic()),
        fault(Rule.R40, "words of large tables are written plainly", new WritesPlainly()),
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
        fault(Rule.R41, "tells that a hash is there before it is", AnnouncesFirst::new),
        fault(
            Rule.R42,
            "threads share what they select of mapped content",
            TableFault.MAP_SHARES_A_BUFFER.everywhere()),
        fault(Rule.R69, "batches take no stripe", TableFault.NO_STRIPE_IN_BATCHES.everywhere()),
        fault(Rule.R41, "large tables have a stripe for each thread", new StripesByThread()),
        fault(Rule.R41, "a thread does not see the same put of another", SeesOwnPut::new),
        fault(Rule.R42, "a thread is given the answer for another", SharesAnswer::new),
        fault(Rule.R39, "confined batches lose the last hash of a thousand", new LosesOfBatch()),
        fault(Rule.R42, "two that write a large filter share a buffer", SharesWritten::new),
        fault(Rule.R42, "long batches of one filter share a buffer", SharesHits::new),
        fault(Rule.R43, "statistics of large tables are taken once", StatsOnce::new),
        fault(Rule.R44, "merges of more than 4 KiB leave out the last word", LosesWord::new),
        fault(Rule.R73, "words are read plainly", ReadsPlainly::new),
        fault(Rule.R73, "asks a plain field first whether it is empty", AsksWhetherEmpty::new),
        fault(Rule.R43, "puts change the words that are being written", WritesLive::new),
        fault(Rule.R43, "keeps statistics from before the last put", KeepsStats::new),
        fault(Rule.R43, "copies lack what another thread put last", CopiesWithoutLast::new),
        fault(Rule.R68, "filters share where they keep the hash of a put", SharesScratch::new),
        fault(Rule.R69, "a filter has one place for the batch it puts", KeepsOneBatch::new),
        fault(Rule.R68, "filters share a buffer for long batches", SharesBatch::new),
        fault(Rule.R69, "a filter has one place for long batches", KeepsLongBatch::new),
        fault(Rule.R70, "large filters wait for each other in merges", MergesLocked::new),
        fault(Rule.R70, "a merge of large tables goes back", MergesLargeLate::new),
        fault(Rule.R74, "a provider has one place for large specs", new KeepsLargeSpec()),
        fault(Rule.R70, "a merge goes back to what was there when it began", MergesLate::new),
        fault(Rule.R74, "a provider has one place for the spec it plans", new KeepsSpec()),
        fault(Rule.R73, "a thread remembers what was absent last", RemembersAbsent::new),
        fault(Rule.R44, "a confined filter insists on the thread that created it", Owned::new));
  }

  private static final class ConfinedSetsMore extends PatchedProvider {
    @Override
    public Filter create(FilterSpec spec, ThreadMode mode, FilterLimits limits) {
      PatchedFilter filter = (PatchedFilter) super.create(spec, mode, limits);
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

  /**
   * Reads a word, changes it and writes it back. Once two threads use it they meet between reading
   * and writing, so that the fault shows however busy the machine is.
   */
  private static final class NotAtomic extends ReferenceProvider {
    private final Exchanger<Object> meeting = new Exchanger<>();
    private volatile BitTable racedFor;
    private volatile boolean raced;

    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      boolean changed = false;
      for (int i = 0; i < probes; i++) {
        long bit = position(hash, i, table.sizeInBits());
        int index = (int) (bit >>> 6);
        long word = table.sharedWords()[index];
        letOtherThreadRead(table);
        table.sharedWords()[index] = word | 1L << bit;
        changed |= (word >>> bit & 1) == 0;
      }
      return changed;
    }

    private void letOtherThreadRead(BitTable table) {
      if (table != racedFor && Thread.currentThread().getName().equals(Race.SECOND_THREAD)) {
        racedFor = table;
        raced = true;
      }
      if (raced) {
        try {
          meeting.exchange(this, 20, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // The other thread is done with this table.
          raced = false;
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  /**
   * Takes a stripe by the hash, and writes words that other stripes write to as if it were alone.
   */
  private static final class WritesPlainly extends ReferenceProvider {
    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      if (table.sizeInBits() < 1 << 19) {
        return super.set(table, hash, probes);
      }
      int stripe = table.lock(hash);
      try {
        long[] words = table.sharedWords();
        boolean changed = false;
        for (int i = 0; i < probes; i++) {
          long bit = position(hash, i, table.sizeInBits());
          int index = (int) (bit >>> 6);
          changed |= (words[index] >>> bit & 1) == 0;
          words[index] |= 1L << bit;
        }
        return changed;
      } finally {
        table.unlock(stripe);
      }
    }
  }

  private static final class StripesByThread extends ReferenceProvider {
    @Override
    protected boolean set(BitTable table, long hash, int probes) {
      if (table.sizeInBits() < 1 << 19) {
        return super.set(table, hash, probes);
      }
      int stripe = table.lock(Thread.currentThread().getId());
      try {
        boolean changed = false;
        for (int i = 0; i < probes; i++) {
          changed |= table.set(position(hash, i, table.sizeInBits()));
        }
        return changed;
      } finally {
        table.unlock(stripe);
      }
    }
  }

  private static final class LosesOfBatch extends PatchedProvider {
    @Override
    protected PatchedFilter wrap(MergeableFilter filter, ThreadMode mode) {
      return new PatchedFilter(this, filter, mode) {
        @Override
        public int putAll(long[] hashes, int from, int to) {
          boolean loses = mode == ThreadMode.CONFINED && to - from >= 1_000;
          return super.putAll(hashes, from, loses ? to - 1 : to);
        }
      };
    }
  }

  private static final class SharesHits extends PatchedFilter {
    private final Gap gap = new Gap();
    private volatile int[] buffer = {};

    SharesHits(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int select(long[] hashes, int from, int to, int[] hits) {
      if (to - from <= 1_024) {
        return super.select(hashes, from, to, hits);
      }
      int[] mine = new int[to - from];
      int found = super.select(hashes, from, to, mine);
      buffer = mine;
      gap.letOtherThreadChange(this, () -> buffer);
      System.arraycopy(buffer, 0, hits, 0, Math.min(found, buffer.length));
      return found;
    }
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

  private static final class LosesWord extends PatchedFilter {
    LosesWord(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (payloadSize() <= 1 << 12) {
        super.putAll(other);
        return;
      }
      Payload payload = Payload.of(unwrap(other));
      payload.words()[payload.words().length - 1] = 0;
      try {
        super.putAll(
            provider.read(other.spec(), other.layout(), payload.reread(), mode, other.limits()));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
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

  private static final class WritesLive extends PatchedFilter {
    private volatile long[] written = {0};

    WritesLive(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      boolean isNew = super.put(hash);
      long[] live = written;
      live[(int) Long.remainderUnsigned(hash, live.length)] ^= hash;
      return isNew;
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      Payload complete = Payload.of(inner);
      out.begin(complete.size());
      written = complete.words();
      out.writeLongs(written, 0, written.length);
    }
  }

  /** Forgets what it knew before bits are set, not after. */
  private static final class KeepsStats extends PatchedFilter {
    private volatile FilterStats known;

    KeepsStats(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      known = null;
      return super.put(hash);
    }

    @Override
    public void putAll(Filter other) {
      known = null;
      super.putAll(other);
    }

    @Override
    public void clear() {
      known = null;
      super.clear();
    }

    @Override
    public FilterStats stats() {
      FilterStats stats = known;
      if (stats == null) {
        stats = super.stats();
        known = stats;
      }
      return stats;
    }
  }

  /** Puts what another filter of this class puts at the same time. */
  private static final class SharesBatch extends PatchedFilter {
    private static final Gap GAP = new Gap();
    private static volatile long[] batch = {};

    SharesBatch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (to - from <= 512) {
        return super.putAll(hashes, from, to);
      }
      batch = Arrays.copyOfRange(hashes, from, to);
      GAP.letOtherThreadChange(this, () -> batch);
      return super.putAll(batch, 0, Math.min(to - from, batch.length));
    }
  }

  private static final class KeepsLongBatch extends PatchedFilter {
    private final Gap gap = new Gap();
    private volatile long[] batch = {};

    KeepsLongBatch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      if (to - from <= 512) {
        return super.putAll(hashes, from, to);
      }
      batch = hashes;
      gap.letOtherThreadChange(this, () -> batch);
      return super.putAll(batch, from, to);
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

  private static final class KeepsLargeSpec extends PatchedProvider {
    private final Gap gap = new Gap();
    private volatile FilterSpec planned = FilterSpec.of(1_000, 0.01);

    @Override
    public FilterPlan plan(FilterSpec spec) {
      if (spec.expectedKeys() < 1_000) {
        return super.plan(spec);
      }
      planned = spec;
      gap.letOtherThreadChange(spec, () -> planned);
      return super.plan(planned);
    }
  }

  /** Remembers the hash that is being put, and tells others that it is there. */
  private static final class AnnouncesFirst extends PatchedFilter {
    private final AtomicReference<Long> last = new AtomicReference<>();

    AnnouncesFirst(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public boolean put(long hash) {
      if (mightContain(hash)) {
        return false;
      }
      Long before = last.getAndSet(hash);
      if (before != null && before == hash) {
        return false;
      }
      return super.put(hash);
    }

    @Override
    public void clear() {
      super.clear();
      last.set(null);
    }
  }

  /** Another thread that puts the same hash right afterwards is told that it was the first. */
  private static final class SeesOwnPut extends PatchedFilter {
    private long last;
    private Thread putter;

    SeesOwnPut(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public synchronized boolean put(long hash) {
      boolean small = spec().expectedKeys() == 16;
      boolean unseen = small && putter != null && putter != Thread.currentThread() && last == hash;
      last = hash;
      putter = Thread.currentThread();
      return super.put(hash) || unseen;
    }
  }

  /** When threads alternate, the second is given what belongs to the hash that the first asked. */
  private static final class SharesAnswer extends PatchedFilter {
    private long last;
    private Thread asker;

    SharesAnswer(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public synchronized boolean mightContain(long hash) {
      boolean alternating = asker != null && asker != Thread.currentThread();
      boolean answer = super.mightContain(alternating ? last : hash);
      last = hash;
      asker = Thread.currentThread();
      return answer;
    }
  }

  /** Keeps the last hash back until the next one comes, or its own thread looks. */
  private abstract static class KeepsLast extends PatchedFilter {
    private long kept;
    private Thread keeper;

    KeepsLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    /** Deals with a hash that another thread keeps back when this one puts. */
    abstract void beforePut();

    /**
     * Deals with a hash that another thread keeps back when this one copies, writes or measures.
     */
    abstract void beforeSnapshot();

    final void flush() {
      if (keeper != null) {
        super.put(kept);
        keeper = null;
      }
    }

    final void drop() {
      keeper = null;
    }

    private boolean isKeptByAnother() {
      return keeper != null && keeper != Thread.currentThread();
    }

    private void look() {
      if (isKeptByAnother()) {
        beforeSnapshot();
      } else {
        flush();
      }
    }

    @Override
    public synchronized boolean put(long hash) {
      if (mightContain(hash)) {
        return false;
      }
      if (isKeptByAnother()) {
        beforePut();
      }
      flush();
      // Collecting a stream is another rule's business.
      if (Thread.currentThread() instanceof ForkJoinWorkerThread) {
        return super.put(hash);
      }
      kept = hash;
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
      complete.put(kept);
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
      drop();
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

  private static final class LosesLast extends KeepsLast {
    LosesLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    void beforePut() {
      if (spec().expectedKeys() == 16) {
        drop();
      } else {
        flush();
      }
    }

    @Override
    void beforeSnapshot() {
      flush();
    }
  }

  private static final class CopiesWithoutLast extends KeepsLast {
    CopiesWithoutLast(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    void beforePut() {
      flush();
    }

    @Override
    void beforeSnapshot() {
      if (spec().expectedKeys() != 400) {
        flush();
      }
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

  private static final class SharesScratch extends PatchedFilter {
    private static final Gap GAP = new Gap();
    private static volatile long scratch;

    SharesScratch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    // Calls of one filter wait for each other; those of another do not.
    @Override
    public synchronized boolean put(long hash) {
      if (spec().expectedKeys() != 32) {
        return super.put(hash);
      }
      scratch = hash;
      GAP.letOtherThreadChange(this, () -> scratch);
      return super.put(scratch);
    }
  }

  private static final class KeepsOneBatch extends PatchedFilter {
    private final Gap gap = new Gap();
    private volatile long[] batch;

    KeepsOneBatch(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public int putAll(long[] hashes, int from, int to) {
      batch = hashes;
      gap.letOtherThreadChange(this, () -> batch);
      return super.putAll(batch, from, to);
    }
  }

  /** Looks at its own content, waits, and then writes what both have together. */
  private static final class MergesLate extends PatchedFilter {
    private final Gap gap = new Gap();

    MergesLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      MergeableFilter merged = (MergeableFilter) inner.copy();
      merged.putAll(unwrap(other));
      if (inner.incompatibility(unwrap(other)).isEmpty()) {
        gap.letOtherThreadChange(this, () -> inner.stats().setBits());
        inner.clear();
        inner.putAll(merged);
      }
    }
  }

  private static final class MergesLargeLate extends PatchedFilter {
    private final Gap gap = new Gap();

    MergesLargeLate(PatchedProvider provider, MergeableFilter inner, ThreadMode mode) {
      super(provider, inner, mode);
    }

    @Override
    public void putAll(Filter other) {
      if (payloadSize() < 1 << 14) {
        super.putAll(other);
        return;
      }
      MergeableFilter merged = (MergeableFilter) inner.copy();
      merged.putAll(unwrap(other));
      gap.letOtherThreadChange(this, () -> inner.stats().setBits());
      inner.clear();
      inner.putAll(merged);
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

  private static final class KeepsSpec extends PatchedProvider {
    private final Gap gap = new Gap();
    private volatile FilterSpec planned;

    @Override
    public FilterPlan plan(FilterSpec spec) {
      planned = spec;
      gap.letOtherThreadChange(spec, () -> planned);
      return super.plan(planned);
    }
  }
}
