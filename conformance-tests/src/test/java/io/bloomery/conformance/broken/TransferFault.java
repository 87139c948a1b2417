package io.bloomery.conformance.broken;

import io.bloomery.conformance.Rule;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.LongBuffer;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;

/** What can be wrong when an input or an output fails while content is transferred. */
public enum TransferFault {
  /** What is missing is taken as zeros, and what was not written as written. */
  IS_SWALLOWED,
  IS_TRIED_AGAIN,
  IS_WRAPPED,
  IS_WRAPPED_UNCHECKED,
  /** Of the input only: an output has no format. */
  IS_CALLED_MALFORMED,
  /** The next transfer of the same kind loses a word. */
  LOSES_A_WORD_OF_THE_NEXT,
  /** As if a lock had not been released. */
  REFUSES_THE_NEXT;

  private enum Call {
    READ,
    MAP,
    CHECK,
    WRITE
  }

  /** By which calls words are transferred. */
  private enum Manner {
    AT_ONCE,
    IN_PARTS,
    SINGLY,
    AS_INTS,
    AS_BUFFERS
  }

  private static final int PART = 16;

  private static final List<Class<? extends IOException>> FAILURES =
      List.of(
          IOException.class,
          IOException.class,
          EOFException.class,
          InterruptedIOException.class,
          FilterFormatException.class);

  public DrawnFault draw(SplittableRandom random) {
    boolean isOfInput = this == IS_CALLED_MALFORMED;
    Call call = Call.values()[random.nextInt(isOfInput ? 3 : 4)];
    if (call == Call.CHECK && this == LOSES_A_WORD_OF_THE_NEXT) {
      call = Call.READ; // nobody knows what was checked
    }
    Manner manner = Manner.values()[random.nextInt(call == Call.WRITE ? 3 : 5)];
    Class<? extends IOException> failure =
        call == Call.WRITE || isOfInput
            ? IOException.class
            : FAILURES.get(random.nextInt(FAILURES.size()));
    FaultWindow window = FaultWindow.drawOffered(random);
    // Where: anywhere, in the first call, or in a third of the words if there are more calls.
    boolean isWhole = manner == Manner.AT_ONCE || manner == Manner.AS_BUFFERS;
    double begin = !isWhole && random.nextInt(3) == 0 ? random.nextDouble(0.66) : 0;
    double end = begin > 0 ? begin + 0.34 : random.nextInt(3) == 0 ? 0 : 1;
    Transfer transfer = new Transfer(this, call, manner, failure, begin, end, new AtomicBoolean());
    String what =
        String.format(
            Locale.ROOT,
            "%s that fails with %s %s [%s], words %s, from %.2f to %.2f",
            call,
            failure.getSimpleName(),
            name().toLowerCase(Locale.ROOT).replace('_', ' '),
            window,
            manner.name().toLowerCase(Locale.ROOT),
            begin,
            end);
    return new DrawnFault(
        what, PatchedProvider.with(window, transfer.patch(window)), List.of(Rule.R35));
  }

