package io.bloomery.conformance;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What every filter promises, rule by rule. {@code docs/RULES.md} gives the reason of each, how it
 * is checked and what to look at when it fails. Numbers stay: a rule that goes leaves a gap.
 */
public enum Rule {
  /** Every hash put is found, at every size. */
  R01(
      "every hash put is found, at every size",
      "After put(h), mightContain(h) is true: at once, at the expected number of keys and at twice as many, for every size and rate."),

  /** Extreme hashes are hashes like any other. */
  R02(
      "extreme hashes are hashes like any other",
      "0, -1, the smallest and largest long and every power of two can be put and are then found."),

  /** Put returns true exactly if the hash was absent. */
  R03(
      "put returns true exactly if the hash was absent",
      "On one thread put(h) returns the opposite of what mightContain(h) returned just before."),

  /** An empty filter contains nothing. */
  R04("an empty filter contains nothing", "A filter as created answers false to every hash."),

  /** All 64 bits of a hash count. */
  R05(
      "all 64 bits of a hash count",
      "Hashes that agree in half of their bits, or in a 32-bit digest, are told apart."),

  /** Each create gives a filter of its own. */
  R06(
      "each create gives a filter of its own",
      "Filters created one after the other share nothing, however many there are."),

  /** Clear makes a filter as it was created. */
  R07(
      "clear makes a filter as it was created",
      "After clear a filter is written as the bytes of a fresh one and behaves as one."),

  /** A copy is equal and independent. */
  R08(
      "a copy is equal and independent",
      "A copy is written as the same bytes; what is done to either does not show in the other."),

  /** Questions change nothing. */
  R09(
      "questions change nothing",
      "No query, batch query, description, statistic or writing changes a byte."),

  /** Equal content is written as equal bytes. */
  R10(
      "equal content is written as equal bytes",
      "Two filters that were given the same hashes are written as the same bytes: in whatever order if they merge or remove, and however often unless they remove."),

  /** The rate asked is kept at every size. */
  R11(
      "the rate asked is kept at every size",
      "After n different hashes the false-positive rate is at most the one asked, from one key on."),

  /** The rate planned is the rate measured. */
  R12(
      "the rate planned is the rate measured",
      "From 10,000 keys on, the rate measured is the one that the plan gives for that many keys: not above it, nor below half of it."),

  /** Structured keys keep the rate. */
  R13(
      "structured keys keep the rate",
      "Keys that count up, share a prefix or differ in few bits keep the rate once a KeyHasher has hashed them."),

  /** The rate in stats is the rate measured. */
  R14(
      "the rate in stats is the rate measured",
      "From a quarter of the expected keys to twice as many stats().falsePositiveRate() is within 5 % of the rate measured."),

  /** The estimate of keys is close. */
  R15(
      "the estimate of keys is close",
      "approximateKeys is within 5 % of the number of different hashes put, and repeated hashes do not move it."),

  /** A full filter says that it cannot estimate. */
  R16(
      "a full filter says that it cannot estimate",
      "With every bit set approximateKeys is empty, and all statistics stay within their ranges."),

  /** An empty filter has empty statistics. */
  R17(
      "an empty filter has empty statistics",
      "As created a filter has no bit set, a rate of 0 and 0 keys; set bits never exceed the size."),

  /** A plan keeps the rate asked. */
  R18(
      "a plan keeps the rate asked",
      "plan(spec).rate(n) is at most the rate asked, a probability, and but for rounding does not fall as keys are added."),

  /** Equal specs have equal plans. */
  R19(
      "equal specs have equal plans",
      "Planning the same spec again gives the same size, probes and rates."),

  /** A file is no larger than planned. */
  R20(
      "a file is no larger than planned",
      "A filter that holds the expected keys, each put once, writes at most 2 percent more than the planned bits, in bytes, and 4,096 more."),

  /** A filter is as large as planned. */
  R21(
      "a filter is as large as planned",
      "A filter that holds the expected keys writes the plan's sizeInBits(), or at most 2 percent less, and its queries look at no more bits than that."),

  /** A filter and its plan say what was asked. */
  R22(
      "a filter and its plan say what was asked",
      "spec and variant are the caller's and the provider's, in filter and plan; the layout is complete and stays as it is."),

