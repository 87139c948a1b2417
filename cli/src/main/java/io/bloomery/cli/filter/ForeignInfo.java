package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.session.Description;
import io.bloomery.filter.FilterStats;
import io.bloomery.interop.ForeignRate;
import java.util.Locale;

/** Describes a filter of another system, from its header and its bits. */
final class ForeignInfo {

  private ForeignInfo() {}

  static Description describe(ForeignFile file) {
    FilterStats stats = file.filter().stats();
    ForeignRate rate = file.filter().rate();
    String layout = file.filter().layout();
    Description about = new Description("file", file.path().toString());
    about.fact("format", "format", file.filter().format().id());
    // Without the format at its beginning.
    about.fact("layout", "layout", layout.substring(layout.indexOf(": ") + 2));
    InfoCommand.describeEstimatedKeys(about, stats);
    about.row("estimated rate", "%s", words(rate));
    about.member("estimatedRate", rate.rate());
    about.member("lowestRate", rate.lowest());
    about.member("highestRate", rate.highest());
    about.member("rateIfIndependent", rate.ifIndependent());
    about.member("setBits", stats.setBits());
    InfoCommand.describeFill(about, stats);
    about.row("size", "%,d bits, %,d bytes of file", stats.sizeInBits(), file.sizeInBytes());
    about.member("sizeInBits", stats.sizeInBits());
    about.member("sizeInBytes", file.sizeInBytes());
    return file.filter().format().hasChecksum()
        ? about.fact("checksums", "checksums", "ok")
        : about
            .row("checksums", "none: this format has none, so that damage may go unseen")
            .member("checksums", "none");
  }

  /** Returns the rate, with the interval of one that was measured, and what the system states. */
  private static String words(ForeignRate rate) {
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
}
