package io.bloomery.benchmarks.paired;

import com.sun.management.ThreadMXBean;
import io.bloomery.benchmarks.paired.Operation.Share;
import java.io.Closeable;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * How much puts and queries leave to the garbage collector: the thread's own count of bytes, over a
 * million calls after as many that had them compiled.
 */
final class Allocation {

  static final int CALLS = 1 << 20;

  private static final int BATCH = 8_192;
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private Allocation() {}

  /** Measures all entrants that take such keys. */
  static List<Measure> measure(KeyKind kind, List<Entrant> entrants) throws IOException {
    List<Measure> measures = new ArrayList<>();
    for (Entrant entrant : entrants) {
      if (entrant.takes(kind) && entrant.role() != Entrant.Role.LIMIT) {
        Contender contender = entrant.load(kind);
        measures.addAll(measure(kind, entrant.name(), contender));
        ((Closeable) contender.getClass().getClassLoader()).close();
      }
    }
    return measures;
  }

  private static List<Measure> measure(KeyKind kind, String entrant, Contender contender) {
    double puts = 0;
    double queries = 0;
    for (int time = 0; time < 2; time++) {
      contender.create(CALLS, Duel.RATE);
      KeyStream stream = new KeyStream(kind);
      puts = bytesPerCall(contender, Action.PUT, stream, Share.NEW);
      queries = bytesPerCall(contender, Action.QUERY, stream, Share.HALF);
    }
    return List.of(
        new Measure(Measure.PUT_BYTES, kind, CALLS, entrant, puts),
        new Measure(Measure.QUERY_BYTES, kind, CALLS, entrant, queries));
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
