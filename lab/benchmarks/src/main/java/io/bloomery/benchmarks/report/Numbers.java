package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Figures.Quartiles;
import java.util.Locale;

/** The formatting of numbers. */
final class Numbers {

  private Numbers() {}

  /** Formats nanoseconds, in a larger unit from a thousand on. */
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

  /** Formats whole numbers as such, and others with at least three digits. */
  static String digits(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e15) {
      return format("%,.0f", value);
    }
    return Math.abs(value) < 0.1 ? format("%.3g", value) : three(value);
  }

  /** Formats a power of ten as such, as is usual for sizes. */
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
