package io.bloomery.cli;

import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Two million distinct pronounceable words, in an order without a pattern. */
public final class PronounceableWords {

  private static final int BITS = 21;
  private static final int ODD = 0x9e3779b1;
  private static final String CONSONANTS = "bcdfghjklmnprstvwxyz";
  private static final String VOWELS = "aeiou";

  private PronounceableWords() {}

  /** Returns word {@code i}, from 0 to 2^21 - 1. */
  public static String at(int i) {
    // An odd factor maps the numbers below a power of two onto themselves.
    int left = (i * ODD) & ((1 << BITS) - 1);
    StringBuilder word = new StringBuilder();
    do {
      word.append(CONSONANTS.charAt(left % CONSONANTS.length()));
      left /= CONSONANTS.length();
      word.append(VOWELS.charAt(left % VOWELS.length()));
      left /= VOWELS.length();
    } while (left > 0);
    return word.toString();
  }

  /** Returns words {@code from} to {@code to - 1}, one per line. */
  public static String lines(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> at(i) + "\n").collect(Collectors.joining());
  }

  static void write(Path file, int from, int to) throws IOException {
    try (Writer out = Files.newBufferedWriter(file, StandardCharsets.US_ASCII)) {
      for (int i = from; i < to; i++) {
        out.write(at(i));
        out.write('\n');
      }
    }
  }
}
