package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which rules a peer never promised, and why. A rule of which nothing is said here counts, so a
 * rule that is new counts for all.
 */
final class Promises {

  /**
   * Rules that only the adapter and Bloomery's own envelope answer for, whatever the peer does:
   * they are left out. No peer has attributes, limits, a batch that removes or a description.
   */
  static final Set<Rule> OF_THE_ADAPTER =
      Collections.unmodifiableSet(
          EnumSet.of(
              Rule.R19, Rule.R21, Rule.R22, Rule.R24, Rule.R25, Rule.R26, Rule.R33, Rule.R34,
              Rule.R35, Rule.R36, Rule.R38, Rule.R39, Rule.R45, Rule.R46, Rule.R47, Rule.R48,
              Rule.R67, Rule.R74, Rule.R75, Rule.R76, Rule.R77, Rule.R78, Rule.R79, Rule.R80,
              Rule.R81, Rule.R82));

  private final Map<Rule, String> never = new EnumMap<>(Rule.class);

  private Promises() {}

  /** Starts with what no library here promises. */
  static Promises all() {
    return new Promises()
        .never("has no plan; sizes come from its documented formula", Rule.R12, Rule.R18, Rule.R20)
        .never("says nothing about insufficient memory", Rule.R23);
  }

  /** Lets rules count after all: the peer has a plan of its own. */
  Promises counts(Rule... rules) {
    never.keySet().removeAll(Set.of(rules));
    return this;
  }

  /** Adds rules that the peer never promised. */
  Promises never(String reason, Rule... rules) {
    for (Rule rule : rules) {
      never.putIfAbsent(rule, reason);
    }
    return this;
  }

  /** The peer's put returns nothing. */
  Promises noAnswerOfPut() {
    return never("put returns nothing; the adapter queries before it puts", Rule.R03, Rule.R41);
  }

  Promises noCopy() {
    return never("has no copy; the adapter writes the filter and reads it", Rule.R08);
  }

  Promises noClear() {
    return never("has no clear; the adapter creates a new filter", Rule.R07);
  }

  /** The peer has no form in bytes. */
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

  /** The peer's bytes have no checksum, and it does not say what its reader does with others. */
  Promises noCheckOfBytes() {
    return never("promises no check of the bytes it reads", Rule.R37, Rule.R65);
  }

  /** The peer is not made for several threads. */
  Promises noThreads(String reason) {
    return never(
        reason, Rule.R40, Rule.R41, Rule.R42, Rule.R43, Rule.R44, Rule.R56, Rule.R57, Rule.R58,
        Rule.R62, Rule.R68, Rule.R69, Rule.R70, Rule.R73);
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

  /** Returns why a rule does not count, if it does not. */
  Optional<String> reason(Rule rule) {
    return Optional.ofNullable(never.get(rule));
  }
}