  /** What cannot be held is refused before memory is taken. */
  R23(
      "what cannot be held is refused before memory is taken",
      "A spec that needs more than the heap is refused with IllegalArgumentException without allocating; in every case of that kind, and no other exception."),

  /** PutAll does what single puts do. */
  R24(
      "putAll does what single puts do",
      "putAll(hashes, from, to) leaves the bytes and returns the number that single puts would."),

  /** Select finds what single queries find. */
  R25(
      "select finds what single queries find",
      "select gives exactly the indices for which mightContain is true, ascending, within its range."),

  /** Bad ranges are refused before anything changes. */
  R26(
      "bad ranges are refused before anything changes",
      "A range outside the array throws IndexOutOfBoundsException, too little room for hits IllegalArgumentException, and not a byte has changed."),

  /** A merge is the filter of the union. */
  R27(
      "a merge is the filter of the union",
      "putAll(other) leaves the bytes of a filter that was given the hashes of one and then those of the other, in either direction.",
      Capability.MERGING),

  /** A merge leaves its argument alone. */
  R28(
      "a merge leaves its argument alone",
      "The filter merged from is unchanged, and what is put into either later does not show in the other.",
      Capability.MERGING),

  /** A filter merged with itself is unchanged or refuses. */
  R29(
      "a filter merged with itself is unchanged or refuses",
      "putAll(this) changes nothing, or throws IllegalArgumentException and changes nothing.",
      Capability.MERGING),

  /** What does not fit is refused with a reason. */
  R30(
      "what does not fit is refused with a reason",
      "Another variant, hash id or layout: incompatibility gives a reason, putAll throws IllegalArgumentException, both sides are unchanged.",
      Capability.MERGING),

  /** What fits is merged, whatever was asked for. */
  R31(
      "what fits is merged, whatever was asked for",
      "Filters of equal layout merge even if expected keys, rate or thread mode differ, or one of them was read from a file. Where a limit or the highest count leaves no room, putAll throws FilterFullException and nothing else, and neither side changes.",
      Capability.MERGING),

  /** A filter read is the filter written. */
  R32(
      "a filter read is the filter written",
      "Answers, spec, layout, statistics and bytes are those of the filter written, and it goes on working."),

  /** The size is known before writing. */
  R33(
      "the size is known before writing",
      "serializedSize and payloadSize are the bytes that are then written."),

  /** Filters in one stream are read back one by one. */
  R34(
      "filters in one stream are read back one by one",
      "Each filter in a stream is read to its last byte and no further, and lives on its own."),

  /** Errors of the stream pass through. */
  R35(
      "errors of the stream pass through",
      "An IOException of the stream reaches the caller as it is, and the filter written is unchanged."),

  /** Every truncation is refused. */
  R36(
      "every truncation is refused",
      "A file cut off at any byte is refused with FilterFormatException."),

  /** Every flipped bit is refused. */
  R37(
      "every flipped bit is refused",
      "A file with any one bit flipped is refused with FilterFormatException."),

  /** Hostile layouts are refused. */
  R38(
      "hostile layouts are refused",
      "A layout or payload size that the variant could not have written is refused with FilterFormatException, without allocating on its word."),

  /** Both thread modes give the same filter. */
  R39(
      "both thread modes give the same filter",
      "Confined and shared filters give the same answers and the same bytes."),

  /** Concurrent puts lose nothing. */
  R40("concurrent puts lose nothing", "What two threads put at the same time is all found."),

  /** Of racing equal puts exactly one is first. */
  R41(
      "of racing equal puts exactly one is first",
      "Of two racing puts of one hash at most one returns true, and exactly one if other hashes do not cover it."),

  /** Concurrent readers agree. */
  R42(
      "concurrent readers agree",
      "Two threads that query at the same time get the answers that one gets."),

  /** A snapshot holds every put that returned before. */
  R43(
      "a snapshot holds every put that returned before",
      "copy, writing and stats, taken while another thread puts, hold every put that returned before they began."),

  /** A parallel collector gives the sequential filter. */
  R44(
      "a parallel collector gives the sequential filter",
      "Collecting a parallel stream, shared or confined, gives the bytes that a loop gives.",
      Capability.MERGING),

  /** Filters are not Java-serializable. */
  R45("filters are not Java-serializable", "No filter implements java.io.Serializable."),

