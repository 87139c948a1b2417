package io.bloomery.interop;

import java.util.Arrays;

/** A growing list of words, for input without a count. */
final class WordList {

  private long[] words = new long[16];
  private int size;

  void add(long word) {
    if (size == words.length) {
      words = Arrays.copyOf(words, 2 * size);
    }
    words[size++] = word;
  }

  void addAll(long[] more) {
    words = size == 0 ? more : words;
    size = more.length;
  }

  boolean isEmpty() {
    return size == 0;
  }

  int size() {
    return size;
  }

  long[] toArray() {
    return size == words.length ? words : Arrays.copyOf(words, size);
  }
}
