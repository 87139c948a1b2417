package io.bloomery.conformance.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A JSON object with fields sorted by name. A value is a text, a number, a boolean, an object, a
 * list of values, or null.
 */
final class JsonObject {

  /**
   * The number of significant digits of fractions. The rest is far below any relevant error, and
   * rounding hides that logarithms and powers may differ in the last bit between processors.
   */
  private static final MathContext DIGITS = new MathContext(12, RoundingMode.HALF_EVEN);

  private final Map<String, Object> values = new TreeMap<>();

  /** Sets a field and returns this object. Empty optionals, NaN and infinities become null. */
  JsonObject with(String name, Object value) {
    values.put(name, normal(value));
    return this;
  }

  private static Object normal(Object value) {
    if (value instanceof Optional<?> optional) {
      return optional.map(JsonObject::normal).orElse(null);
    }
    if (value instanceof Collection<?> collection) {
      List<Object> list = new ArrayList<>();
      collection.forEach(element -> list.add(normal(element)));
      return Collections.unmodifiableList(list);
    }
    if (value instanceof String text) {
      // An unpaired surrogate cannot be encoded in UTF-8.
      return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
    }
    if (value instanceof Double number) {
      return Double.isFinite(number) ? normal(new BigDecimal(number).round(DIGITS)) : null;
    }
    if (value instanceof Integer || value instanceof Long) {
      return BigDecimal.valueOf(((Number) value).longValue());
    }
    if (value instanceof BigDecimal number) {
      BigDecimal shortest = number.stripTrailingZeros();
      return shortest.scale() < 0 && shortest.scale() > -20 ? shortest.setScale(0) : shortest;
    }
    return value;
  }

  /** Returns the fields, sorted by name. */
  Map<String, Object> fields() {
    return Collections.unmodifiableMap(values);
  }
}
