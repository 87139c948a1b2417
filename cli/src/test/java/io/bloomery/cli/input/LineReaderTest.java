package io.bloomery.cli.input;

import static io.bloomery.cli.input.ReadLines.bytes;
import static io.bloomery.cli.input.ReadLines.string;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.InChunks;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Checks the reader against a model with the whole text at once. */
class LineReaderTest {

  private static final KeySyntax TRIMMED = KeySyntax.of(KeyForm.TRIM);

  /** Text that mostly consists of line ends, where mistakes are likely. */
  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().withChars('\n', '\r', 'a', '\u00ff', ' ').ofMaxLength(24);
  }

  @Property(tries = 5_000, seed = "1")
  void linesAreTheSameWhereverTheBufferAndTheReadsEnd(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 9) int buffer,
      @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws Failure, IOException {
    check(text, model(text), KeySyntax.PLAIN, buffer, chunk);
  }

  @Property(tries = 5_000, seed = "2")
  void keysAreFormedWhereverTheBufferAndTheReadsEnd(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 9) int buffer,
      @ForAll @IntRange(min = 1, max = 9) int chunk)
      throws Failure, IOException {
    check(text, model(text).stream().map(String::strip).toList(), TRIMMED, buffer, chunk);
  }

  private static void check(String text, List<String> keys, KeySyntax form, int buffer, int chunk)
      throws Failure, IOException {
    LineReader reader =
        LineReader.of(
            "text", new InChunks(bytes(text), chunk), (byte) '\n', form, LineLimit.DEFAULT, buffer);
    List<String> readLines = new ArrayList<>();
    List<String> readKeys = new ArrayList<>();
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    if (!text.contains("\n") && text.contains("\r")) {
      assertThrows(Foreign.Found.class, () -> reader.fill(batch), text);
      return;
    }
    while (reader.fill(batch)) {
      assertTrue(batch.size() > 0, "a batch has something in it");
      for (int i = 0; i < batch.size(); i++) {
        readLines.add(string(batch.line(i)));
        readKeys.add(string(batch.key(i)));
        assertEquals(KeyHasher.utf8Bytes().hash(batch.key(i)), batch.hashes()[i]);
        assertEquals(readLines.size(), batch.number(i));
      }
      batch.writeLines(IntStream.range(0, batch.size()).toArray(), batch.size(), printed);
    }
    assertEquals(model(text), readLines);
    assertEquals(keys, readKeys);
    assertEquals(
        text.isEmpty() || text.endsWith("\n") ? text : text + "\n", string(printed.toByteArray()));
  }

  @Property(tries = 5_000, seed = "3")
  void theCountIsTheNumberOfLines(
      @ForAll("texts") String text,
      @ForAll @IntRange(min = 1, max = 30) int buffer,
      @ForAll @IntRange(min = 1, max = 30) int chunk)
      throws Failure, IOException {
    LineReader reader =
        LineReader.of(
            "text",
            new InChunks(bytes(text), chunk),
            (byte) '\n',
            KeySyntax.PLAIN,
            LineLimit.DEFAULT,
            buffer);
    assertEquals(model(text).size(), reader.count(new MalformedLines(false)));
  }

  @Property(tries = 5_000, seed = "4")
  void whereANulEndsLinesNothingElseDoes(
      @ForAll("texts") String text, @ForAll @IntRange(min = 1, max = 9) int buffer)
      throws Failure, IOException {
    List<String> lines = new ArrayList<>();
    LineReader reader =
        LineReader.of(
            "text",
            new InChunks(bytes(text.replace('a', '\0')), 3),
            (byte) 0,
            KeySyntax.PLAIN,
            LineLimit.DEFAULT,
            buffer);
    LineBatch batch = new LineBatch((byte) 0, KeyHash.TEXT);
    while (reader.fill(batch)) {
      for (int i = 0; i < batch.size(); i++) {
        lines.add(string(batch.line(i)));
      }
    }
    List<String> expected = new ArrayList<>(List.of(text.split("a", -1)));
    if (expected.get(expected.size() - 1).isEmpty()) {
      expected.remove(expected.size() - 1);
    }
    assertEquals(expected, lines);
  }

  @Test
  void aLineFarLongerThanTheBufferComesWhole() throws Failure, IOException {
    String text = "x".repeat(3 * LineReader.BUFFER + 1);
    LineReader reader =
        LineReader.of(
            "text",
            new ByteArrayInputStream(bytes(text + "\r\nshort\n")),
            (byte) '\n',
            KeySyntax.PLAIN,
            LineLimit.DEFAULT);
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    assertTrue(reader.fill(batch));
    assertEquals(1, batch.size());
    assertEquals(text, string(batch.line(0)));
    assertEquals(KeyHasher.strings().hash(text), batch.hashes()[0]);
    assertTrue(reader.fill(batch));
    assertEquals("short", string(batch.line(0)));
    assertFalse(reader.fill(batch));
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
      // Without an LF after it, a CR does not end a line.
      lines.add(text.substring(from));
    }
    return lines;
  }
}
