package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks the reader against a model that sees the whole text at once. */
class LineReaderTest {

  /** Text made of little but line ends, where all the mistakes are. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('\n', '\r', 'a', '\u00ff').ofMaxLength(24);
  }

  @Property(tries = 20_000, seed = "1")
  void linesAreTheSameWhereverTheBufferAndTheReadsEnd(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 9) int buffer,
      @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws IOException {
    List<String> lines = new ArrayList<>();
    LineReader reader = new LineReader(new InChunks(text, chunk), buffer);
    for (byte[] line = reader.next(); line != null; line = reader.next()) {
      lines.add(new String(line, StandardCharsets.ISO_8859_1));
    }
    assertEquals(model(text), lines);
  }

  @Property(tries = 20_000, seed = "2")
  void askingWhetherALineIsReadyChangesNoLine(
      @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 9) int buffer)
      throws IOException {
    List<String> lines = new ArrayList<>();
    LineReader reader = new LineReader(new InChunks(text, 3), buffer);
    while (true) {
      boolean ready = reader.ready();
      byte[] line = reader.next();
      if (line == null) {
        assertFalse(ready, "nothing is ready at the end");
        break;
      }
      lines.add(new String(line, StandardCharsets.ISO_8859_1));
    }
    assertEquals(model(text), lines);
  }

  @Property(tries = 20_000, seed = "3")
  void theCountIsTheNumberOfLines(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 9) int buffer,
      @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws IOException {
    LineReader reader = new LineReader(new InChunks(text, chunk), buffer);
    assertEquals(model(text).size(), reader.count());
  }

  @Test
  void aLineFarLongerThanTheBufferComesWhole() throws IOException {
    String text = "x".repeat(3 * LineReader.BUFFER + 1);
    LineReader reader =
        new LineReader(
            new ByteArrayInputStream((text + "\r\nshort\n").getBytes(StandardCharsets.US_ASCII)));
    assertEquals(text.length(), reader.next().length);
    assertTrue(reader.ready());
    assertEquals("short", new String(reader.next(), StandardCharsets.US_ASCII));
  }

  private static List<String> model(String text) {
    List<String> lines = new ArrayList<>();
    int from = 0;
    for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      String line = text.substring(from, end);
      lines.add(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
      from = end + 1;
    }
    if (from < text.length()) {
      // Without an LF behind it, a CR ends nothing.
      lines.add(text.substring(from));
    }
    return lines;
  }

  /** A stream that hands out a few bytes at a time. */
  private static final class InChunks extends InputStream {

    private final ByteArrayInputStream in;
    private final int chunk;

    InChunks(String text, int chunk) {
      this.in = new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
      this.chunk = chunk;
    }

    @Override
    public int read() {
      return in.read();
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      return in.read(bytes, from, Math.min(length, chunk));
    }

    @Override
    public int available() {
      return Math.min(in.available(), chunk);
    }
  }
}
