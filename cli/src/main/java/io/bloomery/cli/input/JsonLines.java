package io.bloomery.cli.input;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;
import io.bloomery.cli.session.JsonEscapes;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes lines of inputs as JSON, one object per line. */
public final class JsonLines implements AutoCloseable, Flushable {

  private final JsonGenerator json;
  private final InputFormat format;

  /** Creates a writer of lines that were read in this format. */
  public JsonLines(OutputStream out, InputFormat format) throws IOException {
    this.format = format;
    json =
        JsonEscapes.factory()
            .createGenerator(out)
            .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .setPrettyPrinter(new MinimalPrettyPrinter(""));
  }

  public void write(LineBatch batch, int i) throws IOException {
    json.writeStartObject();
    writeMembers(batch, i);
  }

  /** Writes a line and the filters that it may be in. */
  public void write(LineBatch batch, int i, List<String> filters) throws IOException {
    json.writeStartObject();
    json.writeFieldName("filters");
    json.writeArray(filters.toArray(new String[0]), 0, filters.size());
    writeMembers(batch, i);
  }

  private void writeMembers(LineBatch batch, int i) throws IOException {
    byte[] line = batch.line(i);
    json.writeStringField("input", batch.name());
    json.writeNumberField("line", batch.number(i));
    write("text", line);
    if (format.container().fields() > 1) {
      writeFields(batch.key(i));
    } else {
      byte[] key = format.syntax().written(batch.key(i));
      if (!Arrays.equals(line, key)) {
        write("key", key);
      }
    }
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void writeFields(byte[] key) throws IOException {
    ByteBuffer joined = ByteBuffer.wrap(key).order(ByteOrder.LITTLE_ENDIAN);
    json.writeFieldName("key");
    json.writeStartArray();
    while (joined.hasRemaining()) {
      byte[] field = new byte[joined.getInt()];
      joined.get(field);
      write(field);
    }
    json.writeEndArray();
  }

  private void write(String name, byte[] bytes) throws IOException {
    json.writeFieldName(name);
    write(bytes);
  }

  private void write(byte[] bytes) throws IOException {
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
