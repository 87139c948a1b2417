package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Partner;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/**
 * The filter of a case, filled with its history. Whatever the history, it must contain what {@link
 * #reference} contains, which was only filled by puts, and be written as the same bytes.
 */
public final class FilledFilter {

  /** The number of hashes that are put and removed, if the history includes that. */
  private static final int PASSING = 20;

  private static final int SOME = 4;

  private final Subject subject;
  private final Case drawn;
  private final FilterSpec spec;
  private final long[] hashes;
  private Filter filter;
  private ThreadMode mode;
  private int in; // the number of hashes in the filter: all, unless it became full
  private boolean isFull;

  public FilledFilter(Subject subject, Case drawn) {
    this(subject, drawn, Map.of());
  }

  /** Creates the filter of a case, with additional attributes in its spec. */
  public FilledFilter(Subject subject, Case drawn, Map<String, String> attributes) {
    this.subject = subject;
    this.drawn = drawn;
    this.spec = drawn.spec().withAttributes(attributes);
    this.hashes = hashesOf(drawn);
    this.mode = drawn.mode();
    this.filter = create(mode);
    int parts = drawn.history().size() + 1;
    for (int part = 0; part < parts; part++) {
      int to = (int) ((long) hashes.length * (part + 1) / parts);
      if (part > 0) {
        takeStep(part - 1, to);
      }
      putSingly(to);
    }
  }

  private static long[] hashesOf(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    long[] hashes = new long[drawn.put()];
    Arrays.setAll(hashes, i -> drawn.pattern().hash(random.nextLong(), i));
    return hashes;
  }

  /** Returns the filter. */
  public Filter filter() {
    return filter;
  }

  /** Returns the distinct hashes in the filter, in the order in which they were put. */
  public long[] hashes() {
    return in == hashes.length ? hashes : Arrays.copyOf(hashes, in);
  }

  /** Returns up to four hashes of the filter, and four others. */
  public long[] some() {
    long[] some = others().next(2 * SOME);
    System.arraycopy(hashes, 0, some, 0, Math.min(in, SOME));
    return some;
  }

  /** Returns the number of puts of a hash. */
  public int times(int index) {
    return index == 0 ? drawn.times() : 1;
  }

  /**
   * Returns an endless sequence of uniform hashes that were not put, except with a probability of
   * 2^-64.
   */
  public Hashes others() {
    return new Hashes(~drawn.seed());
  }

  /** Returns an empty filter of the same spec and mode. */
  public Filter empty() {
    return create(drawn.mode());
  }

  /** Returns a filter into which the same hashes were put one by one, and nothing else. */
  public Filter reference() {
    Filter reference = create(drawn.mode());
    int singly = subject.singly(in);
    for (int i = 0; i < singly; i++) {
      putOften(reference, i);
    }
    subject.putMany(reference, Arrays.stream(hashes, singly, in).iterator()::nextLong, in - singly);
    return reference;
  }

  /**
   * Returns another such filter, created as the partner of the case specifies, with some hashes and
   * a number of {@link #others}.
   */
  public Filter partner(long[] some, int others) {
    Partner partner = drawn.partner();
    Filter other = create(partner == Partner.OF_OTHER_MODE ? drawn.otherMode() : drawn.mode());
    if (partner == Partner.CLEARED) {
      Subject.put(other, new Hashes(drawn.seed() + 1).next(PASSING));
      other.clear();
    }
    Subject.put(other, some);
    Subject.put(other, others().next(others));
    return switch (partner) {
      case CREATED, OF_OTHER_MODE, CLEARED -> other;
      case COPIED -> other.copy();
      case READ -> subject.read(Subject.write(other), drawn.mode());
    };
  }

  private Filter create(ThreadMode mode) {
    return subject.provider().create(spec, mode);
  }

  private boolean putOften(Filter into, int index) {
    for (int times = times(index); times > 0; times--) {
      if (!Subject.isTaken(into, hashes[index])) {
        return false;
      }
    }
    return true;
  }

  private void putSingly(int to) {
    int singly = in + subject.singly(to - in);
    while (in < singly && !isFull) {
      if (putOften(filter, in)) {
        in++;
      } else {
        isFull = true;
      }
    }
    putBatches(to, hashes.length);
  }

  /**
   * Performs a step of the history: some steps in a thread of their own, which ends with the step.
   */
  private void takeStep(int index, int to) {
    Step step = drawn.history().get(index);
    askAhead();
    if ((drawn.seed() >>> index & 1) == 0) {
      apply(step, to);
    } else if (step == Step.CLEAR) {
      // Anything cached for the thread that put these hashes becomes stale.
      inOtherThread(filter::clear);
      putAgain();
    } else {
      inOtherThread(() -> apply(step, to));
    }
  }

