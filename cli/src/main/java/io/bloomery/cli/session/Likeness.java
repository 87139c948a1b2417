package io.bloomery.cli.session;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/**
 * Finds the name that a mistyped word may stand for. A word is similar to a name if the number of
 * letters to add, drop, change or swap with a neighbour to turn one into the other is at most a
 * third of the letters of the shorter one, or if the word has at least three letters and the name
 * begins with it. Case is ignored.
 */
public final class Likeness {
  // The library has the same for variants, which it does not export; the command uses exports only.

  private static final int LETTERS_FOR_AN_EDIT = 3;

  private Likeness() {}

  /** Returns the name most similar to the word, if any is similar. */
  public static Optional<String> nearest(String word, Collection<String> names) {
    String meant = word.toLowerCase(Locale.ROOT);
    return names.stream()
        .filter(name -> isLike(meant, name.toLowerCase(Locale.ROOT)))
        .min(
            Comparator.<String>comparingInt(name -> edits(meant, name.toLowerCase(Locale.ROOT)))
                .thenComparing(Comparator.naturalOrder()));
  }

  private static boolean isLike(String word, String name) {
    int shorter = Math.min(word.length(), name.length());
    return LETTERS_FOR_AN_EDIT * edits(word, name) <= shorter
        || (word.length() >= LETTERS_FOR_AN_EDIT && name.startsWith(word));
  }

  /**
   * Returns the optimal string alignment distance, in which each letter takes part in at most one
   * edit.
   */
  private static int edits(String one, String other) {
    int[] beforeLast = new int[other.length() + 1];
    int[] last = new int[other.length() + 1];
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] free = beforeLast;
      beforeLast = last;
      last = row;
      row = free;
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int change = last[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(change, 1 + Math.min(last[j], row[j - 1]));
        if (i > 1
            && j > 1
            && one.charAt(i - 1) == other.charAt(j - 2)
            && one.charAt(i - 2) == other.charAt(j - 1)) {
          row[j] = Math.min(row[j], 1 + beforeLast[j - 2]);
        }
      }
    }
    return row[other.length()];
  }
}
