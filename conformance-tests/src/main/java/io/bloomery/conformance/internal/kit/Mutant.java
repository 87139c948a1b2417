package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * The layout and content of a filter with some of it changed, randomly or as an attacker would. In
 * a file with correct checksums only the provider can reject it.
 *
 * @param kind how it was changed
 * @param layout the layout, possibly changed
 * @param size the announced number of bytes
 * @param words the content that is present
 */
@SuppressWarnings("ArrayRecordComponent") // nobody compares them
public record Mutant(String kind, FilterLayout layout, long size, long... words) {

  private static final int WORDS_AT_START = 80;
  private static final int WORDS_AT_END = 8;
  private static final int SIZES_AT_START = 24;
  private static final int MAX_RESIZED = 1 << 16;

  private static Mutant content(String kind, FilterLayout layout, long... words) {
    return new Mutant(kind, layout, (long) Long.BYTES * words.length, words);
  }

  /** Returns the start of a content where so many bytes are announced. */
  private static Mutant announced(String kind, FilterLayout layout, long size, long... words) {
    int present = (int) Math.min(words.length, size / Long.BYTES);
    return new Mutant(kind, layout, size, Arrays.copyOf(words, present));
  }

  /** Returns whether as many bytes are present as are announced. */
  public boolean isComplete() {
    return size == (long) Long.BYTES * words.length;
  }

  /**
   * Passes on layouts with one number changed to a boundary value: with the whole content, with the
   * size of a table of so many bits, and with a size that grows with the number.
   */
  public static void eachNumber(FilterLayout layout, long[] words, Consumer<Mutant> taker) {
    long size = (long) Long.BYTES * words.length;
    layout
        .toMap()
        .forEach(
            (name, right) -> {
              for (long value : BoundaryValues.around(right)) {
                FilterLayout other = layout.with(name, value);
                long scaled = scaled(size, right, value);
                LongStream.of(size, value >>> 6 << 3, scaled)
                    .filter(some -> some >= 0)
                    .distinct()
                    .forEach(some -> taker.accept(announced("number", other, some, words)));
                if (scaled > size && scaled <= MAX_RESIZED) {
                  taker.accept(content("number", other, resized(words, scaled)));
                }
              }
            });
  }

  /** Passes on layouts that lack a number, or have one of another name. */
  public static void eachName(FilterLayout layout, long[] words, Consumer<Mutant> taker) {
    List<Map<String, Long>> others = new ArrayList<>();
    others.add(Map.of());
    others.add(new HashMap<>(layout.toMap()));
    others.get(1).put("conformance-tests", 1L);
    layout
        .toMap()
        .forEach(
            (name, number) -> {
              Map<String, Long> other = new HashMap<>(layout.toMap());
              other.remove(name);
              others.add(Map.copyOf(other));
              other.put(name + "s", number);
              others.add(other);
            });
    others.forEach(other -> taker.accept(content("other names", FilterLayout.of(other), words)));
  }

  /** Passes on contents of other sizes: shorter, longer with zeros, or mostly absent. */
  public static void eachSize(FilterLayout layout, long[] words, Consumer<Mutant> taker) {
    long size = (long) Long.BYTES * words.length;
    long[] more = Arrays.copyOf(words, 2 * words.length + 8);
    for (long other : new long[] {0, 8, size - 8, size + 8, 2 * size, 1L << 40, 1L << 62}) {
      if (other >= 0) {
        taker.accept(announced("other size", layout, other, more));
      }
    }
  }

  /**
   * Passes on contents with one word, among the first and last, changed to a boundary value; some
   * with a size that fits if the word is a number of bits in a part of the content.
   */
  public static void eachWord(FilterLayout layout, long[] words, Consumer<Mutant> taker) {
    for (int i = 0; i < words.length; i++) {
      if (i >= WORDS_AT_START && i < words.length - WORDS_AT_END) {
        continue;
      }
      for (long value : BoundaryValues.around(words[i])) {
        long[] changed = words.clone();
        changed[i] = value;
        Mutant mutant = content("word", layout, changed);
        taker.accept(mutant);
        if (i < SIZES_AT_START) {
          long fitting = mutant.size + (value - words[i]) / Byte.SIZE / Byte.SIZE * Byte.SIZE;
          taker.accept(new Mutant("word", layout, fitting, changed));
        }
      }
    }
  }

  /** Changes the serialised form of a filter in one of many ways. */
  public static Mutant of(Filter filter, SplittableRandom random) {
    FilterLayout layout = filter.layout();
    long[] words = Payload.of(filter).words();
    if (words.length == 0) {
      // An empty filter may have no table, and can only be extended.
      return parts(layout, words, random);
    }
    return switch (random.nextInt(9)) {
      case 0, 1 -> words(layout, words, random);
      case 2, 3, 4, 5 -> parts(layout, words, random);
      case 6 -> {
        long[] start = Arrays.copyOf(words, random.nextInt(words.length + 1));
        yield new Mutant("cut short", layout, (long) Long.BYTES * words.length, start);
      }
      case 7 -> numbers(layout, words, random);
      default -> numbersAndWords(layout, words, random);
    };
  }