  /** Queries the next hashes, all but certainly absent: what a filter remembers becomes stale. */
  private void askAhead() {
    int to = Math.min(in + PASSING, hashes.length);
    for (int i = in; i < to; i++) {
      boolean unused = filter.mightContain(hashes[i]);
    }
    filter.select(hashes, in, to, new int[to - in]);
  }

  private static void inOtherThread(Runnable step) {
    FutureTask<Void> task = new FutureTask<>(step, null);
    Thread thread = new Thread(task, "step of a history");
    thread.setDaemon(true);
    thread.start();
    await(task);
  }

  private static void await(FutureTask<Void> task) {
    try {
      task.get();
    } catch (InterruptedException e) {
      throw new AssertionError("nobody interrupts the threads that rules run in", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException thrown) {
        throw thrown;
      }
      if (e.getCause() instanceof Error thrown) {
        throw thrown;
      }
      throw new AssertionError(e.getCause());
    }
  }

  private void apply(Step step, int to) {
    switch (step) {
      case COPY -> filter = filter.copy();
      case READ -> filter = subject.read(Subject.write(filter), mode);
      case READ_IN_OTHER_MODE -> {
        mode = mode == ThreadMode.SHARED ? ThreadMode.CONFINED : ThreadMode.SHARED;
        filter = subject.read(Subject.write(filter), mode);
      }
      case CLEAR -> {
        filter.clear();
        putAgain();
      }
      case BATCH -> putBatches(to, drawn.length());
      case MERGE -> merge(to, false);
      case MERGE_INTO_OTHER -> merge(to, true);
      case REMOVE -> putAndRemove();
      case INTERRUPTED -> putInterrupted(to);
      case ASK -> ask(filter);
      case AGE_BY_QUERIES -> new Ageing(filter).ask(drawn.seed());
      case AGE_BY_PUTS -> {
        if (in > 0 && subject.takesPuts()) {
          new Ageing(filter).putAgain(hashes[in - 1]);
        }
      }
      case AGE_BY_CHANGES -> {
        new Ageing(filter).clear();
        putAgain();
      }
    }
  }

  /** Puts the hashes that were in the filter before it was cleared. */
  private void putAgain() {
    int again = in;
    in = 0;
    putSingly(again);
  }

  private void putInterrupted(int to) {
    Thread.currentThread().interrupt();
    try {
      putSingly(in + (to - in) / 2);
      putBatches(to, drawn.length());
      ask(filter);
      assertTrue(Thread.currentThread().isInterrupted(), "puts must not end an interrupt");
    } finally {
      // No one else interrupts the threads that run rules.
      Thread.interrupted();
    }
  }

  /** Queries everything that a filter might cache, even if it becomes stale. */
  public static void ask(Filter filter) {
    assertFalse(filter.stats().fill() > 1, "a fill above one");
    assertFalse((filter.description() + Subject.text(filter)).isEmpty(), "what a filter tells");
    assertEquals(filter.payloadSize(), Payload.of(filter).size(), "size of what is written");
    assertNotSame(filter, filter.copy(), "a copy");
  }

  private void putBatches(int to, int length) {
    while (in < to && in > 0 && !isFull) {
      int end = Math.min(to, in + length);
      try {
        filter.putAll(hashes, in, end);
        in = end;
      } catch (FilterFullException e) {
        // The number of hashes added would have to be parsed from a message.
        filter = reference();
        isFull = true;
      }
    }
  }

  private void merge(int to, boolean intoOther) {
    if (!(filter instanceof MergeableFilter)) {
      putBatches(to, drawn.length());
      return;
    }
    MergeableFilter other = (MergeableFilter) create(mode);
    for (int i = in; i < to; i++) {
      if (!putOften(other, i)) {
        return;
      }
    }
    try {
      if (intoOther) {
        other.putAll(filter);
        filter = other;
      } else {
        ((MergeableFilter) filter).putAll(other);
      }
      in = Math.max(in, to);
    } catch (FilterFullException e) {
      // There is no room for all of them and nothing was changed: some may fit singly.
      putSingly(to);
    }
  }

  private void putAndRemove() {
    if (!(filter instanceof RemovableFilter removable)) {
      filter = filter.copy();
      return;
    }
    long[] passing = others().next(PASSING);
    int taken = 0;
    while (taken < passing.length && Subject.isTaken(filter, passing[taken])) {
      taken++;
    }
    for (int i = 0; i < taken; i++) {
      removable.remove(passing[i]);
    }
  }
}