  /** ToString is short and shows no key material. */
  R46(
      "toString is short and shows no key material",
      "toString has at most 500 characters, none of which is a hash that was put."),

  /** Filters are compared by identity. */
  R47(
      "filters are compared by identity",
      "A filter equals itself and no other, and its hash code stays."),

  /** Null is refused before anything changes. */
  R48(
      "null is refused before anything changes",
      "A null argument throws NullPointerException, and not a byte has changed."),

  /** Any sequence of operations agrees with an exact set. */
  R49(
      "any sequence of operations agrees with an exact set",
      "Whatever is put, batched, copied, cleared, merged, removed, written and read in whatever order, and however full the filter: what an exact multiset contains is found, put and remove tell the truth, and what is drained is empty."),

  /** Remove undoes put. */
  R50(
      "remove undoes put",
      "A hash put i times is there until it is removed i times, whatever i is, and a filter from which all was removed is written as an empty one.",
      Capability.REMOVAL),

  /** Remove returns false exactly if the hash is absent. */
  R51(
      "remove returns false exactly if the hash is absent",
      "remove(h) returns what mightContain(h) returned just before, and where that is false it changes not a byte.",
      Capability.REMOVAL),

  /** A count is never too low. */
  R52(
      "a count is never too low",
      "approximateCount(h) is at least how often h is in the filter, exactly that for all but a share of keys within the rate, and zero exactly if h is absent.",
      Capability.REMOVAL),

  /** Every put counts. */
  R53(
      "every put counts",
      "A put of a hash that is there returns false and counts, alone and within a batch.",
      Capability.REMOVAL),

  /** Counts live on in files and copies. */
  R54(
      "counts live on in files and copies",
      "From a filter copied, or written and read, a hash can be removed as often as it was put, and is not missed before.",
      Capability.REMOVAL),

  /** A merge adds counts. */
  R55(
      "a merge adds counts",
      "What was put i times into one filter and j times into the other can be removed i + j times from the merged one, and is not missed before.",
      Capability.MERGED_COUNTS),

  /** Racing puts and removes lose nothing. */
  R56(
      "racing puts and removes lose nothing",
      "After one thread has put and another removed, the filter has the counts that are left, neither more nor fewer.",
      Capability.REMOVAL),

  /** Of racing removes as many return true as there were puts. */
  R57(
      "of racing removes as many return true as there were puts",
      "When two threads remove one hash more often than it was put, exactly as many calls return true as it was put.",
      Capability.REMOVAL),

  /** What is kept is found while other hashes are removed. */
  R58(
      "what is kept is found while other hashes are removed",
      "A query that runs beside removes of other hashes finds a hash that is not removed.",
      Capability.REMOVAL),

  /** A growing filter keeps its rate. */
  R59(
      "a growing filter keeps its rate",
      "With 1, 2, 10, 100 and 1,000 times the expected keys the false-positive rate is at most the one asked.",
      Capability.GROWTH),

  /** A growing filter loses nothing. */
  R60(
      "a growing filter loses nothing",
      "Up to 100 times the expected keys every hash put is found, by single queries and by select, and put tells the truth.",
      Capability.GROWTH),

  /** Repeated hashes take no room. */
  R61(
      "repeated hashes take no room",
      "100,000 puts of hashes that a growing filter has change not a byte, neither now nor in how it grows later.",
      Capability.GROWTH),

  /** Two threads that grow a filter lose nothing. */
  R62(
      "two threads that grow a filter lose nothing",
      "What two threads put while both make the filter grow is all found, and of racing equal puts at most one returns true.",
      Capability.GROWTH),

  /** A grown filter is copied, written and cleared whole. */
  R63(
      "a grown filter is copied, written and cleared whole",
      "After growth a copy is equal and independent, a filter read goes on as the one written, and a cleared one is as it was created.",
      Capability.GROWTH),

  /** Large filters keep both promises. */
  R64(
      "large filters keep both promises",
      "With a million keys and more every hash put is found, in batches too, and the rate is at most the one planned."),

  /** Altered content is refused or taken as it is. */
  R65(
      "altered content is refused or taken as it is",
      "Whatever of layout and content was changed behind right checksums, reading throws FilterFormatException, or gives a filter that writes just that and works; soon, and with little memory."),

  /** Every JVM does the same. */
  R66(
      "every JVM does the same",
      "Plans, answers, statistics and bytes do not depend on the JVM: its locale, time zone, character set, processors, identity hash codes or moment of start."),

