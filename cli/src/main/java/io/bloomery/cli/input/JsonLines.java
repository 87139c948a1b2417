package io.bloomery.cli.input;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.JsonEscapes;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writes lines of inputs as JSON, one object per line. */
public final class JsonLines implements AutoCloseable, Flushable {

  private final JsonGenerator json;
  private final KeySyntax syntax;

  /** Creates a writer of lines whose keys have this syntax. */
  public JsonLines(OutputStream out, KeySyntax syntax) throws IOException {
    this.syntax = syntax;
    json =
        JsonEscapes.factory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  public void write(LineBatch batch, int i) throws IOException {
    byte[] line = batch.line(i);
    byte[] key = syntax.written(batch.key(i));
    json.writeStartObject();
    json.writeStringField("input", batch.name());
    json.writeNumberField("line", batch.number(i));
    write("text", line);
    if (!Arrays.equals(line, key)) {
      write("key", key);
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void write(String name, byte[] bytes) throws IOException {
    json.writeFieldName(name);
    try {
      json.writeString(
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException e) {
      json.writeStartObject();
      json.writeFieldName("base64");
      json.writeBinary(bytes);
      json.writeEndObject();
    }
  }

  @Override
  public void flush() throws IOException {
    if (!json.isClosed()) {
      json.flush();
    }
  }

  @Override
  public void close() throws IOException {
    json.close();
  }
}
