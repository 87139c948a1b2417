package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.util.Locale;

/** The description of a filter of another system, from its header and its bits. */
final class ForeignInfo {

  private final ForeignFile file;
  private final FilterStats stats;

  ForeignInfo(ForeignFile file) {
    this.file = file;
    this.stats = file.filter().stats();
  }

  String text() {
    StringBuilder text = new StringBuilder(VisibleText.line(file.path().toString()) + "\n");
    row(text, "format", "%s", file.filter().format());
    row(text, "layout", "%s", layout());
    row(text, "estimated keys", "%s", InfoCommand.estimatedKeys(stats));
    row(text, "estimated rate", "%.6g", stats.falsePositiveRate());
    row(text, "fill", "%.2f %% of the bits are set", 100 * stats.fill());
    row(text, "size", "%,d bits, %,d bytes of file", stats.sizeInBits(), file.sizeInBytes());
    row(
        text,
        "checksums",
        "%s",
        hasChecksum() ? "ok" : "none: this format has none, so that damage may go unseen");
    return text.toString();
  }

  private boolean hasChecksum() {
    return file.filter().format().hasChecksum();
  }

  /** Returns the layout without the format at its beginning. */
  private String layout() {
    String layout = file.filter().layout();
    return layout.substring(layout.indexOf(": ") + 2);
  }

  private static void row(StringBuilder text, String name, String format, Object... values) {
    InfoCommand.row(text, name, String.format(Locale.ROOT, format, values));
  }

  void writeTo(JsonGenerator out) throws IOException {
    out.writeStartObject();
    out.writeStringField("file", file.path().toString());
    out.writeStringField("format", file.filter().format().id());
    out.writeStringField("layout", layout());
    if (stats.approximateKeys().isPresent()) {
      out.writeNumberField("estimatedKeys", stats.approximateKeys().getAsLong());
    } else {
      out.writeNullField("estimatedKeys");
    }
    out.writeNumberField("estimatedRate", stats.falsePositiveRate());
    out.writeNumberField("setBits", stats.setBits());
    out.writeNumberField("fill", stats.fill());
    out.writeNumberField("sizeInBits", stats.sizeInBits());
    out.writeNumberField("sizeInBytes", file.sizeInBytes());
    out.writeStringField("checksums", hasChecksum() ? "ok" : "none");
    out.writeEndObject();
  }
}
