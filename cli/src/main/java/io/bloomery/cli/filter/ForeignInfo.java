package io.bloomery.cli.filter;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.session.VisibleText;
import io.bloomery.filter.FilterStats;
import io.bloomery.interop.ForeignRate;
import java.io.IOException;
import java.util.Locale;

/** The description of a filter of another system, from its header and its bits. */
final class ForeignInfo {

  private final ForeignFile file;
  private final FilterStats stats;
  private final ForeignRate rate;

  ForeignInfo(ForeignFile file) {
    this.file = file;
    this.stats = file.filter().stats();
    this.rate = file.filter().rate();
  }

  String text() {
    StringBuilder text = new StringBuilder(VisibleText.line(file.path().toString()) + "\n");
    row(text, "format", "%s", file.filter().format());
    row(text, "layout", "%s", layout());
    row(text, "estimated keys", "%s", InfoCommand.estimatedKeys(stats));
    row(text, "estimated rate", "%s", estimatedRate());
    row(text, "fill", "%.2f %% of the bits are set", 100 * stats.fill());
    row(text, "size", "%,d bits, %,d bytes of file", stats.sizeInBits(), file.sizeInBytes());
    row(
        text,
        "checksums",
        "%s",
        hasChecksum() ? "ok" : "none: this format has none, so that damage may go unseen");
    return text.toString();
  }

  /** Returns the rate, with the interval of one that was measured, and what the system states. */
  private String estimatedRate() {
    String estimate = String.format(Locale.ROOT, "%.6g", rate.rate());
    return rate.lowest() == rate.highest()
        ? estimate
        : estimate
            + String.format(
                Locale.ROOT,
                ", from %.3g to %.3g; %.3g if positions were independent",
                rate.lowest(),
                rate.highest(),
                rate.ifIndependent());
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
    out.writeNumberField("estimatedRate", rate.rate());
    out.writeNumberField("lowestRate", rate.lowest());
    out.writeNumberField("highestRate", rate.highest());
    out.writeNumberField("rateIfIndependent", rate.ifIndependent());
    out.writeNumberField("setBits", stats.setBits());
    out.writeNumberField("fill", stats.fill());
    out.writeNumberField("sizeInBits", stats.sizeInBits());
    out.writeNumberField("sizeInBytes", file.sizeInBytes());
    out.writeStringField("checksums", hasChecksum() ? "ok" : "none");
    out.writeEndObject();
  }
}
