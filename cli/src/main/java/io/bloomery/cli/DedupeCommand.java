package io.bloomery.cli;

import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterPlan;
import io.bloomery.FilterSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints each line the first time it comes. */
@Command(
    name = "dedupe",
    description = {
      "Print each line of INPUT, or of the standard input, the first time it is there: in one pass,"
          + " in the order of the input, without keeping the lines.",
      "A line that was there before is always dropped. One that was not is dropped all the same at"
          + " a rate of at most P; how many that may have been is said at the end.",
      "Without --expected, --max-bytes or --window, memory grows with the number of different"
          + " lines: by some six bytes for each."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:well, whether a line was dropped or not",
      "2:the command was not understood or cannot be done as asked",
      "3:a file cannot be read, or the output not written"
    },
    footerHeading = "%nExample:%n",
    footer = "  tail -f access.log | bloomery dedupe --window 1M")
final class DedupeCommand implements Callable<Integer> {

  private static final String FIXED = "standard";
  private static final String GROWING = "scalable";

  /** What a filter that grows begins with: 4 MB, and seven slices for a hundred million lines. */
  private static final long FIRST_KEYS = 1_000_000;

  private final Session session;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.000001",
      converter = RateConverter.class,
      description =
          "How often a line that was not there before may be dropped: between 0 and 1 (if not given:"
              + " one in a million).")
  private double rate;

  @Option(
      names = "--expected",
      paramLabel = "N",
      converter = CountConverter.class,
      description = "For how many different lines P is promised, in memory that does not grow.")
  private Long expected;

  @Option(
      names = "--max-bytes",
      paramLabel = "B",
      converter = BytesConverter.class,
      description =
          "How much memory the filter may take, as in 64MiB; without --expected, P is promised for"
              + " as many lines as that is enough for.")
  private Long mostBytes;

  @Option(
      names = "--window",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "Remember the last N different lines and forget older ones, in memory that does not grow:"
              + " a line is always dropped if it is one of the last N different ones, and printed"
              + " again (but for P) if 1.5 N others were printed since it was last there.")
  private Long window;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  private long lines;
  private boolean lineIsOpen;
  private boolean outgrown;

  DedupeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    check();
    Inputs input = Inputs.of(session, inputs);
    Bloomery bloomery = session.bloomery();
    if (window != null) {
      SeenLines seen = recent(bloomery);
      dedupe(input, seen, WrongDrops.ofWindow(seen, window), Long.MAX_VALUE);
    } else if (expected == null && mostBytes == null) {
      SeenLines seen = SeenLines.in(create(bloomery, GROWING, FIRST_KEYS, rate));
      dedupe(input, seen, WrongDrops.of(seen, FIRST_KEYS), Long.MAX_VALUE);
    } else {
      FilterSpec spec = fixed(bloomery);
      SeenLines seen =
          SeenLines.in(create(bloomery, FIXED, spec.expectedKeys(), spec.falsePositiveRate()));
      dedupe(input, seen, WrongDrops.of(seen, spec.expectedKeys()), spec.expectedKeys());
    }
    return ExitCode.OK;
  }

  private void check() throws Failure {
    if (window != null && (expected != null || mostBytes != null)) {
      throw Failure.usage(
          "--window says how much is remembered; leave out --expected and --max-bytes");
    }
    if (window != null && window < 1) {
      throw Failure.usage("--window must be at least 1, but was " + window);
    }
    if (mostBytes != null && (mostBytes < 1 || mostBytes > Long.MAX_VALUE / Byte.SIZE)) {
      throw Failure.usage(
          "--max-bytes must be from 1 to " + Long.MAX_VALUE / Byte.SIZE + ", but was " + mostBytes);
    }
  }

  private FilterSpec fixed(Bloomery bloomery) throws Failure {
    try {
      if (mostBytes == null) {
        return new FilterSpec(expected, rate);
      }
      long bits = mostBytes * Byte.SIZE;
      FilterPlan plan =
          expected == null
              ? bloomery.planMostKeys(FIXED, rate, bits)
              : bloomery.plan(FIXED, new FilterSpec(expected, rate), (double) bits / expected);
      return plan.spec();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private SeenLines recent(Bloomery bloomery) throws Failure {
    try {
      FilterSpec all = new FilterSpec(window, rate);
      return new RecentLines(
          window,
          all.falsePositiveRate(),
          share ->
              LineFilter.builder(bloomery)
                  .variant(FIXED)
                  .expect(RecentLines.keys(window, share))
                  .rate(share)
                  .create()
                  .filter());
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private static Filter create(Bloomery bloomery, String variant, long keys, double rate)
      throws Failure {
    try {
      return LineFilter.builder(bloomery)
          .variant(variant)
          .expect(keys)
          .rate(rate)
          .create()
          .filter();
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage());
    }
  }

  private void dedupe(Inputs input, SeenLines seen, WrongDrops wrong, long room)
      throws Failure, IOException {
    input.forEachBatch(
        batch -> {
          for (int i = 0; i < batch.size(); i++) {
            if (isNew(seen, batch.hashes()[i])) {
              print(batch, i);
              wrong.linePrinted();
            }
            lines++;
          }
          if (batch.isLastForNow()) {
            session.out().flush();
          }
          if (wrong.printed() > room) {
            warn(room);
          }
        });
    session.out().flush();
    report(wrong);
  }

  private boolean isNew(SeenLines seen, long hash) throws Failure {
    try {
      return seen.put(hash);
    } catch (FilterFullException e) {
      throw Failure.usage(
          String.format(Locale.ROOT, "stopped after %,d lines: ", lines)
              + e.getMessage()
              + "; or remember only the last, as in --window 10M");
    }
  }

  private void print(LineBatch batch, int i) throws IOException {
    OutputStream out = session.out();
    if (lineIsOpen) {
      // The last line of a file has no end, but is not the last of all.
      out.write('\n');
    }
    out.write(batch.line(i));
    int endLength = batch.endLength(i);
    if (endLength == 2) {
      out.write('\r');
    }
    if (endLength > 0) {
      out.write('\n');
    }
    lineIsOpen = endLength == 0;
  }

  private void warn(long room) {
    if (!outgrown) {
      outgrown = true;
      session.say(
          "warning: there are more than the %,d different lines that the filter is made for, and"
              + " from now on ever more are dropped wrongly; allow more",
          room);
    }
  }

  private void report(WrongDrops wrong) {
    long out = wrong.printed();
    long dropped = lines - out;
    if (dropped == 0) {
      session.say("%,d lines in, all of them out", lines);
      return;
    }
    double lost = wrong.among(dropped);
    session.say(
        "%,d lines in, %,d out; at most about %s of %,d dropped lines were dropped wrongly, %.2g of"
            + " the different ones",
        lines,
        out,
        String.format(Locale.ROOT, lost >= 10 ? "%,.0f" : "%.2g", lost),
        dropped,
        lost / (out + lost));
  }
}
