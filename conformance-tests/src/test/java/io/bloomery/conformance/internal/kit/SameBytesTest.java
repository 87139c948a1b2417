package io.bloomery.conformance.internal.kit;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.standard.StandardProvider;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Whether differences of files are described by where they are and what stands there. */
class SameBytesTest {

  private final Filter filter =
      new StandardProvider().create(FilterSpec.of(100, 0.01), ThreadMode.SHARED);

  private static String message(byte[] expected, byte[] actual) {
    return assertThrows(
            AssertionError.class,
            () -> SameBytes.assertArrayEquals(expected, actual, "two filters"))
        .getMessage();
  }

  @Test
  void aHashMoreShowsAsBitsOfAWordOfThePayload() {
    SplittableRandom random = new SplittableRandom(11);
    for (int i = 0; i < 50; i++) {
      filter.clear();
      byte[] before = Subject.write(filter);
      filter.put(random.nextLong());
      String message = message(before, Subject.write(filter));
      assertTrue(
          message.startsWith("two filters: byte ")
              && message.contains(" of the file, in word ")
              && message.contains(" instead of 0000000000000000; ")
              && message.endsWith(" bits are set that should not be, and 0 are not that should be"),
          message);
    }
  }

  @Test
  void aFieldOfTheHeaderIsNamed() {
    byte[] file = Subject.write(filter);
    String[] fields = {"magic", "version", "payload length", "expected keys", "rate", "variant"};
    int[] offsets = {1, 8, 17, 24, 39, 41};
    for (int i = 0; i < fields.length; i++) {
      byte[] changed = file.clone();
      changed[offsets[i]] ^= 1;
      String message = message(file, changed);
      assertTrue(message.contains("byte " + offsets[i] + ", of " + fields[i]), message);
    }
  }
}
