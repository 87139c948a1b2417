package io.bloomery.conformance.internal.kit;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * A serialised filter with some of it changed, randomly or as an attacker would, and with correct
 * checksums: past the envelope, only the provider can reject it.
 */
public final class Mutant {

  /** Numbers at which arithmetic is likely to fail. */
  private static final long[] EVIL = {
    0,
    1,
    -1,
    63,
    64,
    65,
    255,
    32_767,
    65_535,
    (1L << 31) - 1,
    1L << 31,
    -1L << 31,
    1L << 32,
    (1L << 32) + 64,
    1L << 33,
    1L << 37,
    1L << 40,
    Long.MAX_VALUE,
    Long.MIN_VALUE
  };

  private final String kind;
  private final FilterLayout layout;
  private final long size;
  private final long[] words;

  /**
   * Creates a mutant.
   *
   * @param kind how it was changed
   * @param layout the layout, possibly changed
   * @param size the announced number of bytes
   * @param words the content that is present
   */
  public Mutant(String kind, FilterLayout layout, long size, long... words) {
    this.kind = kind;
    this.layout = layout;
    this.size = size;
    this.words = words;
  }

  public String kind() {
    return kind;
  }

  public FilterLayout layout() {
    return layout;
  }

  public long size() {
    return size;
  }

  public long[] words() {
    return words;
  }

  public static List<Long> evilNumbers() {
    return Arrays.stream(EVIL).boxed().toList();
  }

  /** Changes the serialised form of a filter in one of many ways. */
  public static Mutant of(Filter filter, SplittableRandom random) {
    FilterLayout layout = filter.layout();
    long[] words = Payload.of(filter).words();
    if (words.length == 0) {
      // An empty filter may have no table, and can only be extended.
      return content("words added", layout, add(words, random));
    }
    return switch (random.nextInt(9)) {
      case 0 -> content("bits flipped", layout, flipBits(words, random));
      case 1 -> content("words replaced", layout, replaceWords(words, random));
      case 2 -> content("words exchanged", layout, exchangeWords(words, random));
      case 3 -> content("a part repeated", layout, repeatPart(words, random));
      case 4 -> content("a part left out", layout, leaveOut(words, random));
      case 5 -> content("words added", layout, add(words, random));
      case 6 -> cutShort(layout, words, random);
      case 7 -> otherLayout(layout, words, random);
      default -> {
        Mutant other = otherLayout(layout, flipBits(words, random), random);
        yield new Mutant("layout and content", other.layout, other.size, other.words);
      }
    };
  }

  private static Mutant content(String kind, FilterLayout layout, long[] words) {
    return new Mutant(kind, layout, (long) Long.BYTES * words.length, words);
  }

  private static Mutant cutShort(FilterLayout layout, long[] words, SplittableRandom random) {
    long[] present = Arrays.copyOf(words, random.nextInt(words.length + 1));
    return new Mutant("cut short", layout, (long) Long.BYTES * words.length, present);
  }

  private static Mutant otherLayout(FilterLayout layout, long[] words, SplittableRandom random) {
    Map<String, Long> changed = new TreeMap<>(layout.toMap());
    List<String> names = new ArrayList<>(changed.keySet());
    for (int changes = 1 + random.nextInt(2); changes > 0; changes--) {
      String name = names.get(random.nextInt(names.size()));
      changed.put(name, otherNumber(changed.get(name), random));
    }
    // In half of the cases, as large as a table of the changed number of bits.
    long bits = changed.get(names.get(0));
    boolean fitting = random.nextBoolean() && bits >= 0 && bits < 1 << 16;
    long[] content = fitting ? Arrays.copyOf(words, (int) (bits / Long.SIZE)) : words;
    return content("another layout", FilterLayout.of(changed), content);
  }

  private static long otherNumber(long number, SplittableRandom random) {
    return switch (random.nextInt(5)) {
      case 0 -> number + 1;
      case 1 -> number - 1;
      case 2 -> 2 * number;
      case 3 -> number ^ (1L << random.nextInt(Long.SIZE));
      default -> evil(random);
    };
  }

  private static long evil(SplittableRandom random) {
    return EVIL[random.nextInt(EVIL.length)];
  }

  private static long[] flipBits(long[] words, SplittableRandom random) {
    long[] changed = words.clone();
    for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
      changed[random.nextInt(words.length)] ^= 1L << random.nextInt(Long.SIZE);
    }
    return changed;
  }

  private static long[] replaceWords(long[] words, SplittableRandom random) {
    long[] changed = words.clone();
    for (int left = 1 + random.nextInt(4); left > 0; left--) {
      changed[random.nextInt(words.length)] =
          random.nextBoolean() ? evil(random) : random.nextLong();
    }
    return changed;
  }

  private static long[] exchangeWords(long[] words, SplittableRandom random) {
    long[] changed = words.clone();
    int one = random.nextInt(words.length);
    int other = random.nextInt(words.length);
    changed[one] = words[other];
    changed[other] = words[one];
    return changed;
  }

  private static long[] repeatPart(long[] words, SplittableRandom random) {
    int from = random.nextInt(words.length);
    int length = 1 + random.nextInt(words.length - from);
    long[] changed = words.clone();
    System.arraycopy(words, from, changed, random.nextInt(words.length - length + 1), length);
    return changed;
  }

  private static long[] leaveOut(long[] words, SplittableRandom random) {
    int from = random.nextInt(words.length);
    int length = 1 + random.nextInt(words.length - from);
    long[] changed = new long[words.length - length];
    System.arraycopy(words, 0, changed, 0, from);
    System.arraycopy(words, from + length, changed, from, changed.length - from);
    return changed;
  }

  private static long[] add(long[] words, SplittableRandom random) {
    int more = 1 + random.nextInt(4);
    int at = random.nextInt(words.length + 1);
    long[] changed = new long[words.length + more];
    System.arraycopy(words, 0, changed, 0, at);
    for (int i = at; i < at + more; i++) {
      changed[i] = random.nextBoolean() ? evil(random) : random.nextLong();
    }
    System.arraycopy(words, at, changed, at + more, words.length - at);
    return changed;
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
