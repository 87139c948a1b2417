package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * A search for the smallest case in which a rule still fails: each coordinate in turn is made as
 * simple as possible while all others are fixed, until none can be simplified. Numbers are
 * bisected, first by ratio and then by difference, which finds the threshold of a fault that has
 * one.
 */
public final class Smallest {

  /** Round rates, the highest first. */
  private static final List<Double> REMEMBERED = List.of(0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6);

  private final Offer offer;
  private final Domain domain;
  private final Predicate<Case> fails;
  private final long end;
  private final Map<Case, Boolean> tried = new HashMap<>();
  private Case smallest;

  private Smallest(
      Case failing, Offer offer, Domain domain, Predicate<Case> fails, Duration patience) {
    this.smallest = failing;
    this.offer = offer;
    this.domain = domain;
    this.fails = fails;
    this.end = System.nanoTime() + patience.toNanos();
  }

  /**
   * Returns the smallest case found.
   *
   * @param failing a case in which the rule fails
   * @param fails returns whether the rule fails in another case
   * @param patience how long to search
   */
  public static Case of(
      Case failing, Offer offer, Domain domain, Predicate<Case> fails, Duration patience) {
    return new Smallest(failing, offer, domain, fails, patience).find();
  }

  private Case find() {
    Case before;
    do {
      before = smallest;
      shortenHistory();
      tryOne(smallest.withPartner(Partner.CREATED));
      tryOne(smallest.withPattern(Pattern.UNIFORM));
      tryOne(smallest.withHashId(FilterSpec.RAW));
      tryOne(smallest.withMode(ThreadMode.CONFINED));
      least(1, smallest.times(), times -> smallest.withTimes((int) times));
      least(0, smallest.from(), from -> smallest.withBatch((int) from, smallest.length()));
      least(1, smallest.length(), length -> smallest.withBatch(smallest.from(), (int) length));
      tryOne(smallest.withPut((int) Math.min(smallest.keys(), Integer.MAX_VALUE)));
      if (smallest.put() == smallest.keys()) {
        least(1, smallest.keys(), keys -> smallest.withKeys(keys).withPut((int) keys));
      } else {
        least(1, smallest.keys(), keys -> smallest.withKeys(keys));
        least(0, smallest.put(), put -> smallest.withPut((int) put));
      }
      mildest();
    } while (!smallest.equals(before) && isInTime());
    return smallest;
  }

  private void shortenHistory() {
    tryOne(smallest.withHistory(List.of()));
    for (int i = smallest.history().size() - 1; i >= 0; i--) {
      List<Step> shorter = new ArrayList<>(smallest.history());
      shorter.remove(i);
      tryOne(smallest.withHistory(shorter));
    }
  }

  private void least(long min, long failing, LongFunction<Case> with) {
    if (failing <= min || tryOne(with.apply(min))) {
      return;
    }
    long passes = min;
    long least = failing;
    while (least - passes > 1 && isInTime()) {
      long middle =
          least / 2 > passes + 1
              ? (long) Math.sqrt((double) Math.max(1, passes) * least)
              : passes + (least - passes) / 2;
      middle = Math.max(passes + 1, Math.min(least - 1, middle));
      if (tryOne(with.apply(middle))) {
        least = middle;
      } else {
        passes = middle;
      }
    }
  }

  /** Raises the rate: to a round one, or as far as the rule still fails. */
  private void mildest() {
    for (double rate : REMEMBERED) {
      if (rate == smallest.rate() || (rate > smallest.rate() && tryOne(smallest.withRate(rate)))) {
        return;
      }
    }
    double fails = smallest.rate();
    double passes = 1;
    while (passes / fails > 1.01 && isInTime()) {
      double middle = Math.sqrt(passes * fails);
      if (tryOne(smallest.withRate(middle))) {
        fails = middle;
      } else {
        passes = middle;
      }
    }
  }

  private boolean isInTime() {
    return System.nanoTime() - end < 0;
  }

  /** Adopts a case if the rule fails in it. */
  private boolean tryOne(Case candidate) {
    Case narrow = domain.narrow(candidate);
    if (narrow.equals(smallest)) {
      return true;
    }
    if (!isInTime()) {
      return false;
    }
    boolean failed =
        tried.computeIfAbsent(
            narrow, drawn -> offer.has(drawn.keys(), drawn.rate()) && fails.test(drawn));
    if (failed) {
      smallest = narrow;
    }
    return failed;
  }
}
