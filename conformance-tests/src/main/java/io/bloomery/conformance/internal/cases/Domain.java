package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The set of filters to which a rule applies. Everything that is not restricted is drawn: keys and
 * rates uniformly on a logarithmic scale, everything else independently. Domains are immutable;
 * each method that restricts one returns a new one.
 */
public final class Domain {

  /** The highest rate drawn; rates between it and 1 are edges. */
  static final double HIGHEST_RATE = 0.97;

  /** The lowest rate in half of all cases; lower ones are less frequent. */
  static final double USUAL_RATE = 1e-6;

  static final double LOWEST_RATE = FilterSpec.lowestRate(1);

  /** The maximum number of keys of small cases, which take little time each. */
  static final long KEYS_OF_SMALL = 3_000;

  private static final int DRAWS = 16;
  private static final int MAX_PUT = 200_000;

  private static final int DRAWS_OF_SMALL = 4;
  private static final int EDGES_OF_SMALL = 6;
  private static final int PUT_OF_SMALL = 200;
  private static final int TIMES_OF_SMALL = 20;
  private static final int BATCH_OF_SMALL = 1_100;

  private long minKeys = 1;
  private long maxKeys = 1_000_000;
  private double lowestRate = LOWEST_RATE;
  private double highestRate = HIGHEST_RATE;
  private int maxPut = MAX_PUT;
  private int draws = DRAWS;
  private int smallDraws;
  private int maxEdges = Integer.MAX_VALUE;
  private boolean isFilled;
  private boolean isUniform;
  private List<Case> edges = List.of();
  private UnaryOperator<Case> narrowed = UnaryOperator.identity();

  private Domain() {}

  /** Returns a copy, which the caller restricts before publishing it. */
  private Domain copy() {
    Domain copy = new Domain();
    copy.minKeys = minKeys;
    copy.maxKeys = maxKeys;
    copy.lowestRate = lowestRate;
    copy.highestRate = highestRate;
    copy.maxPut = maxPut;
    copy.draws = draws;
    copy.smallDraws = smallDraws;
    copy.maxEdges = maxEdges;
    copy.isFilled = isFilled;
    copy.isUniform = isUniform;
    copy.edges = edges;
    copy.narrowed = narrowed;
    return copy;
  }

  /** Returns every filter for up to a million keys, from empty to overfull, with any hashes. */
  public static Domain everyFilter() {
    return new Domain();
  }

  /** Returns this domain restricted to a range of keys. */
  public Domain keys(long min, long max) {
    Domain other = copy();
    other.minKeys = min;
    other.maxKeys = max;
    return other;
  }

  /** Returns this domain restricted to a range of rates. */
  public Domain rates(double lowest, double highest) {
    Domain other = copy();
    other.lowestRate = lowest;
    other.highestRate = highest;
    return other;
  }

  /** Returns this domain with at most {@code maxPut} hashes put. */
  public Domain maxPut(int maxPut) {
    Domain other = copy();
    other.maxPut = maxPut;
    return other;
  }

  /** Returns this domain with the number of cases drawn by the quickest tier, besides edges. */
  public Domain draws(int draws) {
    Domain other = copy();
    other.draws = draws;
    return other;
  }

  /**
   * Returns this domain with a number of further cases, drawn by the quickest tier from the filters
   * for at most {@value #KEYS_OF_SMALL} keys: conjunctions of conditions are rarely met otherwise.
   */
  public Domain smallDraws(int smallDraws) {
    Domain other = copy();
    other.smallDraws = smallDraws;
    return other;
  }

  /** Returns this domain with exactly the expected keys put, up to the maximum. */
  public Domain filled() {
    Domain other = copy();
    other.isFilled = true;
    return other;
  }

  /** Returns this domain with uniform hashes only, for which rates are guaranteed. */
  public Domain uniform() {
    Domain other = copy();
    other.isUniform = true;
    return other;
  }

  /** Returns this domain with every case transformed, for example to one without a history. */
  public Domain each(UnaryOperator<Case> narrow) {
    UnaryOperator<Case> before = narrowed;
    Domain other = copy();
    other.narrowed = drawn -> narrow.apply(before.apply(drawn));
    return other;
  }

  /** Returns this domain with additional cases that are tried before any is drawn, if offered. */
  public Domain edges(List<Case> more) {
    List<Case> all = new ArrayList<>(edges);
    all.addAll(more);
    Domain other = copy();
    other.edges = List.copyOf(all);
    return other;
  }

  /** Returns this domain with an edge for each of some numbers of keys at each of some rates. */
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
   * Returns this domain for filters with slow calls: few cases of few keys and few puts, and of the
   * edges some of that size, drawn anew each time.
   */
  public Domain small() {
    Domain other = copy();
    other.draws = Math.min(draws, DRAWS_OF_SMALL);
    other.smallDraws = 0;
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

  int smallDraws() {
    return smallDraws;
  }

  /** Returns the number of edges to try. */
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

  /** Returns a case restricted to this domain, because {@link #each} may have changed it. */
  Case narrow(Case drawn) {
    return narrowed.apply(drawn);
  }
}
