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

  private static final Separators COLON =
      Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER);

  private Json() {}

  /** Writes {@link Members}, or a list of them, to the standard output. */
  public static void print(Session session, Object value) throws IOException {
    session.out().write(bytes(value));
  }

  /**
   * Writes a value to the standard error, where the output is used for something else; even if
   * quiet.
   */
  public static void say(Session session, Members members) throws IOException {
    session.err().write(bytes(members));
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Members members) {
      write(json, members.asMap());
    } else if (value instanceof Map<?, ?> members) {
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

  private static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonEscapes.factory().createGenerator(bytes)) {
      write(json.setPrettyPrinter(new DefaultPrettyPrinter(COLON)), value);
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }
}
