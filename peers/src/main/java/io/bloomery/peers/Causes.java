package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import java.util.Map;
import java.util.Optional;

/** What was found, by hand and in the sources, to be behind a broken rule. */
final class Causes {

  private static final String FEW_BITS =
      "So few keys get one word of 64 bits and many hashes; with double hashing their positions"
          + " repeat.";
  private static final String OVERFLOW =
      "The sixteenth put of a key exceeds a counter of four bits, which throws, as its source says,"
          + " with some counters already raised.";
  private static final String SUCCINCT =
      "Once the counts of a word outgrow its 64 bits keys can be lost: a key put 64 times is gone"
          + " after 16 removes, and 4 of 50 filters for 100 keys, each put three times, lost one.";

  private static final Map<String, String> CAUSES =
      Map.ofEntries(
          cause("guava", Rule.R11, FEW_BITS),
          cause(
              "guava",
              Rule.R16,
              "`approximateElementCount()` throws once every bit is set; it is documented for no"
                  + " more keys than expected."),
          cause(
              "guava",
              Rule.R41,
              "Two threads can each set some of a key's bits, and both are told that bits changed;"
                  + " the documentation calls that definitely the first time. All keys are found."),
          cause(
              "guava",
              Rule.R49,
              "Only the exception of R16, met again: nothing is lost. With it caught the rule is"
                  + " kept."),
          cause(
              "guava",
              Rule.R65,
              "Only the exception of R16, met again in a filter that was read with every bit set."),
          cause(
              "guava",
              Rule.R69,
              "The same as R41: of two racing puts of one key both were told that bits changed."),
          cause(
              "collections",
              Rule.R30,
              "Merging a filter of a larger shape throws, as documented, but what fits has been merged by"
                  + " then, and `cardinality()` does not know of it."),
          cause("collections", Rule.R49, "The same as R30: the merge is refused when half done."),
          cause(
              "datasketches",
              Rule.R11,
              "The number of hashes is rounded up: two instead of one where 1.0026 would be best,"
                  + " which makes 56 % of 50 %."),
          cause("spark", Rule.R11, FEW_BITS),
          cause("hive", Rule.R11, FEW_BITS),
          cause("orc", Rule.R11, FEW_BITS),
          cause("lucene", Rule.R11, FEW_BITS),
          cause(
              "lucene",
              Rule.R15,
              "The estimate counts one bit for each key, but `createOptimalSet` chooses several"
                  + " hashes."),
          cause(
              "lucene",
              Rule.R16,
              "`getEstimatedUniqueValues()` returns 0 for a set in which every bit is set."),
          cause(
              "stream",
              Rule.R11,
              "From 0.393 on the bits for each key and the hashes change places: one bit and two"
                  + " hashes, which comes near 75 %; below 5.7e-4 the tables end."),
          cause(
              "stream",
              Rule.R30,
              "`addAll` compares the number of hashes only. A larger filter replaces the size, and"
                  + " what was in the smaller one is no longer found (1,000 of 1,000 keys in a"
                  + " trial)."),
          cause(
              "stream",
              Rule.R49,
              "A filter that was read, cleared and written has no bits left: the next `add`"
                  + " divides by zero."),
          cause(
              "hutool",
              Rule.R11,
              "Its own `getFalsePositiveProbability()`, by which it is sized, is the formula for"
                  + " many keys."),
          cause("fastfilter-counting", Rule.R49, OVERFLOW),
          cause("fastfilter-counting", Rule.R50, OVERFLOW),
          cause("fastfilter-counting", Rule.R53, OVERFLOW),
          cause("fastfilter-counting", Rule.R54, OVERFLOW),
          cause(
              "fastfilter-succinct",
              Rule.R01,
              "The table for overflows is full soon after the expected number of keys, and `add` throws:"
                  + " at 1 % at put 10,971 for 10,000 keys."),
          cause("fastfilter-succinct", Rule.R49, SUCCINCT),
          cause("fastfilter-succinct", Rule.R50, SUCCINCT),
          cause("fastfilter-succinct", Rule.R53, SUCCINCT),
          cause("fastfilter-succinct", Rule.R54, SUCCINCT));

  private Causes() {}

  private static Map.Entry<String, String> cause(String peer, Rule rule, String cause) {
    return Map.entry(peer + " " + rule, cause);
  }

  static Optional<String> of(Peer peer, Rule rule) {
    return Optional.ofNullable(CAUSES.get(peer.card().name() + " " + rule));
  }
}
