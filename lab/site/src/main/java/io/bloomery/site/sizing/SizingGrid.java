package io.bloomery.site.sizing;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * The plans that the sizing page shows: of every variant, for each of these numbers of keys or of
 * bytes, at each of these rates. The numbers are those of {@code plan()}, written as {@code
 * bloomery size} prints them.
 */
public final class SizingGrid {

  /** The numbers of keys: 1, 2 and 5 times each power of ten. */
  public static final List<Long> KEYS = steps(3, 10);

  /** The sizes in bytes: 1, 2 and 5 times each power of ten. */
  public static final List<Long> BYTES = steps(4, 10);

  /** The rates. */
  public static final List<Double> RATES =
      List.of(0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 5e-4, 2e-4, 1e-4, 1e-5, 1e-6, 1e-9);

  private static final String[] UNITS = {"KB", "MB", "GB"};

  private final Bloomery bloomery;

  /**
   * Prepares to plan filters of all variants that are installed.
   *
   * @throws IllegalArgumentException if there is none
   */
  public SizingGrid(Bloomery bloomery) {
    if (bloomery.providers().variants().isEmpty()) {
      throw new IllegalArgumentException(
          "variants must be installed to plan filters, but there are none; put their modules on the"
              + " class path");
    }
    this.bloomery = bloomery;
  }

  private static List<Long> steps(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToLong(exponent -> (long) Math.pow(10, exponent))
        .flatMap(power -> LongStream.of(power, 2 * power, 5 * power))
        .filter(step -> step <= Math.pow(10, last))
        .boxed()
        .toList();
  }

  private interface Planner {
    FilterPlan plan(String variant, double rate);
  }

  /** Returns all plans as a JSON object. */
  public String toJson() throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.writeStartObject();
      names(json, "variants", variants().stream());
      names(json, "rates", RATES.stream().map(SizingGrid::plain));
      names(json, "keys", KEYS.stream().map(Object::toString));
      names(json, "bytes", BYTES.stream().map(SizingGrid::size));
      json.writeArrayFieldStart("plans");
      for (long keys : KEYS) {
        plans(
            json,
            (variant, rate) ->
                bloomery.providers().variant(variant).plan(FilterSpec.of(keys, rate)));
      }
      for (long bytes : BYTES) {
        plans(
            json,
            (variant, rate) ->
                bloomery
                    .<Long>keys(KeyHasher.longs())
                    .within(bytes)
                    .variant(variant)
                    .maxKeys(rate));
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    return text.toString();
  }

  private Collection<String> variants() {
    return bloomery.providers().variants();
  }

  private static void names(JsonGenerator json, String field, Stream<String> names)
      throws IOException {
    json.writeArrayFieldStart(field);
    for (String name : names.toList()) {
      json.writeString(name);
    }
    json.writeEndArray();
  }

  /** Writes for each rate an array with the plan of each variant. */
  private void plans(JsonGenerator json, Planner planner) throws IOException {
    json.writeStartArray();
    for (double rate : RATES) {
      json.writeStartArray();
      for (String variant : variants()) {
        try {
          write(json, planner.plan(variant, rate));
        } catch (IllegalArgumentException e) {
          json.writeString(e.getMessage());
        }
      }
      json.writeEndArray();
    }
    json.writeEndArray();
  }

  private void write(JsonGenerator json, FilterPlan plan) throws IOException {
    long keys = plan.spec().expectedKeys();
    json.writeStartArray();
    json.writeString(format("%,d", keys));
    json.writeString(format("%,d", plan.sizeInBits() / Byte.SIZE));
    json.writeString(format("%.2f", plan.bitsPerKey()));
    json.writeString(format("%d", plan.probes()));
    json.writeString(format("%.3g", plan.falsePositiveRate(keys)));
    boolean isBuiltOnce =
        bloomery.providers().variant(plan.variant()) instanceof StaticFilterProvider;
    json.writeString(isBuiltOnce ? "-" : format("%.3g", plan.falsePositiveRate(2 * keys)));
    json.writeString(plan.description().queryCost());
    json.writeEndArray();
  }

  private static String format(String format, Object value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static String plain(double rate) {
    return BigDecimal.valueOf(rate).stripTrailingZeros().toPlainString();
  }

  private static String size(long bytes) {
    int unit = 0;
    long count = bytes / 1_000;
    while (count >= 1_000) {
      count /= 1_000;
      unit++;
    }
    return count + " " + UNITS[unit];
  }
}
