package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;

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
 * The filter of a case, brought about as the case's history says. Whatever the history, it must
 * hold what {@link #reference} holds, which was only ever put into, and be written as that is.
 */
public final class Given {

  /** How many hashes are put and removed where a history has that. */
  private static final int PASSING = 20;

  private final Subject subject;
  private final Case drawn;
  private final FilterSpec spec;
  private final long[] hashes;
  private Filter filter;
  private ThreadMode mode;
  private int in; // how many of the hashes are in the filter: all, unless it was full before
  private boolean isFull;

  public Given(Subject subject, Case drawn) {
    this(subject, drawn, Map.of());
  }

  /** Makes the filter of a case, whose spec has some attributes besides. */
  public Given(Subject subject, Case drawn, Map<String, String> attributes) {
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

  /** Returns the different hashes that are in it, in the order in which they were put. */
  public long[] hashes() {
    return in == hashes.length ? hashes : Arrays.copyOf(hashes, in);
  }

  /** Returns how often a hash was put. */
  public int times(int index) {
    return index == 0 ? drawn.times() : 1;
  }

  /** Returns an endless sequence of uniform hashes that were not put, but by a chance of 2^-64. */
  public Hashes others() {
    return new Hashes(~drawn.seed());
  }

  /** Returns an empty filter of the same spec and mode. */
  public Filter empty() {
    return create(drawn.mode());
  }

  /** Returns a filter that was given the same hashes one by one, and nothing else. */
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
   * Returns another filter like this one that came about as the case says of a partner, with some
   * hashes and so many of {@link #others}.
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

  /** Takes a step of the history: one or the other in a thread of its own, which ends with it. */
  private void takeStep(int index, int to) {
    Step step = drawn.history().get(index);
    if ((drawn.seed() >>> index & 1) == 0) {
      apply(step, to);
    } else if (step == Step.CLEAR) {
      // What the thread that has put these hashes keeps of them is old.
      inOtherThread(filter::clear);
      putAgain();
    } else {
      inOtherThread(() -> apply(step, to));
    }
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
    }
  }

  /** Puts what was in the filter before it was cleared. */
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
    } finally {
      // Nobody else interrupts the threads that rules run in.
      Thread.interrupted();
    }
  }

  /**
   * Asks for all that a filter might keep for the next time it is asked, though it be old by then.
   */
  public static void ask(Filter filter) {
    assertFalse(filter.stats().fill() > 1, "a fill above one");
    assertFalse((filter.description() + filter.toString()).isEmpty(), "what a filter tells");
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
        // How many are in would have to be read from a message.
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
      // It has no room for all of them, and has changed nothing: some may fit singly.
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
