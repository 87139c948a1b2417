package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterSpec;
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

  static final double LOWEST_RATE = FilterSpec.lowestRate(1);

  private static final int DRAWS = 16;
  private static final int MAX_PUT = 200_000;

  private static final int DRAWS_OF_SMALL = 4;
  private static final int EDGES_OF_SMALL = 6;
  private static final long KEYS_OF_SMALL = 3_000;
  private static final int PUT_OF_SMALL = 200;
  private static final int TIMES_OF_SMALL = 20;
  private static final int BATCH_OF_SMALL = 1_100;

  private long minKeys = 1;
  private long maxKeys = 1_000_000;
  private double lowestRate = LOWEST_RATE;
  private double highestRate = HIGHEST_RATE;
  private int maxPut = MAX_PUT;
  private int draws = DRAWS;
  private int maxEdges = Integer.MAX_VALUE;
  private boolean isFilled;
  private boolean isUniform;
  private List<Case> edges = List.of();
  private UnaryOperator<Case> narrowed = UnaryOperator.identity();

  private Domain() {}

  /** Returns one like this that the caller narrows before anybody else sees it. */
  private Domain copy() {
    Domain copy = new Domain();
    copy.minKeys = minKeys;
    copy.maxKeys = maxKeys;
    copy.lowestRate = lowestRate;
    copy.highestRate = highestRate;
    copy.maxPut = maxPut;
    copy.draws = draws;
    copy.maxEdges = maxEdges;
    copy.isFilled = isFilled;
    copy.isUniform = isUniform;
    copy.edges = edges;
    copy.narrowed = narrowed;
    return copy;
  }

  /** Returns every filter for up to a million keys, empty to overfull, with any hashes. */
  public static Domain everyFilter() {
    return new Domain();
  }

  /** Returns the same with keys from one number to another. */
  public Domain keys(long min, long max) {
    Domain other = copy();
    other.minKeys = min;
    other.maxKeys = max;
    return other;
  }

  /** Returns the same with rates from one to another. */
  public Domain rates(double lowest, double highest) {
    Domain other = copy();
    other.lowestRate = lowest;
    other.highestRate = highest;
    return other;
  }

  /** Returns the same with at most so many hashes put. */
  public Domain maxPut(int maxPut) {
    Domain other = copy();
    other.maxPut = maxPut;
    return other;
  }

  /** Returns the same with so many cases drawn by the quickest tier, besides edges. */
  public Domain draws(int draws) {
    Domain other = copy();
    other.draws = draws;
    return other;
  }

  /** Returns the same with exactly the expected keys put, up to the most that are put. */
  public Domain filled() {
    Domain other = copy();
    other.isFilled = true;
    return other;
  }

  /** Returns the same with uniform hashes only, as rates are promised for. */
  public Domain uniform() {
    Domain other = copy();
    other.isUniform = true;
    return other;
  }

  /** Returns the same where every case is changed, such as to one that has no history. */
  public Domain each(UnaryOperator<Case> narrow) {
    UnaryOperator<Case> before = narrowed;
    Domain other = copy();
    other.narrowed = drawn -> narrow.apply(before.apply(drawn));
    return other;
  }

  /** Returns the same with cases that are tried before any is drawn, where they are offered. */
  public Domain edges(List<Case> more) {
    List<Case> all = new ArrayList<>(edges);
    all.addAll(more);
    Domain other = copy();
    other.edges = List.copyOf(all);
    return other;
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

  /**
   * Returns the same for filters whose calls are slow: few cases of few keys, in which little is
   * put, and of the edges some that are no larger, drawn anew each time.
   */
  public Domain small() {
    Domain other = copy();
    other.draws = Math.min(draws, DRAWS_OF_SMALL);
    other.minKeys = Math.min(minKeys, KEYS_OF_SMALL / 3);
    other.maxKeys = Math.min(maxKeys, KEYS_OF_SMALL);
    other.maxPut = Math.min(maxPut, PUT_OF_SMALL);
    other.maxEdges = EDGES_OF_SMALL;
    other.edges = edges.stream().filter(edge -> edge.keys() <= other.maxKeys).toList();
    other.narrowed = drawn -> narrowed.apply(smaller(drawn));
    return other;
  }

  private static Case smaller(Case drawn) {
    return drawn
        .withPut(Math.min(drawn.put(), PUT_OF_SMALL))
        .withTimes(Math.min(drawn.times(), TIMES_OF_SMALL))
        .withBatch(
            Math.min(drawn.from(), BATCH_OF_SMALL), Math.min(drawn.length(), BATCH_OF_SMALL));
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

  /** Returns how many of the edges are tried. */
  int maxEdges() {
    return maxEdges;
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
