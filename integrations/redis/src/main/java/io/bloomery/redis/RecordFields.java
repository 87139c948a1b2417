package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterFormatException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * The fields of a record, as a server has them. What is not as it must be is an {@link
 * IllegalArgumentException} that names the field and its value.
 */
final class RecordFields {

  private static final int SHOWN = 40;

  private final Map<String, byte[]> fields = new HashMap<>();

  /** Creates them from names and values in turns. */
  RecordFields(List<?> reply) {
    for (int i = 0; i + 1 < reply.size(); i += 2) {
      fields.put(ascii((byte[]) reply.get(i)), (byte[]) reply.get(i + 1));
    }
  }

  Set<String> names() {
    return fields.keySet();
  }

  boolean has(String name) {
    return fields.containsKey(name);
  }

  byte[] bytes(String name) {
    byte[] value = fields.get(name);
    if (value == null) {
      throw new IllegalArgumentException("it must have a field '" + name + "', but has none");
    }
    return value;
  }

  byte[] bytes(String name, int size) {
    byte[] value = bytes(name);
    if (value.length != size) {
      throw new IllegalArgumentException(
          "its field '" + name + "' must have " + size + " bytes, but has " + value.length);
    }
    return value;
  }

  String text(String name) {
    return ascii(bytes(name));
  }

  long number(String name) {
    return parsed(name, "a whole number", Long::parseLong);
  }

  /** Returns what a function makes of a field; it throws if the field is not what it must be. */
  <T> T parsed(String name, String must, Function<String, T> parse) {
    try {
      return parse.apply(text(name));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "its field '" + name + "' must be " + must + ", but is " + shown(bytes(name)), e);
    }
  }

  FilterHeader header(String name) {
    try {
      return FilterHeader.ofBytes(bytes(name));
    } catch (FilterFormatException e) {
      throw new IllegalArgumentException(
          "its field '" + name + "' must be the header of a filter: " + e.getMessage(), e);
    }
  }

  void requireFormat(String version) {
    if (!version.equals(text(FilterRecord.FORMAT))) {
      throw new IllegalArgumentException(
          "its format must be " + version + ", but is " + shown(bytes(FilterRecord.FORMAT)));
    }
  }

  /** Returns a value for people: its length if it is long, or no plain text. */
  static String shown(byte[] value) {
    String text = ascii(value);
    return text.length() <= SHOWN && text.matches("[ -~]+") ? text : value.length + " bytes";
  }

  private static String ascii(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }
}
