package io.bloomery.cli.dedupe;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.input.Recipe;
import io.bloomery.cli.input.SeenLines;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.key.SecretOption;
import io.bloomery.cli.option.BytesConverter;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.option.TimeConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilterBuilder;
import io.bloomery.window.SlidingFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Prints each line only the first time it occurs. */
@Command(
    name = "dedupe",
    description = {
      "Print the first occurrence of each line of INPUT, or of the standard input: in one"
          + " pass, in the order of the input, without keeping the lines.",
      "A line whose key occurred before is always dropped. A line with a new key is dropped"
          + " with a probability of at most P. The maximum number of such lines is printed at the"
          + " end; it is wrong with a probability of one in a million, also for adversarial keys,"
          + " because they are hashed with a secret. (This does not hold for keys chosen by"
          + " somebody who knows the secret of --secret-file, or which lines it dropped in earlier"
          + " runs.) Lines are printed unchanged to the byte, including their ends; the header of"
          + " CSV is printed first.",
      "Without --expected, --max-bytes, --window, --for or --state, memory grows with the number of"
          + " distinct lines, by about six bytes for each.",
      "With --json, the summary is a JSON object on the standard error: the numbers of"
          + " 'lines' read, 'new' lines printed and 'dropped' lines, the maximum number 'lost' of"
          + " dropped lines that were new, and 'lostRate', the maximum of their share of the"
          + " distinct lines."
    },
    exitCodeList = {
      "0:success, whether a line was dropped or not",
      ExitCode.USAGE_TEXT,
      ExitCode.LOCKED_TEXT,
      "5:there were more distinct lines than expected, so that more were dropped than" + " promised"
    },
    footer = "  tail -f access.log | bloomery dedupe --window 1M")
public final class DedupeCommand extends SessionCommand {

  /**
   * The expected keys of the first layer of a growing filter, which takes 4 MB; a hundred million
   * lines take seven layers.
   */
  private static final long FIRST_KEYS = 1_000_000;

  private static final int SECRET_BYTES = 32;

