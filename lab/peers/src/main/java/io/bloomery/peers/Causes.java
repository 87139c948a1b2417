package io.bloomery.peers;

import io.bloomery.conformance.Rule;
import java.util.Map;
import java.util.Optional;

/** Causes of broken rules, found by manual analysis and in the sources of the libraries. */
final class Causes {

  private static final String FEW_BITS =
      "So few keys get one word of 64 bits and many hashes, and with double hashing the"
          + " positions repeat.";
  private static final String OVERFLOW =
      "The sixteenth put of a key overflows a counter of four bits. It throws, as its source says,"
          + " after some counters have already been incremented.";
  private static final String SUCCINCT =
      "When the counts of a word no longer fit in its 64 bits, keys can be lost: a key that was put"
          + " 64 times is lost after 16 removes, and 4 of 50 filters for 100 keys, each put three"
          + " times, lost one.";

  private static final Map<String, String> CAUSES =
      Map.ofEntries(
          cause("guava", Rule.R11, FEW_BITS),
          cause(
              "guava",
              Rule.R16,
              "`approximateElementCount()` throws when every bit is set; it is documented only"
                  + " for up to the expected number of keys."),
          cause(
              "guava",
              Rule.R41,
              "Two threads can each set some of a key's bits, and both puts report that bits changed,"
                  + " which according to the documentation is definitely the first time. All keys are"
                  + " found."),
          cause(
              "guava",
              Rule.R49,
              "Only the exception described under R16: nothing is lost. If it is caught, the rule"
                  + " is kept."),
          cause(
              "guava",
              Rule.R65,
              "Only the exception described under R16, in a filter that was read with every bit set."),
          cause(
              "guava",
              Rule.R69,
              "As for R41: both of two racing puts of one key reported that bits changed."),
          cause(
              "collections",
              Rule.R30,
              "Merging a filter of a larger shape throws, as documented, but the part that fits has"
                  + " been merged by then, and `cardinality()` does not include it."),
          cause(
              "collections",
              Rule.R49,
              "As for R30: the merge is refused after it has been half done."),
          cause(
              "datasketches",
              Rule.R11,
              "The number of hashes is rounded up: two instead of one where 1.0026 would be best,"
                  + " which turns a rate of 50 % into 56 %."),
          cause("spark", Rule.R11, FEW_BITS),
          cause("hive", Rule.R11, FEW_BITS),
          cause("orc", Rule.R11, FEW_BITS),
          cause("lucene", Rule.R11, FEW_BITS),
          cause(
              "lucene",
              Rule.R15,
              "The estimate assumes one bit per key, but `createOptimalSet` chooses several hashes."),
          cause(
              "lucene",
              Rule.R16,
              "`getEstimatedUniqueValues()` returns 0 for a set in which every bit is set."),
          cause(
              "stream",
              Rule.R11,
              "For rates from 0.393 upward, the bits per key and the number of hashes are swapped:"
                  + " one bit and two hashes, which gives nearly 75 %. Below 5.7e-4 its tables end."),
          cause(
              "stream",
              Rule.R30,
              "`addAll` compares only the number of hashes. A larger filter replaces the size, and the"
                  + " keys of the smaller one are no longer found (1,000 of 1,000 keys in a trial)."),
          cause(
              "stream",
              Rule.R49,
              "A filter that was read, cleared and written has no bits left: the next `add`"
                  + " divides by zero."),
          cause(
              "hutool",
              Rule.R11,
              "It is sized by its own `getFalsePositiveProbability()`, which is the formula for many"
                  + " keys."),
          cause("fastfilter-counting", Rule.R49, OVERFLOW),
          cause("fastfilter-counting", Rule.R50, OVERFLOW),
          cause("fastfilter-counting", Rule.R53, OVERFLOW),
          cause("fastfilter-counting", Rule.R54, OVERFLOW),
          cause(
              "fastfilter-succinct",
              Rule.R01,
              "The overflow table is full soon after the expected number of keys, and `add` throws:"
                  + " at 1 %, at put 10,971 for 10,000 keys."),
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
