package io.bloomery.filter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LikenessTest {

  private static final List<String> NAMES =
      List.of("standard", "divided", "grouped", "counting", "extensible", "set");

  @ParameterizedTest
  @CsvSource({
    "standrad, standard",
    "STANDARD, standard",
    "stand, standard",
    "gruoped, grouped",
    "couting, counting",
    "extendible, extensible",
    "sett, set",
    "est, set",
  })
  void aWordLikeANameMeansIt(String word, String name) {
    assertEquals(Optional.of(name), Likeness.nearest(word, NAMES));
  }

  @ParameterizedTest
  @CsvSource({
    "cuckoo", "xor", "x", "s", "st", "''", "bloom", "coding", "table", "ribbon", "sat-on"
  })
  void aWordWithoutLikenessMeansNothing(String word) {
    assertEquals(Optional.empty(), Likeness.nearest(word, NAMES));
  }

  /**
   * Two thirds of the shorter word stand in the other in the same order, if two swapped letters
   * count as one edit each; 200,000 words are drawn from seed 1. Uniform letters hardly ever make
   * such a word, so every second one is a name with up to eight letters changed.
   */
  @Test
  void nothingUnlikeIsEverSuggested() {
    Random random = new Random(1);
    int suggested = 0;
    for (int i = 0; i < 200_000; i++) {
      String word = i % 2 == 0 ? drawn(random) : changed(random);
      Optional<String> meant = Likeness.nearest(word, NAMES);
      if (meant.isPresent()) {
        suggested++;
        int shorter = Math.min(word.length(), meant.get().length());
        assertTrue(
            3 * common(word, meant.get()) >= 2 * shorter, word + " is not like " + meant.get());
      }
    }
    assertTrue(suggested > 10_000, suggested + " words were like a name");
  }

  /** Of 100,000 words of 1 to 12 letters from seed 2, fewer than 1 in 500 are like a name. */
  @Test
  void wordsOfRandomLettersAreHardlyEverLikeAName() {
    Random random = new Random(2);
    int suggested = 0;
    for (int i = 0; i < 100_000; i++) {
      suggested += Likeness.nearest(drawn(random), NAMES).isPresent() ? 1 : 0;
    }
    assertTrue(suggested < 200, suggested + " words were like a name");
  }

  private static String drawn(Random random) {
    StringBuilder word = new StringBuilder();
    for (int length = 1 + random.nextInt(12); length > 0; length--) {
      word.append((char) ('a' + random.nextInt(26)));
    }
    return word.toString();
  }

  private static String changed(Random random) {
    StringBuilder word = new StringBuilder(NAMES.get(random.nextInt(NAMES.size())));
    for (int changes = random.nextInt(9); changes > 0; changes--) {
      word.setCharAt(random.nextInt(word.length()), (char) ('a' + random.nextInt(26)));
    }
    return word.toString();
  }

  /** Counts the letters of the longest common subsequence. */
  private static int common(String one, String other) {
    int[][] longest = new int[one.length() + 1][other.length() + 1];
    for (int i = 1; i <= one.length(); i++) {
      for (int j = 1; j <= other.length(); j++) {
        longest[i][j] =
            one.charAt(i - 1) == other.charAt(j - 1)
                ? longest[i - 1][j - 1] + 1
                : Math.max(longest[i - 1][j], longest[i][j - 1]);
      }
    }
    return longest[one.length()][other.length()];
  }
}
