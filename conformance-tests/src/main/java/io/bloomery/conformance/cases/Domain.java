package io.bloomery.conformance.cases;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The filters that a rule speaks of. Whatever is not narrowed is drawn: keys and rates evenly on a
 * logarithmic scale, all else independently. Domains do not change; each method that narrows one
 * returns another.
 */
public final class Domain {

  /** The highest rate that is drawn; what lies between it and 1 are edges. */
  static final double HIGHEST_RATE = 0.97;

  /** The lowest rate that half of all cases are drawn from; lower ones are fewer. */
  static final double USUAL_RATE = 1e-6;

  static final double LOWEST_RATE = 1e-12;

  private static final int DRAWS = 16;
  private static final int MAX_PUT = 200_000;

  private final long minKeys;
  private final long maxKeys;
  private final double lowestRate;
  private final double highestRate;
  private final int maxPut;
  private final int draws;
  private final boolean isFilled;
  private final boolean isUniform;
  private final List<Case> edges;
  private final UnaryOperator<Case> narrowed;

  private Domain(
      long minKeys,
      long maxKeys,
      double lowestRate,
      double highestRate,
      int maxPut,
      int draws,
      boolean isFilled,
      boolean isUniform,
      List<Case> edges,
      UnaryOperator<Case> narrowed) {
    this.minKeys = minKeys;
    this.maxKeys = maxKeys;
    this.lowestRate = lowestRate;
    this.highestRate = highestRate;
    this.maxPut = maxPut;
    this.draws = draws;
    this.isFilled = isFilled;
    this.isUniform = isUniform;
    this.edges = edges;
    this.narrowed = narrowed;
  }

  /** Returns every filter for up to a million keys, empty to overfull, with any hashes. */
  public static Domain everyFilter() {
    return new Domain(
        1,
        1_000_000,
        LOWEST_RATE,
        HIGHEST_RATE,
        MAX_PUT,
        DRAWS,
        false,
        false,
        List.of(),
        UnaryOperator.identity());
  }

  /** Returns the same with keys from one number to another. */
  public Domain keys(long min, long max) {
    return new Domain(
        min, max, lowestRate, highestRate, maxPut, draws, isFilled, isUniform, edges, narrowed);
  }

  /** Returns the same with rates from one to another. */
  public Domain rates(double lowest, double highest) {
    return new Domain(
        minKeys, maxKeys, lowest, highest, maxPut, draws, isFilled, isUniform, edges, narrowed);
  }

  /** Returns the same with at most so many hashes put. */
  public Domain maxPut(int maxPut) {
    return new Domain(
        minKeys,
        maxKeys,
        lowestRate,
        highestRate,
        maxPut,
        draws,
        isFilled,
        isUniform,
        edges,
        narrowed);
  }

  /** Returns the same with so many cases drawn by the quickest tier, besides edges. */
  public Domain draws(int draws) {
    return new Domain(
        minKeys,
        maxKeys,
        lowestRate,
        highestRate,
        maxPut,
        draws,
        isFilled,
        isUniform,
        edges,
        narrowed);
  }

  /** Returns the same with exactly the expected keys put, up to the most that are put. */
  public Domain filled() {
    return new Domain(
        minKeys, maxKeys, lowestRate, highestRate, maxPut, draws, true, isUniform, edges, narrowed);
  }

  /** Returns the same with uniform hashes only, as rates are promised for. */
  public Domain uniform() {
    return new Domain(
        minKeys, maxKeys, lowestRate, highestRate, maxPut, draws, isFilled, true, edges, narrowed);
  }

  /** Returns the same where every case is changed, such as to one that has no history. */
  public Domain each(UnaryOperator<Case> narrow) {
    return new Domain(
        minKeys,
        maxKeys,
        lowestRate,
        highestRate,
        maxPut,
        draws,
        isFilled,
        isUniform,
        edges,
        drawn -> narrow.apply(narrowed.apply(drawn)));
  }

  /** Returns the same with cases that are tried before any is drawn, where they are offered. */
  public Domain edges(List<Case> more) {
    List<Case> all = new ArrayList<>(edges);
    all.addAll(more);
    return new Domain(
        minKeys,
        maxKeys,
        lowestRate,
        highestRate,
        maxPut,
        draws,
        isFilled,
        isUniform,
        List.copyOf(all),
        narrowed);
  }

  /** Returns the same with an edge for each of some numbers of keys at each of some rates. */
  public Domain edges(long[] keys, double... rates) {
    List<Case> grid = new ArrayList<>();
    for (double rate : rates) {
      for (long number : keys) {
        grid.add(Case.of(number, rate));
      }
    }
    return edges(grid);
  }

  long minKeys() {
    return minKeys;
  }

  long maxKeys() {
    return maxKeys;
  }

  double lowestRate() {
    return lowestRate;
  }

  double highestRate() {
    return highestRate;
  }

  int maxPut() {
    return maxPut;
  }

  int draws() {
    return draws;
  }

  boolean isFilled() {
    return isFilled;
  }

  boolean isUniform() {
    return isUniform;
  }

  List<Case> edges() {
    return edges;
  }

  /** Returns a case as the domain has it, which {@link #each} may have changed. */
  Case narrow(Case drawn) {
    return narrowed.apply(drawn);
  }
}
