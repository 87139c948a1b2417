package io.bloomery.conformance.hostile;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.Allocation;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.StoredFilter;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads inputs and checks that each has one of the permitted outcomes. */
final class Examiner {

  // Repeated, because loading a class or linking a lambda has a one-time cost.
  private static final int TRIES = 3;

  private static final long[] HASHES = {0, 1, -1, 0x9e3779b97f4a7c15L, 0xd1342543de82ef95L};

  private final Bloomery bloomery;
  private final Path file;

  Examiner(Bloomery bloomery, Path file) {
    this.bloomery = bloomery;
    this.file = file;
  }

  /**
   * The outcome of an input.
   *
   * @param accepted whether it was accepted as a filter
   * @param problem why the outcome is not permitted, or null
   * @param allocated the number of bytes allocated to read it
   * @param maxAllocated the number of bytes that may be allocated
   * @param nanos the time taken
   */
  record Finding(boolean accepted, String problem, long allocated, long maxAllocated, long nanos) {}

  /**
   * Reads an input.
   *
   * @param salt varies everything other than the input: sizes of reads, thread mode, where a stream
   *     fails
   */
  Finding examine(byte[] bytes, SourceKind kind, int salt) {
    Finding min = null;
    for (int left = TRIES; left > 0; left--) {
      Finding finding = tryOnce(ByteSource.of(kind, bytes, salt, file), bytes, kind, salt);
      if (min == null || finding.allocated() < min.allocated()) {
        min = finding;
      }
      if (finding.problem() != null || finding.allocated() <= finding.maxAllocated()) {
        return finding;
      }
    }
    String problem =
        min.allocated()
            + " bytes were allocated for "
            + bytes.length
            + ", where "
            + min.maxAllocated()
            + " are allowed";
    return new Finding(min.accepted(), problem, min.allocated(), min.maxAllocated(), min.nanos());
  }

  private Finding tryOnce(ByteSource source, byte[] bytes, SourceKind kind, int salt) {
    ThreadMode mode = (salt & 1) == 0 ? ThreadMode.SHARED : ThreadMode.CONFINED;
    StoredFilter filter = null;
    String problem = null;
    long start = System.nanoTime();
    long before = Allocation.byThisThread();
    try {
      filter = source.read(bloomery, mode);
    } catch (FilterFormatException | UnexpectedFilterException e) {
      // Rejected, as it should be: bytes may also name a variant that is not installed.
    } catch (IOException e) {
      problem =
          source.threw(e) || isTooLarge(bytes)
              ? null
              : "must be refused with FilterFormatException, not " + e;
    } catch (RuntimeException | Error e) {
      problem = "must be refused with FilterFormatException, not " + at(e);
    }
    long allocated = Allocation.byThisThread() - before;
    long nanos = System.nanoTime() - start;
    if (filter != null) {
      problem = problemOf(filter, bytes, source.taken());
    } else if (problem == null && kind == SourceKind.ARRAY && source.taken() != 0) {
      problem = "a buffer's position must stay where it was when its bytes are refused";
    }
    return new Finding(filter != null, problem, allocated, kind.maxAllocated(bytes.length), nanos);
  }

  // A stream that announces more than the heap can hold, when read in parts and joined, may be
  // valid: that cannot be determined.
  private static boolean isTooLarge(byte[] bytes) {
    return Envelope.announced(bytes) > Runtime.getRuntime().maxMemory() / 2;
  }

  private static String at(Throwable e) {
    StackTraceElement[] trace = e.getStackTrace();
    return trace.length == 0 ? e.toString() : e + " at " + trace[0];
  }

  /** Returns what is wrong with an accepted filter, or null. */
  private static String problemOf(StoredFilter filter, byte[] bytes, int taken) {
    try {
      Comparing out = new Comparing(bytes);
      FilterFiles.write(filter, out);
      if (!out.equal || out.at != taken) {
        return "written again as other bytes, of which there are "
            + out.at
            + ", than the "
            + taken
            + " it was read from";
      }
      if (FilterFiles.serializedSize(filter) != taken) {
        return "serializedSize must be " + taken + ", but is " + FilterFiles.serializedSize(filter);
      }
      return use(filter);
    } catch (IOException | RuntimeException | Error e) {
      return "accepted, but does not work: " + at(e);
    }
  }

  private static String use(StoredFilter filter) {
    FilterStats stats = filter.stats();
    if (!(stats.fill() >= 0 && stats.fill() <= 1 && stats.falsePositiveRate() <= 1)) {
      return "accepted, but has impossible statistics: " + stats;
    }
    if (!(filter instanceof Filter putting)) {
      int found = filter.select(HASHES, 0, HASHES.length, new int[HASHES.length]);
      long single = Arrays.stream(HASHES).filter(filter::mightContain).count();
      return found == single ? null : "accepted, but select finds " + found + ", not " + single;
    }
    for (long hash : HASHES) {
      try {
        putting.put(hash);
      } catch (FilterFullException e) {
        return null;
      }
      if (!filter.mightContain(hash)) {
        return "accepted, but does not find hash " + hash + " after it was put";
      }
    }
    return null;
  }

  /** Compares what is written with what was read. */
  private static final class Comparing extends OutputStream {
    private final byte[] expected;
    private boolean equal = true;
    private int at;

    Comparing(byte[] expected) {
      this.expected = expected;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      int end = at + length;
      equal &=
          end <= expected.length && Arrays.equals(expected, at, end, bytes, from, from + length);
      at = end;
    }
  }
}