  /** Transfers of one kind that are faulty when they fail. */
  private record Transfer(
      TransferFault fault,
      Call call,
      Manner manner,
      Class<? extends IOException> failure,
      double begin,
      double end,
      AtomicBoolean hasFailed) {

    Patch patch(FaultWindow window) {
      return switch (call) {
        case READ ->
            Patch.read(
                (right, spec, layout, in, mode, limits) ->
                    right.read(spec, layout, through(window, spec, layout, in), mode, limits));
        case MAP ->
            Patch.map(
                (right, spec, layout, in) ->
                    right.map(spec, layout, through(window, spec, layout, in)));
        case CHECK ->
            Patch.check(
                (right, spec, layout, in) ->
                    right.check(spec, layout, through(window, spec, layout, in)));
        case WRITE -> Patch.write((filter, out) -> write(Payload.of(filter.inner).words(), out));
      };
    }

    /** Returns the content, in memory if it has the right size and is of the window. */
    private PayloadInput through(
        FaultWindow window, FilterSpec spec, FilterLayout layout, PayloadInput in)
        throws IOException {
      long bits = layout.toMap().getOrDefault("bits", 0L);
      if (in.size() * Byte.SIZE != bits || bits > 1L << 30 || !window.has(spec, in.size())) {
        return in;
      }
      checkNotBusy();
      long[] words = new long[(int) (in.size() / Long.BYTES)];
      int at = 0;
      while (at < words.length) {
        at = next(at, words.length, new Reading(in, words, at));
      }
      lose(words);
      return new Payload(in.size(), words);
    }

    private void write(long[] words, PayloadOutput out) throws IOException {
      checkNotBusy();
      lose(words);
      int at = -1;
      while (at < words.length) {
        at = next(at, words.length, new Writing(out, words, at));
      }
    }

    private void checkNotBusy() {
      if (fault == REFUSES_THE_NEXT && hasFailed.getAndSet(false)) {
        throw new IllegalStateException("another transfer has not ended");
      }
    }

    private void lose(long[] words) {
      for (int i = 0;
          fault == LOSES_A_WORD_OF_THE_NEXT && hasFailed.get() && i < words.length;
          i++) {
        if (words[i] != 0) {
          words[i] = 0;
          hasFailed.set(false);
        }
      }
    }

    /** Transfers the next words, and returns where those after them begin. */
    private int next(int at, int size, Step step) throws IOException {
      int to = at < 0 ? 0 : Math.min(size, at + step.count(manner, size));
      try {
        step.transfer(manner, to);
      } catch (IOException e) {
        double share = (double) Math.max(0, at) / size;
        boolean isKind =
            failure == IOException.class
                ? !(e instanceof FilterFormatException)
                : failure.isInstance(e);
        if (!isKind || share < begin || share > end) {
          throw e;
        }
        return failed(e, to, size, step);
      }
      return to;
    }

    private int failed(IOException e, int to, int size, Step step) throws IOException {
      switch (fault) {
        case IS_SWALLOWED -> {
          return size;
        }
        case IS_TRIED_AGAIN -> {
          step.transfer(manner, to);
          return to;
        }
        case IS_WRAPPED -> throw new IOException("cannot transfer", e);
        case IS_WRAPPED_UNCHECKED -> throw new UncheckedIOException(e);
        case IS_CALLED_MALFORMED ->
            throw new FilterFormatException(
                FilterFormatException.Reason.TRUNCATED, 0, "too few words");
        default -> {
          hasFailed.set(true);
          throw e;
        }
      }
    }
  }

  private interface Step {
    void transfer(Manner manner, int to) throws IOException;

    default int count(Manner manner, int size) {
      return switch (manner) {
        case AT_ONCE, AS_BUFFERS -> size;
        case IN_PARTS, AS_INTS -> PART;
        case SINGLY -> 1;
      };
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Reading(PayloadInput in, long[] words, int at) implements Step {
    @Override
    public void transfer(Manner manner, int to) throws IOException {
      switch (manner) {
        case AS_INTS -> {
          int[] ints = in.readInts(2L * (to - at));
          for (int i = at; i < to; i++) {
            words[i] =
                (ints[2 * (i - at)] & 0xffff_ffffL) | (long) ints[2 * (i - at) + 1] << Integer.SIZE;
          }
        }
        case AS_BUFFERS -> {
          int begin = at;
          for (LongBuffer buffer : in.mapLongs(to - at)) {
            buffer.get(0, words, begin, buffer.limit());
            begin += buffer.limit();
          }
        }
        default -> System.arraycopy(in.readLongs(to - at), 0, words, at, to - at);
      }
    }
  }

  /** Begins at -1. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Writing(PayloadOutput out, long[] words, int at) implements Step {
    @Override
    public void transfer(Manner manner, int to) throws IOException {
      if (at < 0) {
        out.begin((long) Long.BYTES * words.length);
      } else if (manner == Manner.SINGLY) {
        out.writeLong(words[at]);
      } else {
        out.writeLongs(words, at, to);
      }
    }
  }
}
