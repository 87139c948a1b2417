package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Describes a saved filter. */
@Command(
    name = "info",
    description = "Show everything that the filter in FILE says of itself.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footerHeading = "%nExample:%n",
    footer = "  bloomery info --json seen.bloom")
final class InfoCommand implements Callable<Integer> {

  private final Session session;

  @Option(names = "--json", description = "Print a JSON object.")
  private boolean json;

  @Parameters(paramLabel = "FILE", description = "A filter of any kind.")
  private Path file;

  InfoCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() throws Failure, IOException {
    Filter filter;
    try {
      filter = session.bloomery().open(file, ThreadMode.CONFINED);
    } catch (IOException e) {
      throw Failure.reading(file, e);
    }
    FilterStats stats = filter.stats();
    if (json) {
      Json.print(session, out -> write(out, filter, stats));
    } else {
      session.print(describe(filter, stats));
    }
    return ExitCode.OK;
  }

  private String describe(Filter filter, FilterStats stats) {
    FilterSpec spec = filter.spec();
    StringBuilder text = new StringBuilder(file + "\n");
    row(text, "variant", "%s", filter.variant());
    row(text, "hash", "%s", spec.hashId());
    row(text, "keys asked", "%,d", spec.expectedKeys());
    row(text, "keys now", "%s", keysNow(stats));
    row(text, "rate asked", "%s", spec.falsePositiveRate());
    row(text, "rate now", "%.6g", stats.falsePositiveRate());
    row(text, "fill", "%.2f %% of the bits are set", 100 * stats.fill());
    LayoutWords words = LayoutWords.of(filter);
    row(text, "layout", "%s", words.shape().isEmpty() ? "of this variant" : words.shape());
    numbers(text, new TreeMap<>(filter.layout()));
    numbers(text, words.parts());
    row(
        text,
        "size",
        "%,d bits (%.2f for each key %s), %,d bytes of file",
        payloadBits(filter),
        bitsPerKey(filter, stats),
        hasOutgrown(spec, stats) ? "now" : "asked",
        Bloomery.serializedSize(filter));
    // A file whose checksums do not match is not opened at all.
    row(text, "checksums", "ok");
    return text.toString();
  }

  private static String keysNow(FilterStats stats) {
    return stats.approximateKeys().isEmpty()
        ? "more than can be told: every bit is set"
        : String.format(Locale.ROOT, "about %,d", stats.approximateKeys().getAsLong());
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    text.append(
        String.format(
            Locale.ROOT, "  %-16s %s\n", name, String.format(Locale.ROOT, format, values)));
  }

  private static void numbers(StringBuilder text, Map<String, Long> numbers) {
    for (Map.Entry<String, Long> number : numbers.entrySet()) {
      long value = number.getValue();
      String row =
          String.format(
              Locale.ROOT,
              "    %-16s %14s  %s",
              number.getKey(),
              value == Long.MAX_VALUE ? "no limit" : String.format(Locale.ROOT, "%,d", value),
              LayoutWords.meaning(number.getKey()));
      text.append(row.stripTrailing()).append('\n');
    }
  }

  /** Returns the size of everything the filter holds, not only of what queries look at. */
  private static long payloadBits(Filter filter) {
    return filter.payloadSize() * Byte.SIZE;
  }

  private static boolean hasOutgrown(FilterSpec spec, FilterStats stats) {
    return stats.approximateKeys().isPresent() && LineFilter.holdsMoreThan(spec, stats);
  }

  private static double bitsPerKey(Filter filter, FilterStats stats) {
    FilterSpec spec = filter.spec();
    long keys =
        hasOutgrown(spec, stats) ? stats.approximateKeys().getAsLong() : spec.expectedKeys();
    return (double) payloadBits(filter) / keys;
  }

  private void write(JsonGenerator out, Filter filter, FilterStats stats) throws IOException {
    FilterSpec spec = filter.spec();
    out.writeStartObject();
    out.writeStringField("file", file.toString());
    out.writeStringField("variant", filter.variant());
    out.writeStringField("hashId", spec.hashId());
    out.writeNumberField("keysAsked", spec.expectedKeys());
    if (stats.approximateKeys().isPresent()) {
      out.writeNumberField("keysNow", stats.approximateKeys().getAsLong());
    } else {
      out.writeNullField("keysNow");
    }
    out.writeNumberField("rateAsked", spec.falsePositiveRate());
    out.writeNumberField("rateNow", stats.falsePositiveRate());
    out.writeNumberField("setBits", stats.setBits());
    out.writeNumberField("fill", stats.fill());
    LayoutWords words = LayoutWords.of(filter);
    out.writeStringField("shape", words.shape());
    write(out, "layout", new TreeMap<>(filter.layout()));
    write(out, "parts", words.parts());
    out.writeNumberField("sizeInBits", stats.sizeInBits());
    out.writeNumberField("payloadInBits", payloadBits(filter));
    out.writeNumberField("bitsPerKey", bitsPerKey(filter, stats));
    out.writeNumberField("sizeInBytes", Bloomery.serializedSize(filter));
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
}
