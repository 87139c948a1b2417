package io.bloomery.cli.session;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

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

  private static byte[] bytes(Content content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator json = JsonEscapes.factory().createGenerator(bytes)) {
      content.writeTo(json.setPrettyPrinter(new DefaultPrettyPrinter(COLON)));
    }
    bytes.write('\n');
    return bytes.toByteArray();
  }
}
