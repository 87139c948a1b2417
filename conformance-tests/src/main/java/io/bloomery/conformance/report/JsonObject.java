package io.bloomery.conformance.report;

import java.io.IOException;
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

  private final Map<String, Object> values;
  private final String path;

  /** Creates an object without fields. */
  JsonObject() {
    this(new TreeMap<>(), "");
  }

  private JsonObject(Map<String, Object> values, String path) {
    this.values = values;
    this.path = path;
  }

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
      // 20 instead of 2E+1, but not a billion digits if a file contains such an exponent.
      return shortest.scale() < 0 && shortest.scale() > -20 ? shortest.setScale(0) : shortest;
    }
    return value;
  }

  /** Returns the fields, sorted by name. */
  Map<String, Object> fields() {
    return Collections.unmodifiableMap(values);
  }

  /** Returns whether a field has a value. */
  boolean has(String name) {
    return values.get(name) != null;
  }

  String text(String name) throws IOException {
    return get(name, String.class, "a text");
  }

  boolean flag(String name) throws IOException {
    return get(name, Boolean.class, "true or false");
  }

  double number(String name) throws IOException {
    return get(name, BigDecimal.class, "a number").doubleValue();
  }

  /** Returns the value of a field that is a count. */
  long count(String name) throws IOException {
    BigDecimal number = get(name, BigDecimal.class, "a whole number");
    try {
      return number.longValueExact();
    } catch (ArithmeticException e) {
      throw wrong(name, "a whole number");
    }
  }

  JsonObject object(String name) throws IOException {
    return new JsonObject(get(name, JsonObject.class, "an object").values, path + name + ".");
  }

  List<String> texts(String name) throws IOException {
    List<String> texts = new ArrayList<>();
    for (Object element : get(name, List.class, "a list of texts")) {
      if (!(element instanceof String text)) {
        throw wrong(name, "a list of texts");
      }
      texts.add(text);
    }
    return texts;
  }

  List<JsonObject> objects(String name) throws IOException {
    List<JsonObject> objects = new ArrayList<>();
    for (Object element : get(name, List.class, "a list of objects")) {
      if (!(element instanceof JsonObject object)) {
        throw wrong(name, "a list of objects");
      }
      objects.add(new JsonObject(object.values, path + name + "[]."));
    }
    return objects;
  }

  private <T> T get(String name, Class<T> type, String what) throws IOException {
    Object value = values.get(name);
    if (!type.isInstance(value)) {
      throw wrong(name, what);
    }
    return type.cast(value);
  }

  private IOException wrong(String name, String what) {
    String found = values.containsKey(name) ? "has something else" : "has no such field";
    return new IOException("must have " + what + " at " + path + name + ", but " + found);
  }
}