  /** Flips bits, or sets words, half of which are among the first, to other numbers. */
  public static Mutant words(FilterLayout layout, long[] words, SplittableRandom random) {
    long[] changed = words.clone();
    boolean flips = random.nextInt(3) == 0;
    for (int left = Math.min(words.length, 1 + random.nextInt(4)); left > 0; left--) {
      int word =
          random.nextInt(
              random.nextBoolean() ? words.length : Math.min(words.length, SIZES_AT_START));
      changed[word] =
          flips
              ? changed[word] ^ 1L << random.nextInt(Long.SIZE)
              : BoundaryValues.instead(changed[word], random);
    }
    return content(flips ? "bits flipped" : "words replaced", layout, changed);
  }

  /** Exchanges, moves, repeats, omits or adds some words. */
  public static Mutant parts(FilterLayout layout, long[] words, SplittableRandom random) {
    int from = random.nextInt(words.length + 1);
    int end = from + random.nextInt(words.length - from + 1);
    int to = random.nextInt(words.length + 1);
    long[] part = Arrays.copyOfRange(words, from, end);
    return switch (words.length == 0 ? 0 : random.nextInt(6)) {
      case 0 -> {
        long[] more = new long[1 + random.nextInt(4)];
        Arrays.setAll(more, i -> BoundaryValues.instead(random.nextInt(words.length + 1), random));
        yield content("words added", layout, replaced(words, to, to, more));
      }
      case 1 -> content("words repeated", layout, replaced(words, to, to, part));
      case 2 -> {
        int overwritten = Math.min(words.length, to + part.length);
        long[] fitting = Arrays.copyOf(part, overwritten - to);
        yield content("words overwritten", layout, replaced(words, to, overwritten, fitting));
      }
      case 3 -> content("words left out", layout, replaced(words, from, end));
      case 4 -> {
        long[] start = Arrays.copyOf(words, to);
        yield content(
            "words rotated",
            layout,
            replaced(replaced(words, 0, to), words.length - to, words.length - to, start));
      }
      default -> {
        int one = random.nextInt(words.length);
        int other = random.nextInt(words.length);
        long[] changed = words.clone();
        changed[one] = words[other];
        changed[other] = words[one];
        yield content("words exchanged", layout, changed);
      }
    };
  }

  private static long[] replaced(long[] words, int from, int to, long... by) {
    long[] changed = new long[words.length - (to - from) + by.length];
    System.arraycopy(words, 0, changed, 0, from);
    System.arraycopy(by, 0, changed, from, by.length);
    System.arraycopy(words, to, changed, from + by.length, words.length - to);
    return changed;
  }

  /** Changes numbers of the layout, and often the size as if the content grew with them. */
  public static Mutant numbers(FilterLayout layout, long[] words, SplittableRandom random) {
    List<String> names = List.copyOf(layout.toMap().keySet());
    FilterLayout changed = layout;
    long size = (long) Long.BYTES * words.length;
    for (int left = names.isEmpty() ? 0 : 1 + random.nextInt(2); left > 0; left--) {
      String name = names.get(random.nextInt(names.size()));
      long old = changed.get(name);
      long other = BoundaryValues.instead(old, random);
      changed = changed.with(name, other);
      size = random.nextBoolean() ? scaled(size, old, other) : size;
    }
    boolean isResized = size >= 0 && size <= MAX_RESIZED && random.nextInt(4) > 0;
    return isResized
        ? content("another layout", changed, resized(words, size))
        : announced("another layout", changed, Math.max(0, size), words);
  }

  /** Changes numbers of the layout, and words. */
  public static Mutant numbersAndWords(FilterLayout layout, long[] words, SplittableRandom random) {
    Mutant other = numbers(layout, words(layout, words, random).words, random);
    return new Mutant("layout and content", other.layout, other.size, other.words);
  }

  private static long[] resized(long[] words, long bytes) {
    return Arrays.copyOf(words, (int) (bytes / Long.BYTES));
  }

  /** Returns a length in bytes scaled by the ratio of two numbers, rounded to whole words. */
  private static long scaled(long length, long from, long to) {
    return from == 0 ? length : (long) ((double) length / from * to) / Long.BYTES * Long.BYTES;
  }

  /** Changes up to sixteen parts of a file, half of them near its start. */
  public static byte[] edited(byte[] bytes, SplittableRandom random) {
    byte[] edited = bytes.clone();
    for (int edits = 1 + random.nextInt(16); edits > 0; edits--) {
      // Near the start every byte is significant.
      int end = random.nextBoolean() ? edited.length : Math.min(edited.length, 256);
      int from = random.nextInt(end);
      int to = random.nextInt(end);
      int length = Math.min(1 + random.nextInt(16), edited.length - Math.max(from, to));
      switch (random.nextInt(4)) {
        case 0 -> edited[from] ^= (byte) (1 << random.nextInt(Byte.SIZE));
        case 1 -> edited[from] = (byte) random.nextInt();
        case 2 -> edited[from] = (byte) (random.nextBoolean() ? 0 : -1);
        default -> System.arraycopy(bytes, from, edited, to, length);
      }
    }
    return edited;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(kind + ", layout " + layout + ", " + size + " bytes:");
    for (int i = 0; i < Math.min(words.length, 64); i++) {
      text.append(' ').append(Long.toHexString(words[i]));
    }
    return text.toString();
  }
}
