package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.window.GenerationStats;
import io.bloomery.window.SlidingFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * A saved window in its current state: keys that have become too old since it was saved are
 * forgotten, as in any other program that opens it.
 */
record SavedWindow(Path path, SlidingFilter window, long sizeInBytes) {

  /**
   * Returns whether a file starts with the header of a window.
   *
   * @throws Failure if it cannot be read
   */
  static boolean isIn(Path path) throws Failure {
    try {
      return SlidingFilterFiles.isWindow(path);
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  /**
   * Opens the window in a file.
   *
   * @throws Failure if it cannot be read or is damaged
   */
  static SavedWindow open(Session session, Path path) throws Failure {
    try {
      SlidingFilter window =
          SlidingFilterFiles.open(path, session.bloomery().providers(), FilterLimits.HEAP);
      return new SavedWindow(path, window, Files.size(path));
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
  }

  String describe() {
    FilterSpec spec = window.spec();
    FilterStats stats = window.stats();
    StringBuilder text = new StringBuilder(VisibleText.line(path.toString()) + "\n");
    row(text, "window", "%s", words());
    row(text, "variant", "three filters of %s", window.variant());
    row(text, "hash", "%s", spec.hashId());
    spec.attributes().forEach((name, value) -> row(text, "attribute", "%s=%s", name, value));
    row(text, "target rate", "%s", spec.falsePositiveRate());
    row(text, "estimated rate", "%.6g", stats.falsePositiveRate());
    row(text, "fill", "%.2f %% of the bits are set", 100 * stats.fill());
    String name = "youngest";
    for (GenerationStats generation : window.generations()) {
      row(text, name, "%,d keys, %,d of them new", generation.keys(), generation.newKeys());
      name = name.equals("youngest") ? "older" : "oldest";
    }
    row(text, "size", "%,d bytes in memory, %,d of file", window.sizeInBytes(), sizeInBytes);
    // A file whose checksums do not match cannot be opened.
    row(text, "checksums", "ok");
    return text.toString();
  }

  private String words() {
    long keys = window.spec().expectedKeys();
    return window
        .time()
        .map(
            time ->
                String.format(Locale.ROOT, "the last %s, for %,d keys in each", words(time), keys))
        .orElseGet(() -> String.format(Locale.ROOT, "the last %,d keys", keys));
  }

  /** Returns a duration in the form that options accept, apart from the spaces: {@code 1h 30m}. */
  private static String words(Duration time) {
    return time.toString()
        .substring("PT".length())
        .replaceAll("([HM])\\B", "$1 ")
        .toLowerCase(Locale.ROOT);
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    String value = String.format(Locale.ROOT, format, values);
    text.append(String.format(Locale.ROOT, "  %-16s %s\n", name, VisibleText.line(value)));
  }

  void writeTo(JsonGenerator out) throws IOException {
    FilterSpec spec = window.spec();
    FilterStats stats = window.stats();
    List<GenerationStats> generations = window.generations();
    out.writeStartObject();
    out.writeStringField("file", path.toString());
    out.writeStringField("window", window.time().isPresent() ? "time" : "keys");
    if (window.time().isPresent()) {
      out.writeNumberField("forSeconds", window.time().get().toNanos() / 1e9);
    }
    out.writeStringField("variant", window.variant());
    out.writeStringField("hashId", spec.hashId());
    out.writeNumberField("expectedKeys", spec.expectedKeys());
    out.writeNumberField("targetRate", spec.falsePositiveRate());
    out.writeNumberField("estimatedRate", stats.falsePositiveRate());
    out.writeNumberField("fill", stats.fill());
    out.writeArrayFieldStart("generations");
    for (GenerationStats generation : generations) {
      out.writeStartObject();
      out.writeNumberField("keys", generation.keys());
      out.writeNumberField("new", generation.newKeys());
      out.writeEndObject();
    }
    out.writeEndArray();
    out.writeNumberField("sizeInBytes", sizeInBytes);
    out.writeStringField("checksums", "ok");
    out.writeEndObject();
  }
}
