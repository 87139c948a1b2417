package io.bloomery.benchmarks.paired;

import com.sun.management.ThreadMXBean;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures the bytes that puts and queries allocate: the allocation counter of the thread over a
 * million calls, after as many calls for warm-up.
 */
final class AllocationStats {

  static final int CALLS = 1 << 20;

  private static final int BATCH = 8_192;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private AllocationStats() {}

  /** Measures all subjects that support a kind of key. */
  static List<Stats> measure(KeyKind kind, List<Subject> subjects) throws IOException {
    List<Stats> stats = new ArrayList<>();
    for (Subject subject : subjects) {
      if (subject.takes(kind) && subject.role() != Subject.Role.LIMIT) {
        Contender contender = subject.load(kind);
        stats.addAll(measure(kind, subject.name(), contender));
        ((Closeable) contender.getClass().getClassLoader()).close();
      }
    }
    return stats;
  }

  private static List<Stats> measure(KeyKind kind, String subject, Contender contender) {
    double puts = 0;
    double queries = 0;
    for (int time = 0; time < 2; time++) {
      contender.create(CALLS, Comparison.RATE);
      KeyStream stream = new KeyStream(kind);
      puts = bytesPerCall(contender, Action.PUT, stream, Share.NEW);
      queries = bytesPerCall(contender, Action.QUERY, stream, Share.HALF);
    }
    return List.of(
        new Stats(Stats.PUT_BYTES, kind, CALLS, subject, puts),
        new Stats(Stats.QUERY_BYTES, kind, CALLS, subject, queries));
  }

  private static double bytesPerCall(
      Contender contender, Action action, KeyStream stream, Share share) {
    long bytes = 0;
    for (int done = 0; done < CALLS; done += BATCH) {
      Object keys = stream.next(share, BATCH);
      long before = THREADS.getCurrentThreadAllocatedBytes();
      contender.run(action, keys, 0, BATCH);
      bytes += THREADS.getCurrentThreadAllocatedBytes() - before;
    }
    return (double) bytes / CALLS;
  }
}
