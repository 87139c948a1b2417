package io.bloomery.conformance.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The encoding of JSON objects in UTF-8, and their parser. */
final class JsonBytes {

  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonBytes() {}

  /** Returns an object on indented lines, including a final line end. */
  static byte[] lines(JsonObject object) {
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    Separators colon =
        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter(colon);
    printer.indentArraysWith(indenter);
    printer.indentObjectsWith(indenter);
    ByteArrayOutputStream bytes = write(object, printer);
    bytes.write('\n');
    return bytes.toByteArray();
  }

  /** Returns the SHA-256 of an object without white space between its tokens. */
  static String sha256(JsonObject object) {
    return sha256(write(object, new MinimalPrettyPrinter("")).toByteArray());
  }

  /** Returns the SHA-256 of some bytes in hexadecimal. */
  static String sha256(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private static ByteArrayOutputStream write(JsonObject object, PrettyPrinter printer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = FACTORY.createGenerator(bytes)) {
      write(object, json.setPrettyPrinter(printer));
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all bytes", e);
    }
    return bytes;
  }

  private static void write(Object value, JsonGenerator json) throws IOException {
    if (value instanceof JsonObject object) {
      json.writeStartObject();
      for (Map.Entry<String, Object> field : object.fields().entrySet()) {
        json.writeFieldName(field.getKey());
        write(field.getValue(), json);
      }
      json.writeEndObject();
    } else if (value instanceof List<?> list) {
      json.writeStartArray();
      for (Object element : list) {
        write(element, json);
      }
      json.writeEndArray();
    } else if (value instanceof String text) {
      json.writeString(text);
    } else if (value instanceof BigDecimal number) {
      json.writeNumber(number);
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else if (value == null) {
      json.writeNull();
    } else {
      throw new IllegalArgumentException(value.getClass() + " is no value of JSON");
    }
  }

  /**
   * Parses one object.
   *
   * @throws IOException if the bytes are anything else; the message has the position
   */
  static JsonObject parse(byte[] bytes) throws IOException {
    try (JsonParser json = FACTORY.createParser(bytes)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IOException("must be an object of JSON, but begins with something else");
      }
      JsonObject object = object(json);
      if (json.nextToken() != null) {
        throw new IOException("must be one object of JSON, but something follows it");
      }
      return object;
    } catch (JsonProcessingException e) {
      String where = e.getLocation() == null ? "" : " in line " + e.getLocation().getLineNr();
      throw new IOException("must be JSON, but is not" + where + ": " + e.getOriginalMessage(), e);
    }
  }

  private static JsonObject object(JsonParser json) throws IOException {
    JsonObject object = new JsonObject();
    while (json.nextToken() != JsonToken.END_OBJECT) {
      String name = json.currentName();
      json.nextToken();
      object.with(name, value(json));
    }
    return object;
  }

  private static Object value(JsonParser json) throws IOException {
    return switch (json.currentToken()) {
      case START_OBJECT -> object(json);
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (json.nextToken() != JsonToken.END_ARRAY) {
          list.add(value(json));
        }
        yield list;
      }
      case VALUE_STRING -> json.getText();
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> json.getDecimalValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      default -> throw new IOException("must hold values only, but has " + json.currentToken());
    };
  }
}
