package io.bloomery.benchmarks.paired;

import java.nio.charset.StandardCharsets;

/** A kind of key, with a bijection from numbers to keys. */
public enum KeyKind {
  /** Eight bytes. */
  LONG("long") {
    @Override
    Object array(int size) {
      return new long[size];
    }

    @Override
    void set(Object keys, int i, long number) {
      ((long[]) keys)[i] = mix(number);
    }
  },
  /** ASCII text of 24 to 44 characters. */
  STRING("String") {
    @Override
    Object array(int size) {
      return new String[size];
    }

    @Override
    void set(Object keys, int i, long number) {
      long bits = mix(number);
      byte[] text = new byte[SHORTEST + (int) Math.floorMod(bits, MAX_LENGTH - SHORTEST + 1L)];
      // Thirteen letters of five bits distinguish all numbers; the rest repeats them, rotated.
      for (int j = 0; j < text.length; j++) {
        text[j] = (byte) LETTERS.charAt((int) Long.rotateRight(bits, 5 * j) & 31);
      }
      ((String[]) keys)[i] = new String(text, StandardCharsets.ISO_8859_1);
    }
  };

  private static final int SHORTEST = 24;
  private static final int MAX_LENGTH = 44;
  private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz/.-012";

  private final String label;

  KeyKind(String label) {
    this.label = label;
  }

  /** Returns the name used in tables. */
  public String label() {
    return label;
  }

  /** Returns an array of {@code size} keys. */
  abstract Object array(int size);

  /** Sets an element of an array to the key of a number. */
  abstract void set(Object keys, int i, long number);

  // The finisher of SplitMix64 is a bijection, so that different numbers remain different.
  static long mix(long number) {
    long mixed = number * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
