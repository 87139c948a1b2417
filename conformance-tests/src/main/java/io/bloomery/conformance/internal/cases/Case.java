package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A filter that a rule is checked on: its parameters, and the operations that fill it.
 *
 * @param keys the expected keys, at least 1
 * @param rate the requested false-positive rate
 * @param hashId the id of the hash function in the spec
 * @param mode the thread mode
 * @param put the number of distinct hashes put
 * @param times the number of puts of the first of them
 * @param pattern the kind of hashes
 * @param from the index at which a batch begins in its array
 * @param length the number of hashes in a batch
 * @param history the operations on the filter while it is filled, at equal distances
 * @param partner how a filter that is merged into it was created
 * @param seed the seed of its hashes
 */
public record Case(
    long keys,
    double rate,
    String hashId,
    ThreadMode mode,
    int put,
    int times,
    Pattern pattern,
    int from,
    int length,
    List<Step> history,
    Partner partner,
    long seed)
    implements Serializable {

  private static final long serialVersionUID = 1;

  /** Returns the simplest case with some keys at a rate, all of which are put. */
  public static Case of(long keys, double rate) {
    return new Case(
        keys,
        rate,
        FilterSpec.RAW,
        ThreadMode.CONFINED,
        (int) Math.min(keys, Integer.MAX_VALUE),
        1,
        Pattern.UNIFORM,
        0,
        1,
        List.of(),
        Partner.CREATED,
        1);
  }

  /** Copies the history. */
  public Case {
    history = List.copyOf(history);
  }

  /** Returns the specification of the filter. */
  public FilterSpec spec() {
    return FilterSpec.of(keys, rate, hashId);
  }

  /** Returns this case with other expected keys. */
  public Case withKeys(long keys) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another rate. */
  public Case withRate(double rate) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another hash function. */
  public Case withHashId(String hashId) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another thread mode. */
  public Case withMode(ThreadMode mode) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another number of hashes put. */
  public Case withPut(int put) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another number of puts of the first hash. */
  public Case withTimes(int times) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with other hashes. */
  public Case withPattern(Pattern pattern) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another batch. */
  public Case withBatch(int from, int length) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another history. */
  public Case withHistory(List<Step> history) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another partner. */
  public Case withPartner(Partner partner) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns this case with another seed. */
  public Case withSeed(long seed) {
    return new Case(
        keys, rate, hashId, mode, put, times, pattern, from, length, history, partner, seed);
  }

  /** Returns the other thread mode. */
  public ThreadMode otherMode() {
    return mode == ThreadMode.SHARED ? ThreadMode.CONFINED : ThreadMode.SHARED;
  }

  /** Returns what distinguishes this case from the simplest one. */
  @Override
  public String toString() {
    List<String> parts = new ArrayList<>();
    parts.add(grouped(keys) + " keys at " + rate);
    add(parts, put != keys, grouped(put) + " put");
    add(parts, times != 1, "the first of them " + times + " times");
    add(parts, mode != ThreadMode.CONFINED, "shared");
    add(parts, !hashId.equals(FilterSpec.RAW), "hash id " + hashId);
    add(parts, pattern != Pattern.UNIFORM, "hashes " + words(pattern));
    add(parts, length != 1 || from != 0, "a batch of " + length + " from " + from);
    add(parts, !history.isEmpty(), "history " + history.stream().map(Case::words).toList());
    add(parts, partner != Partner.CREATED, "partner " + words(partner));
    return String.join(", ", parts);
  }

  // Every case is written down before it is tried, and formats are slow.
  private static String grouped(long number) {
    StringBuilder digits = new StringBuilder(Long.toString(number));
    for (int end = digits.length() - 3; end > 0; end -= 3) {
      digits.insert(end, ',');
    }
    return digits.toString();
  }

  private static void add(List<String> parts, boolean differs, String part) {
    if (differs) {
      parts.add(part);
    }
  }

  private static String words(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
