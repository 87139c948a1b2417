package io.bloomery.cli;

import io.bloomery.Filter;
import io.bloomery.PayloadOutput;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What the numbers of a layout mean.
 *
 * @param shape how a filter is built, in words; empty for a variant that this program does not know
 * @param parts what follows from the layout and the content, by name, in the order to show it
 */
record LayoutWords(String shape, Map<String, Long> parts) {

  private static final int SPLIT_BLOCK_BITS = 256;
  private static final int COUNTING_BLOCK_BITS = 128;

  private static final Map<String, String> MEANINGS =
      Map.ofEntries(
          Map.entry("bits", "bits that queries choose from"),
          Map.entry("probes", "bits that a query looks at, at most"),
          Map.entry("planes", "tables of so many bits: one says 'some', others how many more"),
          Map.entry("slices", "tables that a query asks"),
          Map.entry("slice-bits", "bits of each slice"),
          Map.entry("blocks", "parts, of which each key has one"),
          Map.entry("block-bits", "bits of each block"),
          Map.entry("first-slice-keys", "keys that the first slice takes"),
          Map.entry("growth", "times as many keys go into each slice as into the one before"),
          Map.entry(
              "tightening-ppm", "rate of each slice, in millionths of that of the one before"),
          Map.entry("most-slices", "slices that there may be"),
          Map.entry("most-bytes", "bytes that all slices may take together"),
          Map.entry("room-keys", "keys that the slices of now take, before one more is added"));

  /** Says what is known of a filter's layout; may take time in proportion to its size. */
  static LayoutWords of(Filter filter) {
    Map<String, Long> layout = filter.layout();
    return switch (filter.variant()) {
      case "standard" ->
          new LayoutWords("one table; the bits of a key lie anywhere in it", Map.of());
      case "partitioned" -> {
        long slices = layout.get("probes");
        yield new LayoutWords(
            "equal slices; a key has one bit in each",
            inOrder(
                "slices",
                slices,
                "slice-bits",
                layout.get("bits") / Long.SIZE / slices * Long.SIZE));
      }
      case "split-block" ->
          layout.get("probes") == 8
              ? new LayoutWords(
                  "blocks; all bits of a key lie in one of them, two in each quarter",
                  blocks(layout, SPLIT_BLOCK_BITS))
              : new LayoutWords(
                  "blocks that overlap; all bits of a key lie in one of them, three in each half",
                  inOrder(
                      "blocks", layout.get("bits") / Long.SIZE - 1, "block-bits", 2L * Long.SIZE));
      case "counting" ->
          new LayoutWords(
              "a counter for each bit, all of a key in one block; every put counts",
              blocks(layout, COUNTING_BLOCK_BITS));
      case "scalable" -> {
        long slices = firstWord(filter);
        yield new LayoutWords(
            "slices, each larger and stricter than the one before; grows when all are full",
            inOrder("slices", slices, "room-keys", room(layout, slices)));
      }
      default -> new LayoutWords("", Map.of());
    };
  }

  /** Returns what a number of a layout or of {@link #parts} means, or nothing if not known. */
  static String meaning(String name) {
    return MEANINGS.getOrDefault(name, "");
  }

  private static Map<String, Long> blocks(Map<String, Long> layout, long bits) {
    return inOrder("blocks", layout.get("bits") / bits, "block-bits", bits);
  }

  private static Map<String, Long> inOrder(String one, long first, String other, long second) {
    Map<String, Long> numbers = new LinkedHashMap<>();
    numbers.put(one, first);
    numbers.put(other, second);
    return numbers;
  }

  /** Returns how many keys so many slices take. */
  private static long room(Map<String, Long> layout, long slices) {
    // A double is exact up to 2^53, and becomes the largest long where a long would overflow.
    double next = layout.get("first-slice-keys").doubleValue();
    double room = 0;
    for (long i = 0; i < slices; i++) {
      room += next;
      next *= layout.get("growth").doubleValue();
    }
    return (long) room;
  }

  /** Returns what a payload begins with: the number of slices. */
  private static long firstWord(Filter filter) {
    FirstWord first = new FirstWord();
    try {
      filter.writePayload(first);
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written that could fail", e);
    }
    return first.word;
  }

  private static final class FirstWord implements PayloadOutput {

    private boolean written;
    private long word;

    @Override
    public void begin(long size) {
      // Nothing is kept but one word.
    }

    @Override
    public void writeLong(long next) {
      if (!written) {
        word = next;
        written = true;
      }
    }
  }
}
