package io.bloomery.cli.session;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Writes JSON for people and programs: indented, in UTF-8, with a line end. */
public final class Json {

  /** The content of one value. */
  public interface Content {
    void writeTo(JsonGenerator json) throws IOException;
  }

  private static final Separators COLON =
      Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);

  private Json() {}

  /** Writes a value to the standard output. */
  public static void print(Session session, Content content) throws IOException {
    session.out().write(bytes(content));
  }

  /**
   * Writes a value to the standard error, where the output is used for something else; even if
   * quiet.
   */
  public static void say(Session session, Content content) throws IOException {
    session.err().write(bytes(content));
  }

  /** Writes text, a number, a truth value, null, or a map or list of these. */
  static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Map<?, ?> members) {
      json.writeStartObject();
      for (Map.Entry<?, ?> member : members.entrySet()) {
        json.writeFieldName(member.getKey().toString());
        write(json, member.getValue());
      }
      json.writeEndObject();
    } else if (value instanceof List<?> elements) {
      json.writeStartArray();
      for (Object element : elements) {
        write(json, element);
      }
      json.writeEndArray();
    } else {
      json.writePOJO(value);
    }
  }

  private static byte[] bytes(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonEscapes.factory().createGenerator(bytes)) {
      content.writeTo(json.setPrettyPrinter(new DefaultPrettyPrinter(COLON)));
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }
}
