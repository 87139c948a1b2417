package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.key.KeySyntax;
import io.bloomery.cli.session.Failure;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineBatchTest {

  private static LineReader reader(String text) {
    return LineReader.of(
        "text",
        new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)),
        (byte) '\n',
        KeySyntax.PLAIN,
        LineLimit.DEFAULT);
  }

  @Test
  void batchesTogetherAreAllLinesInOrderWithTheirHashes() throws Failure, IOException {
    List<String> words = IntStream.range(0, 50_000).mapToObj(i -> "word-" + i).toList();
    LineReader reader = reader(String.join("\n", words));
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    List<String> lines = new ArrayList<>();
    while (reader.fill(batch)) {
      for (int i = 0; i < batch.size(); i++) {
        String line = new String(batch.line(i), StandardCharsets.US_ASCII);
        assertEquals(KeyHasher.strings().hash(line), batch.hashes()[i], line);
        lines.add(line);
      }
    }
    assertEquals(words, lines);
  }

  @Test
  void chosenLinesAreWrittenWithTheirEndsOrOne() throws Failure, IOException {
    LineReader reader = reader("a\nbb\n\r\nccc\r\nd\n\ne");
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    // The last line, which has no end, is returned in a batch of its own.
    assertTrue(reader.fill(batch));
    assertEquals("a\nbb\n\r\nccc\r\nd\n\n", written(batch, 0, 1, 2, 3, 4, 5));
    assertEquals("a\n\r\nd\n", written(batch, 0, 2, 4));
    assertEquals("bb\nccc\r\n\n", written(batch, 1, 3, 5));
    assertEquals("", written(batch));
    assertTrue(reader.fill(batch));
    assertEquals("e\n", written(batch, 0));
  }

  private static String written(LineBatch batch, int... indices) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    batch.writeLines(indices, indices.length, out);
    return out.toString(StandardCharsets.US_ASCII);
  }

  @Test
  void chosenLinesAreWrittenAsTheyWereRead() throws Failure, IOException {
    LineReader reader = reader("a\nbb\n\r\nccc\r\nd\n\ne");
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    assertTrue(reader.fill(batch));
    assertTrue(batch.writeAsRead(new int[] {0, 1, 2, 3, 4, 5}, 6, out));
    assertTrue(batch.writeAsRead(new int[] {0, 2, 3, 5}, 4, out));
    assertEquals(
        "a\nbb\n\r\nccc\r\nd\n\na\n\r\nccc\r\n\n", out.toString(StandardCharsets.US_ASCII));
    out.reset();
    assertTrue(reader.fill(batch));
    assertFalse(batch.writeAsRead(new int[] {0}, 1, out));
    assertEquals("e", out.toString(StandardCharsets.US_ASCII));
  }

  @Test
  void aBatchDoesNotWaitForMoreInput() throws Failure, IOException {
    // Every read returns one line, as from a terminal.
    LineReader reader =
        LineReader.of(
            "text",
            new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.US_ASCII)) {
              @Override
              public synchronized int read(byte[] bytes, int from, int length) {
                return super.read(bytes, from, Math.min(2, length));
              }

              @Override
              public synchronized int available() {
                return 0;
              }
            },
            (byte) '\n',
            KeySyntax.PLAIN,
            LineLimit.DEFAULT);
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT);
    assertTrue(reader.fill(batch));
    assertEquals(1, batch.size());
    assertArrayEquals(new byte[] {'a'}, batch.line(0));
    assertTrue(batch.isLastForNow());
    assertTrue(reader.fill(batch));
    assertArrayEquals(new byte[] {'b'}, batch.line(0));
    assertFalse(reader.fill(batch));
  }
}
