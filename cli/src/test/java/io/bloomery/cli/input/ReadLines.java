package io.bloomery.cli.input;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.Failure;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** All that a reader reads: keys, the number of each line, the lines as printed, and the header. */
record ReadLines(List<String> keys, List<Long> numbers, String lines, String header) {

  static ReadLines of(RecordReader reader) throws Failure, IOException {
    return of(reader, new MalformedLines(false));
  }

  static ReadLines of(RecordReader reader, MalformedLines malformed) throws Failure, IOException {
    List<String> keys = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    ByteArrayOutputStream lines = new ByteArrayOutputStream();
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    LineBatch batch = new LineBatch((byte) '\n', KeyHash.TEXT, malformed);
    while (reader.fill(batch)) {
      assertTrue(batch.size() > 0 || batch.hasHeader(), "a batch has something in it");
      for (int i = 0; i < batch.size(); i++) {
        keys.add(string(batch.key(i)));
        numbers.add(batch.number(i));
        assertEquals(KeyHasher.utf8Bytes().hash(batch.key(i)), batch.hashes()[i]);
      }
      batch.writeHeader(header);
      batch.writeLines(IntStream.range(0, batch.size()).toArray(), batch.size(), lines);
    }
    return new ReadLines(keys, numbers, string(lines.toByteArray()), string(header.toByteArray()));
  }

  /** Returns the bytes of a text, each of which is a char. */
  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  static String string(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