  private static final long NO_LIMIT = Long.MAX_VALUE;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.000001",
      converter = RateConverter.class,
      description =
          "The false-positive rate, between 0 and 1: how often a new line may be dropped"
              + " (default: one in a million).")
  private double rate;

  @Option(
      names = "--expected",
      paramLabel = "N",
      converter = CountConverter.class,
      description = "The expected number of distinct lines; memory does not grow.")
  private Long expected;

  @Option(
      names = "--max-bytes",
      paramLabel = "B",
      converter = BytesConverter.class,
      description =
          "The memory that the filter may take, such as 64MiB; without --expected, P is kept"
              + " for as many lines as fit.")
  private Long maxBytes;

  @Option(
      names = "--window",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "Remember the last N distinct lines and forget older ones; memory does not grow. A line"
              + " is always dropped if it is one of the last N distinct lines, and printed again"
              + " (except with probability P) if 1.5 N others were printed since its last"
              + " occurrence. Every occurrence counts, printed or not: see --since-printed.")
  private Long window;

  @Option(
      names = "--for",
      paramLabel = "T",
      converter = TimeConverter.class,
      description =
          "Remember lines for a time, such as 90s, 15m, 24h or 7d; memory does not grow. A line"
              + " is always dropped if it occurred less than T ago, and printed again (except with"
              + " probability P) after 1.5 T. Every occurrence counts, printed or not: without"
              + " --since-printed, a line that occurs more often than every T is printed only once."
              + " --expected is the number of distinct lines in each T (default: a million).")
  private Duration time;

  @Option(
      names = "--since-printed",
      description =
          "With --for or --window, count from when a line was last printed, not from its last"
              + " occurrence: it is always dropped if it was printed less than T ago, or fewer than"
              + " N others were printed since, and printed again (except with probability P) after"
              + " 1.5 T, or 1.5 N others.")
  private boolean sincePrinted;

  @Option(names = "--json", description = "Print the summary as JSON, on the standard error.")
  private boolean json;

  @Mixin private StateOptions state;

  @Mixin private InputOptions options;

  @Mixin private SecretOption secretOption;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  private final int[] fresh = new int[LineBatch.MAX_LINES];
  private long lines;
  private boolean lineIsOpen;
  private boolean outgrown;

  @Override
  public Integer call() throws Failure, IOException {
    check();
    options.check();
    Inputs.check(inputs);
    Bloomery bloomery = session().bloomery();
    if (state.isGiven()) {
      return dedupeFurther(bloomery);
    }
    Inputs input = input(options.format(hashes()));
    if (window != null) {
      SeenLines seen = recent(bloomery);
      dedupe(input, seen, WrongDrops.ofWindow(seen::highestRate, window, most(window)), NO_LIMIT);
    } else if (time != null) {
      long room = keysOfWindow();
      SeenLines seen = recent(bloomery);
      dedupe(input, seen, WrongDrops.ofWindow(seen::highestRate, room, Long.MAX_VALUE), room);
    } else if (expected == null && maxBytes == null) {
      SeenLines seen = SeenLines.in(create(bloomery, DefaultVariants.GROWING, FIRST_KEYS, rate));
      dedupe(input, seen, WrongDrops.of(seen::highestRate, FIRST_KEYS), NO_LIMIT);
    } else {
      FilterSpec spec = fixed(bloomery);
      SeenLines seen =
          SeenLines.in(
              create(
                  bloomery, DefaultVariants.FIXED, spec.expectedKeys(), spec.falsePositiveRate()));
      dedupe(
          input, seen, WrongDrops.of(seen::highestRate, spec.expectedKeys()), spec.expectedKeys());
    }
    return outgrown ? ExitCode.OUTGROWN : ExitCode.OK;
  }

  private Inputs input(InputFormat format) throws Failure {
    Inputs input = Inputs.of(session(), inputs, format);
    if (session().terminal().out()) {
      input.hideProgress();
    }
    return input;
  }

  /** Prints what no earlier run has printed. */
  private int dedupeFurther(Bloomery bloomery) throws Failure, IOException {
    NewFile.checkNotRead(state.file(), inputs.stream().map(Path::of).toList());
    NewFile.checkNotRead(state.file(), secretOption.files());
    Optional<SecretFile> secret = secretOption.read(session());
    AskedState asked =
        new AskedState(
            state.file(),
            isGiven("--fpp") ? Optional.of(rate) : Optional.empty(),
            Optional.ofNullable(expected),
            Optional.ofNullable(maxBytes),
            Optional.ofNullable(window),
            Optional.ofNullable(time),
            sincePrinted);
    AtomicReference<InputFormat> format = new AtomicReference<>();
    StateFile file =
        state.isWindow(asked)
            ? openWindow(bloomery, asked, secret, format)
            : new FilterState(
                state.open(
                    session(),
                    // decisions.md#a-new-file-of-dedupe---state-is-standard-though-blocked-is-faster
                    Failure.usageIfRefused(() -> bloomery.providers().get(DefaultVariants.FIXED)),
                    () -> further(bloomery, secret),
                    header -> {
                      asked.checkFilter(header.spec(), header.payloadSize());
                      format.set(recorded(header.spec(), secret));
                    }));
    try (KeptLines kept = KeptLines.of(session(), file)) {
      rate = file.spec().falsePositiveRate();
      long keys = file.spec().expectedKeys();
      WrongDrops wrong =
          (isWindow()
                  ? WrongDrops.ofWindow(
                      file::highestRate, keys, window == null ? Long.MAX_VALUE : most(keys))
                  : WrongDrops.of(file::highestRate, keys))
              .further();
      dedupe(
          input(format.get()),
          batch -> {
            for (int count = kept.print(batch); count > 0; count--) {
              wrong.linePrinted();
            }
            lines += batch.size();
          },
          file::isOverfull,
          wrong,
          window == null ? keys : NO_LIMIT);
      kept.finish();
    }
    return outgrown ? ExitCode.OUTGROWN : ExitCode.OK;
  }

  private boolean isWindow() {
    return window != null || time != null;
  }

  private WindowState openWindow(
      Bloomery bloomery,
      AskedState asked,
      Optional<SecretFile> secret,
      AtomicReference<InputFormat> format)
      throws Failure, IOException {
    WindowState opened =
        new WindowState(
            state.openWindow(
                session(),
                () -> furtherOfWindow(bloomery, secret),
                asked.time(),
                (spec, madeTime) -> {
                  asked.checkWindow(spec, madeTime);
                  format.set(recorded(spec, secret));
                }));
    time = opened.window().time().orElse(null);
    window = time == null ? opened.spec().expectedKeys() : null;
    sincePrinted = WindowState.isSincePrinted(opened.spec());
    return opened;
  }

  private InputFormat recorded(FilterSpec spec, Optional<SecretFile> secret) throws Failure {
    return new Recipe(state.file().toString(), spec).with(options, secret);
  }

  private FilterSpec further(Bloomery bloomery, Optional<SecretFile> secret) throws Failure {
    if (expected == null && maxBytes == null) {
      throw Failure.usage(
          state.file()
              + " is made now, for a number of lines in all runs; say how many, as in --expected"
              + " 10M");
    }
    InputFormat format = formatOfNew(secret);
    FilterSpec spec = fixed(bloomery);
    return Failure.usageIfRefused(
        () ->
            FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate(), format.hash().id())
                .withAttributes(format.attributes()));
  }

  private FilterSpec furtherOfWindow(Bloomery bloomery, Optional<SecretFile> secret)
      throws Failure {
    InputFormat format = formatOfNew(secret);
    Map<String, String> attributes = new TreeMap<>(format.attributes());
    if (sincePrinted) {
      attributes.put(WindowState.SINCE, WindowState.PRINTED);
    }
    return Failure.usageIfRefused(
        () -> {
          FilterSpec spec = recent(bloomery, keysOfWindow()).plan().spec();
          return FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate(), format.hash().id())
              .withAttributes(attributes);
        });
  }

  private InputFormat formatOfNew(Optional<SecretFile> secret) throws Failure {
    return options.format(secret.map(SecretFile::hashes).orElse(KeyHashes.WITHOUT_SECRET));
  }

  private boolean isGiven(String option) {
    return spec().commandLine().getParseResult().hasMatchedOption(option);
  }

  private void check() throws Failure {
    if (!state.isGiven() && isGiven("--wait")) {
      throw Failure.usage("--wait is for --state, which names a file that others may have");
    }
    if (window != null && (expected != null || maxBytes != null)) {
      throw Failure.usage(
          "--window says how much is remembered; leave out --expected and --max-bytes");
    }
    if (time != null && (window != null || maxBytes != null)) {
      throw Failure.usage(
          "--for says how long lines are remembered, and --expected for how many in that time;"
              + " leave out --window and --max-bytes");
    }
    if (sincePrinted && !isWindow() && !state.isThere()) {
      throw Failure.usage(
          "--since-printed says from when on --for or --window counts, and lines are remembered for"
              + " ever without them; add one of them, as in --for 24h");
    }
    if (window != null && window < 1) {
      throw Failure.usage("--window must be at least 1, but was " + window);
    }
    if (maxBytes != null && (maxBytes < 1 || maxBytes > Long.MAX_VALUE / Byte.SIZE)) {
      throw Failure.usage(
          "--max-bytes must be from 1 to " + Long.MAX_VALUE / Byte.SIZE + ", but was " + maxBytes);
    }
  }

  private KeyHashes hashes() throws Failure {
    Optional<SecretFile> named = secretOption.read(session());
    if (named.isPresent()) {
      return named.get().hashes();
    }
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    try {
      return KeyHashes.of(secret);
    } finally {
      Arrays.fill(secret, (byte) 0);
    }
  }

  private FilterSpec fixed(Bloomery bloomery) throws Failure {
    return Failure.usageIfRefused(
        () -> {
          if (maxBytes == null) {
            return FilterSpec.of(expected, rate);
          }
          Filters<Long> filters = bloomery.keys(KeyHasher.longs());
          FilterPlan plan =
              expected == null
                  ? filters.within(maxBytes).variant(DefaultVariants.FIXED).maxKeys(rate)
                  : filters
                      .maxBytes(maxBytes)
                      .expect(expected)
                      .variant(DefaultVariants.FIXED)
                      .fpp(rate)
                      .plan();
          return FilterSpec.of(plan.spec().expectedKeys(), plan.spec().falsePositiveRate());
        });
  }

  private SeenLines recent(Bloomery bloomery) throws Failure {
    return Failure.usageIfRefused(
        () -> {
          SlidingFilter seen = recent(bloomery, keysOfWindow()).create().filter();
          return new WindowOfLines(seen, sincePrinted ? seen::putIfAbsent : seen::put);
        });
  }

  private SlidingBloomFilterBuilder<Long> recent(Bloomery bloomery, long keys) {
    // Lines are put as hashes, so only the type of the hasher matters.
    SlidingBloomFilterBuilder<Long> lines =
        SlidingBloomFilter.builder(
            bloomery
                .<Long>keys(KeyHasher.longs())
                .expect(keys)
                .variant(DefaultVariants.FIXED)
                .fpp(rate));
    return time == null ? lines : lines.lasting(time);
  }

  private long keysOfWindow() {
    return window != null ? window : expected != null ? expected : FIRST_KEYS;
  }

  /**
   * Returns the maximum number of lines that a window remembers: as many as its three filters hold.
   */
  private static long most(long window) {
    return window > Long.MAX_VALUE / 3 ? Long.MAX_VALUE : 3 * window;
  }

  private static Filter create(Bloomery bloomery, String variant, long keys, double rate)
      throws Failure {
    return Failure.usageIfRefused(
        () ->
            bloomery
                .providers()
                .get(variant)
                .create(FilterSpec.of(keys, rate), ThreadMode.CONFINED));
  }

  private void dedupe(Inputs input, SeenLines seen, WrongDrops wrong, long room)
      throws Failure, IOException {
    dedupe(
        input,
        batch -> print(batch, seen, wrong),
        () -> time == null ? wrong.printed() > room : seen.isOverfull(),
        wrong,
        room);
  }

  private void dedupe(
      Inputs input, Inputs.Action print, BooleanSupplier isOutgrown, WrongDrops wrong, long room)
      throws Failure, IOException {
    input.forEachBatch(
        batch -> {
          print.accept(batch);
          if (batch.isLastForNow()) {
            session().out().flush();
          }
          if (isOutgrown.getAsBoolean() && !outgrown) {
            outgrown = true;
            warn(room);
          }
        });
    session().out().flush();
    // Includes the lines after the last sample.
    wrong.among(0);
    outgrown |= isOutgrown.getAsBoolean();
    if (json) {
      Json.say(session(), members(wrong, room));
    } else {
      report(wrong);
    }
  }

  private void print(LineBatch batch, SeenLines seen, WrongDrops wrong)
      throws Failure, IOException {
    int count = 0;
    try {
      // One by one, since a batch may contain the same line twice.
      for (int i = 0; i < batch.size(); i++) {
        if (seen.put(batch.hashes()[i])) {
          fresh[count++] = i;
          wrong.linePrinted();
        }
        lines++;
      }
    } catch (FilterFullException e) {
      throw Failure.usage(
          String.format(Locale.ROOT, "stopped after %,d lines: ", lines)
              + e.getMessage()
              + "; or remember only the last, as in --window 10M");
    } finally {
      print(batch, count);
    }
  }

  private void print(LineBatch batch, int count) throws IOException {
    if (count == 0 && !batch.hasHeader()) {
      return;
    }
    if (lineIsOpen) {
      // The previous line was the last of its file and had no end.
      batch.writeEnd(session().out());
    }
    lineIsOpen = !batch.writeAsRead(fresh, count, session().out());
  }

  private void warn(long room) {
    // In JSON it is a member.
    if (!json) {
      session()
          .warnOfLoss(
              "there are more than the %,d different lines that the filter is made for, and from"
                  + " now on ever more are dropped wrongly; allow more",
              room);
    }
  }

  private Members members(WrongDrops wrong, long room) {
    long dropped = lines - wrong.printed();
    long lost = wrong.among(dropped).atMost();
    Members members =
        new Members()
            .with("lines", lines)
            .with("new", wrong.printed())
            .with("dropped", dropped)
            .with("lost", lost)
            .with("lostRate", lost == 0 ? 0 : lost / (wrong.printed() + (double) lost))
            .with("targetRate", rate);
    if (time != null) {
      members.with("forSeconds", time.toSeconds());
    }
    if (isWindow()) {
      members.with("sincePrinted", sincePrinted);
    }
    if (window != null) {
      members.with("window", window);
    } else if (room != NO_LIMIT) {
      members.with("expectedKeys", room).with("outgrown", outgrown);
    }
    return members;
  }

  private void report(WrongDrops wrong) {
    long dropped = lines - wrong.printed();
    String summary =
        dropped == 0
            ? String.format(Locale.ROOT, "%,d lines in, all of them out", lines)
            : String.format(
                Locale.ROOT,
                "%,d lines in, %,d out; of %,d dropped, %s",
                lines,
                wrong.printed(),
                dropped,
                words(wrong.among(dropped), dropped));
    if (outgrown) {
      session().warnOfLoss("%s", summary);
    } else {
      session().say("%s", summary);
    }
  }

  private static String words(WrongDrops.Lost lost, long dropped) {
    if (lost.atMost() == dropped) {
      return "all may have been new";
    }
    String words;
    if (lost.atMost() == 0) {
      words = "none was new";
    } else if (lost.expected() < 0.5) {
      words = String.format(Locale.ROOT, "probably none was new, and at most %,d", lost.atMost());
    } else {
      words =
          String.format(
              Locale.ROOT, "about %,.0f were new, and at most %,d", lost.expected(), lost.atMost());
    }
    return words + " (but for a chance of one in a million)";
  }
}
