package io.bloomery.cli.option;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses a duration such as {@code 90s} or {@code 7d}; the command checks its range. */
public final class TimeConverter implements ITypeConverter<Duration> {

  private static final Pattern TIME =
      Pattern.compile("([0-9]{1,9}) ?([a-z]+)", Pattern.CASE_INSENSITIVE);

  private static final Map<String, ChronoUnit> UNITS =
      Map.of(
          "s", ChronoUnit.SECONDS,
          "m", ChronoUnit.MINUTES,
          "h", ChronoUnit.HOURS,
          "d", ChronoUnit.DAYS);

  @Override
  public Duration convert(String text) {
    Matcher matcher = TIME.matcher(text);
    ChronoUnit unit =
        matcher.matches() ? UNITS.get(matcher.group(2).toLowerCase(Locale.ROOT)) : null;
    if (unit == null) {
      throw new TypeConversionException(
          "must be a whole number of s, m, h or d, but was '"
              + text
              + "'; write 90s, 15m, 24h or 7d");
    }
    return Duration.of(Long.parseLong(matcher.group(1)), unit);
  }
}
