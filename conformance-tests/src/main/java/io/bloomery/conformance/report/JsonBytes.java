package io.bloomery.conformance.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.PrettyPrinter;
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
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** The encoding of JSON objects in UTF-8. */
final class JsonBytes {

  private static final JsonFactory FACTORY = new JsonFactory();

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
}