  /** What is handed over is not kept. */
  R67(
      "what is handed over is not kept",
      "Arrays and maps that a filter was given, or has returned, may be overwritten afterwards without any effect on it."),

  /** Filters do not disturb each other. */
  R68(
      "filters do not disturb each other",
      "Two threads that use a filter each get what one thread alone would."),

  /** Batches may run beside each other. */
  R69(
      "batches may run beside each other",
      "What two threads put by putAll is all found, no hash is counted as new twice, and select beside them finds all that was there."),

  /** Merges may run beside puts. */
  R70(
      "merges may run beside puts",
      "A merge that runs beside puts into either filter, or beside a merge the other way round, ends and loses nothing.",
      Capability.MERGING),

  /** Positions are even at every size. */
  R71(
      "positions are even at every size",
      "The positions that a provider names for a hash are those that its filters use, and fall evenly on tables of any size, up to 2^40 bits.",
      Capability.POSITIONS),

  /** A full filter refuses and stays as it is. */
  R72(
      "a full filter refuses and stays as it is",
      "Where there is no room put throws FilterFullException, which shows no hash, and not a byte has changed; what is there is still found and put; a batch puts what comes before, and nothing after.",
      Capability.LIMIT),

  /** A put that returned is seen by every thread. */
  R73(
      "a put that returned is seen by every thread",
      "A query that begins after a put has returned finds the hash, in whichever thread, whatever that thread was told before."),

  /** A provider serves two threads. */
  R74(
      "a provider serves two threads",
      "Two threads that plan and create at the same time each get what one alone would."),

  /** The layout counts, not the spec. */
  R75(
      "the layout counts, not the spec",
      "A filter is read as its layout says, whatever was asked for when it was made."),

  /** A mapped filter answers as the one read. */
  R76(
      "a mapped filter answers as the one read",
      "Queries, batch queries and statistics of a filter that is mapped are those of the filter read from the same bytes, however many segments they lie in."),

  /** Attributes come back. */
  R77(
      "attributes come back",
      "A filter has the attributes of the spec that it was created with, whatever is put, cleared or merged into it; so have its copies and what is read from its file."),

  /** Limits are kept. */
  R78(
      "limits are kept",
      "limits() is what create or read was given, in copies too. A filter that would be larger is refused before memory is taken; a put or merge that would make it larger, and no other, throws FilterFullException and changes not a byte."),

  /** RemoveAll does what single removes do. */
  R79(
      "removeAll does what single removes do",
      "removeAll(hashes, from, to) leaves the bytes and returns the number that single removes would; a range outside the array throws IndexOutOfBoundsException and changes not a byte.",
      Capability.REMOVAL),

  /** The type of filters is known beforehand. */
  R80(
      "the type of filters is known beforehand",
      "Every filter that is created, copied or read is of the type filterType(), which merges or removes exactly if they do."),

  /** Filters of other key forms do not merge. */
  R81(
      "filters of other key forms do not merge",
      "Where the attribute bloomery.key-form differs, which is plain if absent, incompatibility names both forms, putAll throws IllegalArgumentException and neither side changes; other attributes may differ.",
      Capability.MERGING),

  /** Descriptions are complete and agree. */
  R82(
      "descriptions are complete and agree",
      "The description of a plan, a filter or a mapped filter is complete, short and printable and made without reading the content; a new filter has that of its plan, and a mapped one the structure and parts of the one read.");

  private final String title;
  private final String statement;
  private final Capability capability;

  Rule(String title, String statement) {
    this(title, statement, Capability.NONE);
  }

  Rule(String title, String statement, Capability capability) {
    this.title = title;
    this.statement = statement;
    this.capability = capability;
  }

  /** Returns the number as it begins the names of tests, such as {@code r07}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the rule in a few words. */
  public String title() {
    return title;
  }

  /** Returns the rule in full. */
  public String statement() {
    return statement;
  }

  /** Returns what filters must be able to do for the rule to apply to them. */
  public Capability capability() {
    return capability;
  }

  /** Returns the rule that a test checks, given the name of its method. */
  static Optional<Rule> checkedBy(String method) {
    return Arrays.stream(values()).filter(rule -> method.startsWith(rule.id() + "_")).findAny();
  }
}
