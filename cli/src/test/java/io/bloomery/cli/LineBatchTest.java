package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LineBatchTest {

  private static LineReader reader(String text) {
    return new LineReader(new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void batchesTogetherAreAllLinesInOrderWithTheirHashes() throws IOException {
    List<String> words = IntStream.range(0, 10_000).mapToObj(i -> "word-" + i).toList();
    LineReader reader = reader(String.join("\n", words));
    LineBatch batch = new LineBatch();
    List<String> lines = new ArrayList<>();
    while (batch.fill(reader)) {
      for (int i = 0; i < batch.size(); i++) {
        String line = new String(batch.line(i), StandardCharsets.US_ASCII);
        assertEquals(KeyHasher.utf8().hash(line), batch.hashes()[i], line);
        lines.add(line);
      }
    }
    assertEquals(words, lines);
  }

  @Test
  void aBatchEndsWhenItHoldsEnoughBytes() throws IOException {
    String text =
        IntStream.range(0, 10).mapToObj(i -> "x".repeat(400_000)).collect(Collectors.joining("\n"));
    LineReader reader = reader(text);
    LineBatch batch = new LineBatch();
    assertTrue(batch.fill(reader));
    assertEquals(3, batch.size(), "the third line makes it more than a MiB");
  }

  @Test
  void aBatchDoesNotWaitForMoreInput() throws IOException {
    // Every read gets one line, as from a terminal.
    LineReader reader =
        new LineReader(
            new ByteArrayInputStream("a\nb\n".getBytes(StandardCharsets.US_ASCII)) {
              @Override
              public synchronized int read(byte[] bytes, int from, int length) {
                return super.read(bytes, from, Math.min(2, length));
              }

              @Override
              public synchronized int available() {
                return 0;
              }
            });
    LineBatch batch = new LineBatch();
    assertTrue(batch.fill(reader));
    assertEquals(1, batch.size());
    assertArrayEquals(new byte[] {'a'}, batch.line(0));
    assertTrue(batch.isLastForNow());
    assertTrue(batch.fill(reader));
    assertArrayEquals(new byte[] {'b'}, batch.line(0));
    assertFalse(batch.fill(reader));
  }
}
