package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import java.util.Locale;

/** How numbers are written. */
final class Numbers {

  private Numbers() {}

  /** Writes nanoseconds, or what is easier to read from a thousand of them on. */
  static String nanos(double nanos) {
    if (nanos < 1e4) {
      return three(nanos);
    }
    return nanos < 1e7 ? three(nanos / 1e3) + " µs" : three(nanos / 1e6) + " ms";
  }

  static String ratio(double ratio) {
    return format(ratio < 10 ? "%.2f" : "%.1f", ratio);
  }

  static String ratios(Quartiles ratios) {
    return ratio(ratios.lower()) + " – " + ratio(ratios.upper());
  }

  /** Writes whole numbers as such, and at least three digits of others. */
  static String digits(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return format("%,.0f", value);
    }
    return Math.abs(value) < 0.1 ? format("%.3g", value) : three(value);
  }

  /** Writes a power of ten as such, since that is how sizes are spoken of. */
  static String keys(long keys) {
    String text = Long.toString(keys);
    return text.matches("10{3,}") ? "10^" + (text.length() - 1) : format("%,d", keys);
  }

  private static String three(double value) {
    double size = Math.abs(value);
    return format(size < 10 ? "%.2f" : size < 100 ? "%.1f" : "%,.0f", value);
  }

  private static String format(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }
}
