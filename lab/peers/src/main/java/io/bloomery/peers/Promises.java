package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The rules that a peer never promised to keep, with reasons. All other rules count, so that a new
 * rule counts for all peers.
 */
final class Promises {

  /**
   * Rules whose result depends only on the adapter and the envelope of Bloomery, not on the peer:
   * they are omitted. No peer has attributes, limits, batch removal, intersections or a
   * description.
   */
  static final Set<Rule> OF_THE_ADAPTER =
      Collections.unmodifiableSet(
          EnumSet.of(
              Rule.R19, Rule.R21, Rule.R22, Rule.R24, Rule.R25, Rule.R26, Rule.R33, Rule.R34,
              Rule.R35, Rule.R36, Rule.R38, Rule.R39, Rule.R45, Rule.R46, Rule.R47, Rule.R48,
              Rule.R67, Rule.R74, Rule.R75, Rule.R76, Rule.R77, Rule.R78, Rule.R79, Rule.R80,
              Rule.R81, Rule.R82, Rule.R84, Rule.R85, Rule.R86));

  private final Map<Rule, String> never = new EnumMap<>(Rule.class);

  private Promises() {}

  /** Returns the promises with what no library here promises. */
  static Promises all() {
    return new Promises()
        .never("has no plan; sizes come from its documented formula", Rule.R12, Rule.R18, Rule.R20)
        .never("says nothing about insufficient memory", Rule.R23);
  }

  /** Makes rules count after all, because the peer has a plan of its own. */
  Promises counts(Rule... rules) {
    never.keySet().removeAll(Set.of(rules));
    return this;
  }

  /** Adds rules that the peer never promised to keep. */
  Promises never(String reason, Rule... rules) {
    for (Rule rule : rules) {
      never.putIfAbsent(rule, reason);
    }
    return this;
  }

  /** Declares that the put of the peer returns nothing. */
  Promises noAnswerOfPut() {
    return never("put returns nothing; the adapter queries before it puts", Rule.R03, Rule.R41);
  }

  Promises noCopy() {
    return never("has no copy; the adapter writes the filter and reads it", Rule.R08);
  }

  Promises noClear() {
    return never("has no clear; the adapter creates a new filter", Rule.R07);
  }

  /** Declares that the peer has no serialised form. */
  Promises noBytes() {
    return never(
        "has no serialized form; the adapter remembers hashes and puts them again",
        Rule.R06,
        Rule.R08,
        Rule.R09,
        Rule.R10,
        Rule.R32,
        Rule.R37,
        Rule.R65,
        Rule.R66);
  }

  /**
   * Declares that the serialised form of the peer has no checksum, and that the behaviour of its
   * reader for other bytes is unspecified.
   */
  Promises noCheckOfBytes() {
    return never("promises no check of the bytes it reads", Rule.R37, Rule.R65);
  }

  /** Declares that the peer is not thread-safe. */
  Promises noThreads(String reason) {
    return never(
        reason, Rule.R40, Rule.R41, Rule.R42, Rule.R43, Rule.R44, Rule.R56, Rule.R57, Rule.R58,
        Rule.R62, Rule.R68, Rule.R69, Rule.R70, Rule.R73);
  }

  /** Returns whether the peer promises that several threads may use it. */
  boolean threadSafe() {
    return !never.containsKey(Rule.R40);
  }

  Promises noRate(String reason) {
    return never(reason, Rule.R11, Rule.R13, Rule.R59, Rule.R64);
  }

  Promises noRateStated() {
    return never("does not state the rate for the bits that are set", Rule.R14);
  }

  Promises noEstimate() {
    return never("does not estimate the number of keys", Rule.R15, Rule.R16);
  }

  Promises noStatistics() {
    return noRateStated().noEstimate().never("has no statistics", Rule.R17);
  }

  /** Returns the reason why a rule does not count, or empty if it does. */
  Optional<String> reason(Rule rule) {
    return Optional.ofNullable(never.get(rule));
  }
}
