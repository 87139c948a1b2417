package io.bloomery.benchmarks.paired;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.commons.math3.stat.StatUtils;

/**
 * A turn of two concurrent threads with one filter, each with keys of its own. They meet at a spin
 * barrier before every chunk: threads that were parked would start one after the other.
 */
final class SharedTurn {

  private static final int THREADS = 2;

  private final Turn turn;
  private final Contender contender;
  private final Action action;
  private final AtomicInteger arrivals = new AtomicInteger();
  private volatile boolean broken;

  private SharedTurn(Turn turn, Contender contender, Action action) {
    this.turn = turn;
    this.contender = contender;
    this.action = action;
  }

  /** Returns the median time of an operation in one thread over all chunks. */
  static double run(Turn turn, Contender contender, Action action, Object keys, Object others) {
    return new SharedTurn(turn, contender, action).run(keys, others);
  }

  private double run(Object keys, Object others) {
    FutureTask<double[]> other = new FutureTask<>(() -> chunks(others));
    Thread thread = new Thread(other, "second of two");
    thread.setDaemon(true);
    thread.start();
    double[] nanos = chunks(keys);
    try {
      double[] theirs = other.get();
      for (int i = 0; i < nanos.length; i++) {
        nanos[i] = (nanos[i] + theirs[i]) / THREADS;
      }
      return StatUtils.percentile(nanos, 50);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the thread must not be interrupted", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the second thread failed", e);
    }
  }

  private double[] chunks(Object keys) {
    boolean done = false;
    try {
      long sink = contender.run(action, keys, 0, turn.warm());
      double[] nanos = new double[turn.chunks()];
      for (int i = 0; i < nanos.length; i++) {
        int from = turn.warm() + i * turn.chunk();
        meet(i);
        long start = System.nanoTime();
        sink += contender.run(action, keys, from, from + turn.chunk());
        nanos[i] = (double) (System.nanoTime() - start) / turn.chunk();
      }
      Turn.checkSink(sink);
      done = true;
      return nanos;
    } finally {
      broken |= !done;
    }
  }

  private void meet(int time) {
    arrivals.incrementAndGet();
    while (arrivals.get() < THREADS * (time + 1)) {
      if (broken) {
        throw new IllegalStateException("the other thread failed");
      }
      Thread.onSpinWait();
    }
  }
}
