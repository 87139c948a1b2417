package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Writing a filter and reading it back. */
final class FileRules extends Topic {

  FileRules(RuleContext context) {
    super(context);
  }

  void aFilterReadIsTheFilterWritten() {
    for (ThreadMode mode : ThreadMode.values()) {
      for (int size : new int[] {1, 63, 100, 10_000}) {
        checkRoundTrip(size, mode);
      }
      checkLarge(mode);
    }
  }

  // What was asked for says nothing of what was built: versions and options differ.
  void theLayoutCountsNotTheSpec() throws IOException {
    Filter written = subject().create(100, 0.01);
    Subject.put(written, hashes("r75", 50));
    FilterSpec other = FilterSpec.of(5_000, 0.2, "conformance/other");
    Filter read =
        subject()
            .provider()
            .read(
                other,
                written.layout(),
                Payload.of(written).reread(),
                ThreadMode.SHARED,
                FilterLimits.HEAP);
    assertEquals(other, read.spec(), "spec that stands in the file");
    assertEquals(written.layout(), read.layout(), "layout that stands in the file");
    assertArrayEquals(
        Payload.of(written).words(), Payload.of(read).words(), "content read under another spec");
  }

  void aMappedFilterAnswersAsTheOneRead() throws IOException {
    for (int size : new int[] {1, 63, 100, 10_000}) {
      Filter written = subject().create(size, 0.01);
      Hashes hashes = hashes("r76/" + size);
      long[] put = hashes.next(size);
      Subject.put(written, put);
      checkMapped(written, put, hashes.next(3 * size));
      // Filters that grow have grown by then, and those that count need more room.
      long[] more = hashes.next(5 * size);
      Subject.put(written, more);
      for (int times = 0; times < 20; times++) {
        Subject.put(written, more[0]);
      }
      checkMapped(written, more, hashes.next(3 * size));
    }
  }

  // The smallest segments that may be, larger ones, and one for all.
  private void checkMapped(Filter written, long[] put, long[] others) throws IOException {
    long[] words = Payload.of(written).words();
    Filter read =
        subject()
            .provider()
            .read(
                written.spec(),
                written.layout(),
                Payload.of(written).reread(),
                ThreadMode.SHARED,
                FilterLimits.HEAP);
    for (int segment : new int[] {8, 256, 1 << 27}) {
      FilterView view =
          subject()
              .provider()
              .map(written.spec(), written.layout(), new MappedWords(words, segment));
      for (long[] hashes : new long[][] {put, others}) {
        for (long hash : hashes) {
          assertEquals(read.mightContain(hash), view.mightContain(hash), () -> "hash " + hash);
        }
        int[] expected = new int[hashes.length];
        int[] found = new int[hashes.length];
        int count = read.select(hashes, 0, hashes.length, expected);
        assertEquals(count, view.select(hashes, 0, hashes.length, found), "how many are selected");
        assertArrayEquals(
            Arrays.copyOf(expected, count), Arrays.copyOf(found, count), "which are selected");
      }
      assertEquals(read.stats(), view.stats(), "statistics");
    }
  }

  // Larger than any buffer on the way, and full of bits.
  private void checkLarge(ThreadMode mode) {
    Filter written = subject().create(1_000_000, 0.01, mode);
    long[] hashes = hashes("r32/large", 700_000);
    written.putAll(hashes, 0, hashes.length);
    byte[] bytes = Subject.write(written);
    Filter read = subject().read(bytes, mode);
    assertArrayEquals(bytes, Subject.write(read), "bytes of a large filter");
    assertEquals(written.stats(), read.stats(), "statistics of a large filter");
    int found = read.select(hashes, 0, hashes.length, new int[hashes.length]);
    assertEquals(hashes.length, found, "how many are found after reading");
  }

  private void checkRoundTrip(int size, ThreadMode mode) {
    Filter written = subject().create(size, 0.01);
    Hashes hashes = hashes("r32/" + size);
    Subject.put(written, hashes.next((size + 1) / 2));
    byte[] bytes = Subject.write(written);

    Filter read = subject().read(bytes, mode);

    assertArrayEquals(bytes, Subject.write(read), () -> "bytes written again, of " + written);
    assertEquals(written.spec(), read.spec());
    assertEquals(written.variant(), read.variant());
    assertEquals(written.layout(), read.layout());
    assertEquals(written.stats(), read.stats());
    for (long hash : hashes("r32/" + size, 3 * size)) {
      assertEquals(written.mightContain(hash), read.mightContain(hash), () -> "hash " + hash);
    }
    for (long hash : hashes.next(size / 2)) {
      assertEquals(written.put(hash), read.put(hash), () -> "put of " + hash + " after reading");
      assertTrue(read.mightContain(hash), () -> "hash " + hash + " put after reading");
    }
    assertArrayEquals(Subject.write(written), Subject.write(read), "bytes after further puts");
  }

  void theSizeIsKnownBeforeWriting() {
    for (int size : new int[] {1, 100, 10_000}) {
      Filter filter = subject().create(size, 0.01);
      checkSize(filter);
      Hashes hashes = hashes("r33/" + size);
      Subject.put(filter, hashes.next(size));
      checkSize(filter);
      // Filters that grow have grown by then, and those that count need more room.
      for (long hash : hashes.next(5 * size)) {
        for (int times = 0; times < 20 && Subject.isTaken(filter, hash); times++) {
          filter.put(hash);
        }
      }
      checkSize(filter);
      checkSize(filter.copy());
      filter.clear();
      checkSize(filter);
    }
  }

  private static void checkSize(Filter filter) {
    assertEquals(filter.payloadSize(), Payload.of(filter).size(), "size of the payload");
    assertEquals(
        FilterFiles.serializedSize(filter), Subject.write(filter).length, "size of the file");
  }

  void filtersInOneStreamAreReadBackOneByOne() throws IOException {
    Hashes hashes = hashes("r34");
    Filter one = subject().create(100, 0.01);
    Filter two = subject().create(100, 0.01);
    Subject.put(one, hashes.next(50));
    Subject.put(two, hashes.next(50));
    byte[] trailer = "and more".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(one, out);
    FilterFiles.write(two, out);
    out.write(trailer);

    InputStream in = new ByteArrayInputStream(out.toByteArray());
    Filter first = subject().bloomery().files().read(in, OpenOptions.shared());
    Filter second = subject().bloomery().files().read(in, OpenOptions.shared());

    assertArrayEquals(trailer, in.readAllBytes(), "what follows the filters");
    assertArrayEquals(Subject.write(one), Subject.write(first), "the first filter");
    assertArrayEquals(Subject.write(two), Subject.write(second), "the second filter");
    Subject.put(second, hashes.next(100));
    assertArrayEquals(Subject.write(one), Subject.write(first), "the first, after puts");
  }

  void errorsOfTheStreamPassThrough() {
    Filter filter = subject().create(100, 0.01);
    Subject.put(filter, hashes("r35", 50));
    byte[] bytes = Subject.write(filter);
    for (int at = 0; at < bytes.length; at++) {
      IOException expected = new IOException("no more after byte " + at);
      OutputStream out = new FailingOutput(at, expected);
      assertSame(
          expected,
          assertThrows(IOException.class, () -> FilterFiles.write(filter, out)),
          "what the stream threw when written to");
      InputStream in = new FailingInput(bytes, at, expected);
      assertSame(
          expected,
          assertThrows(
              IOException.class, () -> subject().bloomery().files().read(in, OpenOptions.shared())),
          "what the stream threw when read from");
    }
    assertArrayEquals(bytes, Subject.write(filter), "bytes after failed writing");
  }
}
