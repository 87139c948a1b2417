package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.input.Container;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.key.SecretCheckOption;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.session.Description;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.LiveState;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyForm;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes a saved filter. */
@Command(
    name = "info",
    description = "Show all properties of the filter, the window or the folder of shards in FILE.",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footer = "  bloomery info --json seen.bloom")
public final class InfoCommand extends SessionCommand {

  /**
   * The labels of attributes with a meaning for Bloomery. Others may have any name, even that of a
   * row, and are shown as they were given to create.
   */
  private static final Map<String, String> LABELS =
      Map.of(
          KeyForm.ATTRIBUTE,
          "key form",
          InputFormat.CONTAINER,
          "keys from",
          FilterSpec.FOLDABLE,
          "foldable",
          FilterSpec.INTERSECTION,
          "intersection");

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private SecretCheckOption secretOption;

  @Mixin private ForeignOptions foreign;

  @Parameters(paramLabel = "FILE", description = "A filter of any kind; - is the standard input.")
  private Path file;

  @Override
  public Integer call() throws Failure, IOException {
    Optional<ForeignFormat> format = foreign.format(session(), List.of(file));
    if (format.isPresent()) {
      ForeignOptions.refuse(
          secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
      ForeignInfo.describe(ForeignFile.read(session(), file, format.get())).print(session(), json);
      return ExitCode.OK;
    }
    Optional<SecretFile> secret = secretOption.read(session());
    if (!StandardStreams.isNamedBy(file) && SavedWindow.isIn(file)) {
      describeWindow(secret);
      return ExitCode.OK;
    }
    SavedFilter filter =
        SavedFilter.open(
            session(),
            file,
            header -> {
              if (secret.isPresent()) {
                secret.get().check(file.toString(), header.spec().hashId());
              }
            });
    describe(filter).print(session(), json);
    return ExitCode.OK;
  }

  private void describeWindow(Optional<SecretFile> secret) throws Failure, IOException {
    SavedWindow window = SavedWindow.open(session(), file);
    if (secret.isPresent()) {
      secret.get().check(file.toString(), window.window().spec().hashId());
    }
    window.describe().print(session(), json);
  }

  private static Description describe(SavedFilter filter) throws Failure {
    FilterSpec spec = filter.spec();
    FilterStats stats = filter.stats();
    FilterDescription words = filter.description();
    Description about = new Description("file", filter.path().toString());
    about.fact("variant", "variant", filter.variant());
    about.fact("hash", "hashId", spec.hashId());
    describeKeys(about, spec);
    about.fact("expected keys", "expectedKeys", "%,d", spec.expectedKeys());
    about.member("intersection", spec.isIntersection());
    if (spec.isIntersection()) {
      about.row(
          "estimated keys",
          "cannot be told: bits of an intersection are of keys that it lacks, too");
      about.member("estimatedKeys", null);
    } else {
      describeEstimatedKeys(about, stats);
    }
    about.fact("target rate", "targetRate", "%s", spec.falsePositiveRate());
    about.fact("estimated rate", "estimatedRate", "%.6g", stats.falsePositiveRate());
    describeFill(about, stats);
    about.member("setBits", stats.setBits());
    about.row("layout", "%s", words.structure().isEmpty() ? "of this variant" : words.structure());
    about.member("structure", words.structure());
    describeNumbers(about, "layout", filter.layout().toMap(), words);
    describeNumbers(about, "parts", words.parts(), words);
    about.member("meanings", words.meanings());
    if (!words.queryCost().isEmpty()) {
      about.row("query", "%s", words.queryCost());
    }
    about.member("queryCost", words.queryCost());
    about.row(
        "size",
        "%,d bits (%.2f for each %s key), %,d bytes of file",
        payloadBits(filter),
        bitsPerKey(filter, stats),
        hasOutgrown(spec, stats) ? "estimated" : "expected",
        filter.sizeInBytes());
    about.member("sizeInBits", stats.sizeInBits());
    about.member("payloadInBits", payloadBits(filter));
    about.member("bitsPerKey", bitsPerKey(filter, stats));
    about.member("sizeInBytes", filter.sizeInBytes());
    boolean isOpen = filter.live().map(LiveState::isOpen).orElse(false);
    filter.live().ifPresent(state -> about.fact("live file", "live", state.toString()));
    // A file whose checksums do not match cannot be opened.
    return about.fact("checksums", "checksums", isOpen ? "not made yet" : "ok");
  }

  private static void describeKeys(Description about, FilterSpec spec) {
    about.member("keyForm", spec.keyForm());
    about.member(
        "keysFrom",
        spec.attributes().getOrDefault(InputFormat.CONTAINER, Container.LINES.toString()));
    SortedMap<String, String> others = new TreeMap<>(spec.attributes());
    others.keySet().removeAll(LABELS.keySet());
    about.member("foldable", spec.isFoldable());
    about.member("attributes", others);
    spec.attributes()
        .forEach(
            (name, value) -> {
              if (LABELS.containsKey(name)) {
                about.row(LABELS.get(name), "%s", value);
              } else {
                about.row("attribute", "%s=%s", name, value);
              }
            });
  }

  static void describeEstimatedKeys(Description about, FilterStats stats) {
    if (stats.approximateKeys().isPresent()) {
      about.fact(
          "estimated keys", "estimatedKeys", "about %,d", stats.approximateKeys().getAsLong());
    } else {
      about.row("estimated keys", "more than can be told: every bit is set");
      about.member("estimatedKeys", null);
    }
  }

  static void describeFill(Description about, FilterStats stats) {
    about.row("fill", "%.2f %% of the bits are set", 100 * stats.fill());
    about.member("fill", stats.fill());
  }

  private static void describeNumbers(
      Description about, String member, Map<String, Long> numbers, FilterDescription words) {
    about.member(member, numbers);
    numbers.forEach(
        (name, value) ->
            about.line(
                "    %-16s %14s  %s",
                name,
                value == Long.MAX_VALUE ? "no limit" : String.format(Locale.ROOT, "%,d", value),
                words.meanings().getOrDefault(name, "")));
  }

  /** Returns the size of everything the filter holds, not only of the bits that queries read. */
  private static long payloadBits(SavedFilter filter) {
    return filter.payloadSize() * Byte.SIZE;
  }

  /**
   * Returns whether there are more keys than expected, because the filter is overfull or has grown.
   */
  private static boolean hasOutgrown(FilterSpec spec, FilterStats stats) {
    boolean hasGrown =
        stats.excessKeys().equals(OptionalLong.of(0))
            && stats.approximateKeys().orElse(0) > spec.expectedKeys();
    return stats.approximateKeys().isPresent() && (stats.isOverfull() || hasGrown);
  }

  private static double bitsPerKey(SavedFilter filter, FilterStats stats) {
    FilterSpec spec = filter.spec();
    long keys =
        hasOutgrown(spec, stats) ? stats.approximateKeys().getAsLong() : spec.expectedKeys();
    return (double) payloadBits(filter) / keys;
  }
}
