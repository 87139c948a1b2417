package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.input.Container;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.key.SecretCheckOption;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyForm;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes a saved filter. */
@Command(
    name = "info",
    description = "Show all properties of the filter, the window or the folder of shards in FILE.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  bloomery info --json seen.bloom")
public final class InfoCommand implements Callable<Integer> {

  /**
   * The labels of attributes with a meaning for Bloomery. Others may have any name, even that of a
   * row, and are shown as they were given to create.
   */
  private static final Map<String, String> LABELS =
      Map.of(KeyForm.ATTRIBUTE, "key form", InputFormat.CONTAINER, "keys from");

  private final Session session;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Mixin private SecretCheckOption secretOption;

  @Mixin private ForeignOptions foreign;

  @Parameters(paramLabel = "FILE", description = "A filter of any kind; - is the standard input.")
  private Path file;

  public InfoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    Optional<ForeignFormat> format = foreign.format(session);
    if (format.isPresent()) {
      ForeignOptions.refuse(
          secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
      return describe(ForeignFile.read(session, file, format.get()));
    }
    Optional<SecretFile> secret = secretOption.read(session);
    if (!StandardStreams.isNamedBy(file) && SavedWindow.isIn(file)) {
      describeWindow(secret);
      return ExitCode.OK;
    }
    SavedFilter filter =
        SavedFilter.open(
            session,
            file,
            header -> {
              if (secret.isPresent()) {
                secret.get().check(file.toString(), header.spec().hashId());
              }
            });
    FilterStats stats = filter.stats();
    if (json) {
      Json.print(session, out -> write(out, filter, stats));
    } else {
      session.print(describe(filter, stats));
    }
    return ExitCode.OK;
  }

  private int describe(ForeignFile read) throws IOException {
    ForeignInfo info = new ForeignInfo(read);
    if (json) {
      Json.print(session, info::writeTo);
    } else {
      session.print(info.text());
    }
    return ExitCode.OK;
  }

  private void describeWindow(Optional<SecretFile> secret) throws Failure, IOException {
    SavedWindow window = SavedWindow.open(session, file);
    if (secret.isPresent()) {
      secret.get().check(file.toString(), window.window().spec().hashId());
    }
    if (json) {
      Json.print(session, window::writeTo);
    } else {
      session.print(window.describe());
    }
  }

  private String describe(SavedFilter filter, FilterStats stats) {
    FilterSpec spec = filter.spec();
    StringBuilder text = new StringBuilder(VisibleText.line(filter.path().toString()) + "\n");
    row(text, "variant", "%s", filter.variant());
    row(text, "hash", "%s", spec.hashId());
    spec.attributes()
        .forEach(
            (name, value) -> {
              if (LABELS.containsKey(name)) {
                row(text, LABELS.get(name), "%s", value);
              } else {
                row(text, "attribute", "%s=%s", name, value);
              }
            });
    row(text, "expected keys", "%,d", spec.expectedKeys());
    row(text, "estimated keys", "%s", estimatedKeys(stats));
    row(text, "target rate", "%s", spec.falsePositiveRate());
    row(text, "estimated rate", "%.6g", stats.falsePositiveRate());
    row(text, "fill", "%.2f %% of the bits are set", 100 * stats.fill());
    FilterDescription words = filter.description();
    row(text, "layout", "%s", words.structure().isEmpty() ? "of this variant" : words.structure());
    numbers(text, filter.layout().toMap(), words);
    numbers(text, words.parts(), words);
    if (!words.queryCost().isEmpty()) {
      row(text, "query", "%s", words.queryCost());
    }
    row(
        text,
        "size",
        "%,d bits (%.2f for each %s key), %,d bytes of file",
        payloadBits(filter),
        bitsPerKey(filter, stats),
        hasOutgrown(spec, stats) ? "estimated" : "expected",
        filter.sizeInBytes());
    // A file whose checksums do not match cannot be opened.
    row(text, "checksums", "ok");
    return text.toString();
  }

  static String estimatedKeys(FilterStats stats) {
    return stats.approximateKeys().isEmpty()
        ? "more than can be told: every bit is set"
        : String.format(Locale.ROOT, "about %,d", stats.approximateKeys().getAsLong());
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    row(text, name, String.format(Locale.ROOT, format, values));
  }

  static void row(StringBuilder text, String name, String value) {
    text.append(VisibleText.row(name, value));
  }

  private static void numbers(
      StringBuilder text, Map<String, Long> numbers, FilterDescription words) {
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      long value = number.getValue();
      String row =
          String.format(
              Locale.ROOT,
              "    %-16s %14s  %s",
              number.getKey(),
              value == Long.MAX_VALUE ? "no limit" : String.format(Locale.ROOT, "%,d", value),
              words.meanings().getOrDefault(number.getKey(), ""));
      text.append(row.stripTrailing()).append('\n');
    }
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

  private void write(JsonGenerator out, SavedFilter filter, FilterStats stats) throws IOException {
    FilterSpec spec = filter.spec();
    out.writeStartObject();
    out.writeStringField("file", filter.path().toString());
    out.writeStringField("variant", filter.variant());
    out.writeStringField("hashId", spec.hashId());
    out.writeStringField("keyForm", spec.keyForm());
    out.writeStringField(
        "keysFrom",
        spec.attributes().getOrDefault(InputFormat.CONTAINER, Container.LINES.toString()));
    SortedMap<String, String> others = new TreeMap<>(spec.attributes());
    others.keySet().removeAll(LABELS.keySet());
    writeTexts(out, "attributes", others);
    out.writeNumberField("expectedKeys", spec.expectedKeys());
    if (stats.approximateKeys().isPresent()) {
      out.writeNumberField("estimatedKeys", stats.approximateKeys().getAsLong());
    } else {
      out.writeNullField("estimatedKeys");
    }
    out.writeNumberField("targetRate", spec.falsePositiveRate());
    out.writeNumberField("estimatedRate", stats.falsePositiveRate());
    out.writeNumberField("setBits", stats.setBits());
    out.writeNumberField("fill", stats.fill());
    FilterDescription words = filter.description();
    out.writeStringField("structure", words.structure());
    out.writeStringField("queryCost", words.queryCost());
    write(out, "layout", filter.layout().toMap());
    write(out, "parts", words.parts());
    writeTexts(out, "meanings", words.meanings());
    out.writeNumberField("sizeInBits", stats.sizeInBits());
    out.writeNumberField("payloadInBits", payloadBits(filter));
    out.writeNumberField("bitsPerKey", bitsPerKey(filter, stats));
    out.writeNumberField("sizeInBytes", filter.sizeInBytes());
    out.writeStringField("checksums", "ok");
    out.writeEndObject();
  }

  private static void write(JsonGenerator out, String name, Map<String, Long> numbers)
      throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      out.writeNumberField(number.getKey(), number.getValue());
    }
    out.writeEndObject();
  }

  private static void writeTexts(JsonGenerator out, String name, Map<String, String> texts)
      throws IOException {
    out.writeObjectFieldStart(name);
    for (Map.Entry<String, String> text : texts.entrySet()) {
      out.writeStringField(text.getKey(), text.getValue());
    }
    out.writeEndObject();
  }
}
