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
    for (Map.Entry<String, Long> number : new TreeMap<>(filter.layout()).entrySet()) {
      row(text, "layout " + number.getKey(), "%,d", number.getValue());
    }
    row(
        text,
        "size",
        "%,d bits (%.2f for each key asked), %,d bytes of file",
        stats.sizeInBits(),
        bitsPerKey(spec, stats),
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

  private static double bitsPerKey(FilterSpec spec, FilterStats stats) {
    return (double) stats.sizeInBits() / spec.expectedKeys();
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
    out.writeObjectFieldStart("layout");
    for (Map.Entry<String, Long> number : new TreeMap<>(filter.layout()).entrySet()) {
      out.writeNumberField(number.getKey(), number.getValue());
    }
    out.writeEndObject();
    out.writeNumberField("sizeInBits", stats.sizeInBits());
    out.writeNumberField("bitsPerKey", bitsPerKey(spec, stats));
    out.writeNumberField("sizeInBytes", Bloomery.serializedSize(filter));
    out.writeStringField("checksums", "ok");
    out.writeEndObject();
  }
}
