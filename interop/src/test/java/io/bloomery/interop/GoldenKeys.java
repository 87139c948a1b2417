package io.bloomery.interop;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The keys that the golden files were made of, and their manifests. */
final class GoldenKeys {

  private GoldenKeys() {}

  /** Returns member {@code i} of {@code count} keys, or the absent key {@code i}. */
  static Object key(String kind, int i, int count, boolean member, List<?> edgeKeys) {
    String text = (member ? "key-" : "absent-") + i;
    long number = member ? i : 1_000_000L + i;
    long mixed = member ? i - count / 2 : number;
    return switch (kind) {
      case "string" -> text;
      case "text-of-any-length" ->
          (member ? "key-" : "absent-") + (100_000 + i) + "\u00e9".repeat(i % 200);
      case "bytes-utf8" -> text.getBytes(StandardCharsets.UTF_8);
      case "bytes-sha512" -> Arrays.copyOf(sha512(text), 4 + i % 37);
      case "long" -> number;
      case "int" -> (int) number;
      case "long-mixed" -> mixed * 0x9E3779B97F4A7C15L;
      case "int-mixed" -> (int) mixed * 0x9E3779B9;
      case "edge" ->
          member
              ? HexFormat.of().parseHex((String) edgeKeys.get(i))
              : text.getBytes(StandardCharsets.UTF_8);
      default -> throw new IllegalArgumentException(kind);
    };
  }

  private static byte[] sha512(String text) {
    try {
      return MessageDigest.getInstance("SHA-512").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] resource(String name) {
    try (InputStream in = GoldenKeys.class.getResourceAsStream("/golden/" + name)) {
      return Objects.requireNonNull(in, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @SuppressWarnings("unchecked")
  static Map<String, Object> json(String name) {
    try (JsonParser parser = new JsonFactory().createParser(resource(name))) {
      parser.nextToken();
      return (Map<String, Object>) value(parser);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object value(JsonParser parser) throws IOException {
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          object.put(name, value(parser));
        }
        return object;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(parser));
        }
        return list;
      }
      case VALUE_NUMBER_INT -> {
        return parser.getBigIntegerValue().longValue();
      }
      default -> {
        return parser.getText();
      }
    }
  }
}
