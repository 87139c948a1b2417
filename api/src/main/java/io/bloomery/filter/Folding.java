package io.bloomery.filter;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * How the content of filters of one layout folds into that of a smaller layout: the bitwise or of
 * every f neighbouring places is one place of the folded content, where f is the factor.
 *
 * <p>It holds for tables in which a hash of n places has the place {@code floor(x n)}, for an x
 * from 0 to 1 that does not depend on n: with n / f places it then has that place divided by f,
 * rounded down. The content has parts of equal size one after the other, each of which folds by
 * itself; what follows the last part is not used, and left out.
 */
public final class Folding {

  private final String reason; // what does not fold, or the places of a part
  private final int wordsPerPlace;
  private final int[] factors; // ascending from 1; none if it does not fold

  private Folding(String reason, int wordsPerPlace, int[] factors) {
    this.reason = reason;
    this.wordsPerPlace = wordsPerPlace;
    this.factors = factors;
  }

  /**
   * Returns the folding of equal parts of a number of places each, by every factor that divides it.
   *
   * @param places at least 1, and less than 2^31
   * @param wordsPerPlace the number of 64-bit words of a place, at least 1
   * @throws IllegalArgumentException if a number is out of range
   */
  public static Folding of(long places, int wordsPerPlace) {
    if (places < 1 || places > Integer.MAX_VALUE || wordsPerPlace < 1) {
      throw new IllegalArgumentException(
          "places must be from 1 to 2^31 - 1, and words of a place at least 1, but are "
              + places
              + " and "
              + wordsPerPlace);
    }
    int all = (int) places;
    int[] small =
        IntStream.rangeClosed(1, (int) Math.sqrt(all)).filter(i -> all % i == 0).toArray();
    int[] factors =
        IntStream.concat(Arrays.stream(small), Arrays.stream(small).map(i -> all / i))
            .sorted()
            .distinct()
            .toArray();
    return new Folding("the " + places + " places of the table", wordsPerPlace, factors);
  }

  /** Returns that of content that does not fold, with the reason and what to do instead. */
  public static Folding none(String reason) {
    return new Folding(reason, 1, new int[0]);
  }

  /** Returns the same with the factor 1 and those others that a predicate holds for. */
  public Folding only(IntPredicate predicate) {
    return new Folding(
        reason,
        wordsPerPlace,
        Arrays.stream(factors).filter(factor -> factor == 1 || predicate.test(factor)).toArray());
  }

  /** Returns the number of 64-bit words of a place. */
  public int wordsPerPlace() {
    return wordsPerPlace;
  }

  /** Returns the factors in ascending order, the first of which is 1; none if it does not fold. */
  public int[] factors() {
    return factors.clone();
  }

  /** Returns the reason why content does not fold by a factor, or empty if it does. */
  public Optional<String> refusal(int factor) {
    if (factors.length == 0) {
      return Optional.of(reason);
    }
    int found = Arrays.binarySearch(factors, factor);
    if (found >= 0) {
      return Optional.empty();
    }
    return Optional.of(
        "factor must be one by which "
            + reason
            + " can be divided while the rate at the expected keys stays below 1, but was "
            + factor
            + "; the next lower is "
            + factors[Math.max(0, -found - 2)]);
  }
}
