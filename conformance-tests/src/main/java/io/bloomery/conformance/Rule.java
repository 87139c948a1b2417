package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.RuleCheck;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.rules.BatchRules;
import io.bloomery.conformance.internal.rules.BuildRules;
import io.bloomery.conformance.internal.rules.DamageRules;
import io.bloomery.conformance.internal.rules.DescriptionRules;
import io.bloomery.conformance.internal.rules.FileRules;
import io.bloomery.conformance.internal.rules.GrowthRules;
import io.bloomery.conformance.internal.rules.LargeRules;
import io.bloomery.conformance.internal.rules.LifeRules;
import io.bloomery.conformance.internal.rules.LimitRules;
import io.bloomery.conformance.internal.rules.MappedRules;
import io.bloomery.conformance.internal.rules.MembershipRules;
import io.bloomery.conformance.internal.rules.MergeRules;
import io.bloomery.conformance.internal.rules.ModelRules;
import io.bloomery.conformance.internal.rules.ObjectRules;
import io.bloomery.conformance.internal.rules.OwnershipRules;
import io.bloomery.conformance.internal.rules.PlanRules;
import io.bloomery.conformance.internal.rules.PositionRules;
import io.bloomery.conformance.internal.rules.PutRaceRules;
import io.bloomery.conformance.internal.rules.RateRules;
import io.bloomery.conformance.internal.rules.ReadRaceRules;
import io.bloomery.conformance.internal.rules.RemovalRaceRules;
import io.bloomery.conformance.internal.rules.RemovalRules;
import io.bloomery.conformance.internal.rules.SideBySideRules;
import io.bloomery.conformance.internal.rules.SnapshotRaceRules;
import io.bloomery.conformance.internal.rules.StatisticsRules;
import io.bloomery.conformance.internal.rules.ThreadModeRules;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The contract of every filter, as numbered rules. {@code docs/RULES.md} describes for each its
 * reason, its chance of a false alarm and what to look for when it fails. Numbers are stable: a
 * removed rule leaves a gap.
 */
public enum Rule {
  R01(
      "every hash that was put is found, at every size",
      "After put(h), mightContain(h) is true: immediately, at the expected number of keys and"
          + " at twice that number, for every size and rate.",
      context -> new MembershipRules(context).everyHashPutIsFoundAtEverySize()),

  R02(
      "extreme hash values work like any others",
      "0, -1, the smallest and the largest long and every power of two can be put and are"
          + " then found.",
      context -> new MembershipRules(context).extremeHashesCanBePutAndAreFound()),

  R03(
      "put returns true if and only if the hash was absent",
      "On one thread, put(h) returns the opposite of what mightContain(h) returned just"
          + " before.",
      Capability.PUTS,
      context -> new MembershipRules(context).putReturnsTheOppositeOfMightContain()),

  R04(
      "an empty filter contains nothing",
      "A new filter returns false for every hash.",
      context -> new MembershipRules(context).anEmptyFilterContainsNothing()),

  R05(
      "all 64 bits of a hash are used",
      "A filter distinguishes hashes that agree in half of their bits or in a 32-bit digest.",
      context -> new MembershipRules(context).hashesThatAgreeInThirtyTwoBitsAreToldApart()),

  R06(
      "each create returns an independent filter",
      "Filters created one after another share nothing, however many there are.",
      context -> new LifeRules(context).eachCreateGivesAFilterOfItsOwn()),

  R07(
      "clear restores the state of a new filter",
      "After clear, a filter is written as the same bytes as a new filter and behaves like"
          + " one.",
      Capability.PUTS,
      context -> new LifeRules(context).clearMakesAFilterAsItWasCreated()),

  R08(
      "a copy is equal and independent",
      "A copy is written as the same bytes as the original, and changes to either filter do"
          + " not affect the other.",
      Capability.PUTS,
      context -> new LifeRules(context).aCopyIsEqualAndIndependentBothWays()),

  R09(
      "read-only operations change nothing",
      "No query, batch query, description, statistic or serialization changes a byte of the"
          + " filter.",
      context -> new LifeRules(context).questionsChangeNothing()),

  R10(
      "equal content is written as equal bytes",
      "Two filters that were given the same hashes are written as the same bytes: in"
          + " any order if the filters merge or remove, with any number of repetitions unless"
          + " they remove, and by an interrupted thread, which stays interrupted.",
      context -> new LifeRules(context).equalContentIsWrittenAsEqualBytes()),

  R11(
      "the requested rate is kept at every size",
      "After n distinct hashes, the false-positive rate is at most the requested rate, for"
          + " every n from one upward.",
      context -> new RateRules(context).theRateAskedIsKeptAtEverySize()),

  R12(
      "the measured rate matches the planned rate",
      "From 1,000 keys upward, the measured rate is at most the rate that the plan gives for"
          + " that number of keys, and at least half of it.",
      context -> new RateRules(context).theRatePlannedIsTheRateMeasured()),

  R13(
      "structured keys keep the rate",
      "Keys that are sequential, share a prefix or differ in few bits keep the rate after a"
          + " KeyHasher has hashed them.",
      context -> new RateRules(context).structuredKeysKeepTheRate()),

  R14(
      "the rate in stats matches the measured rate",
      "From a quarter of the expected keys to twice as many, stats().falsePositiveRate() is"
          + " within 5 % of the measured rate.",
      context -> new StatisticsRules(context).theRateInStatsIsTheRateMeasured()),

  R15(
      "the estimated number of keys is accurate",
      "approximateKeys differs from the number of distinct hashes put by at most 5 %, by at"
          + " most 15 % at three to seven times the expected keys, or by at most 30 standard errors"
          + " of one table if that is more, and repeated hashes do not change it.",
      context -> new StatisticsRules(context).theEstimateOfKeysIsWithinFivePercent()),

  R16(
      "a full filter reports that it cannot estimate",
      "With every bit set, approximateKeys is empty, and all statistics stay within their"
          + " ranges.",
      context -> new StatisticsRules(context).aFullFilterDoesNotEstimate()),

  R17(
      "an empty filter has empty statistics",
      "A new or cleared filter has no bit set, a rate of 0 and 0 keys, and the number of set"
          + " bits never exceeds the size.",
      context -> new StatisticsRules(context).anEmptyFilterHasEmptyStatistics()),

  R18(
      "a plan keeps the requested rate",
      "For a plan, falsePositiveRate(n) at the expected number of keys is at most the"
          + " requested rate, is always a probability and, except for rounding, does not fall as n"
          + " grows, and of filters that are built once is 1 for more keys; a plan takes the bits"
          + " that its keys need, and for more keys or a lower rate at least half as many bits and"
          + " half as much memory.",
      context -> new PlanRules(context).aPlanKeepsTheRateAsked()),

  R19(
      "equal specs have equal plans",
      "Planning the same spec again gives the same size, number of probes and rates,"
          + " whatever was planned in between.",
      context -> new PlanRules(context).equalSpecsHaveEqualPlans()),

  R20(
      "a file is no larger than planned",
      "The file of a filter that holds the expected keys, each put once, has at most 2 % more"
          + " bytes than the plan's bits amount to, plus 4,096 bytes.",
      context -> new PlanRules(context).aFileIsNoLargerThanPlanned()),

  R21(
      "a filter is as large as planned",
      "A filter that holds the expected keys writes the plan's sizeInBits(), or less by at"
          + " most 2 % and by what chance saves where counts take space, and its queries look at no"
          + " more bits than sizeInBits(); create and copy allocate at most twice heapBytes(), and"
          + " create and puts at least that.",
      context -> new PlanRules(context).aFilterIsAsLargeAsPlanned()),

  R22(
      "a filter and its plan report what was requested",
      "Filter and plan report the caller's spec and the provider's variant, statistics report"
          + " whether the filter grows, and the layout is complete and does not change.",
      context -> new PlanRules(context).aFilterAndItsPlanSayWhatWasAsked()),

  R23(
      "a filter that does not fit is refused before memory is allocated",
      "Every spec that needs more memory than the heap is refused with"
          + " IllegalArgumentException, and no other exception, without allocating that"
          + " memory or affecting a later create.",
      context -> new PlanRules(context).whatCannotBeHeldIsRefusedBeforeMemoryIsTaken()),

  R24(
      "putAll does the same as single puts",
      "putAll(hashes, from, to) leaves the same bytes and returns the same number as single"
          + " puts of these hashes.",
      Capability.PUTS,
      context -> new BatchRules(context).putAllDoesWhatSinglePutsDo()),

  R25(
      "select finds what single queries find",
      "select returns exactly the indices within its range for which mightContain is"
          + " true, in ascending order, whatever either returned earlier.",
      context -> new BatchRules(context).selectFindsWhatSingleQueriesFind()),

  R26(
      "invalid ranges are refused before anything changes",
      "A range outside the array throws IndexOutOfBoundsException, too little room for hits"
          + " throws IllegalArgumentException, and no byte or later result of the filter changes.",
      context -> new BatchRules(context).badRangesAreRefusedBeforeAnythingChanges()),

  R27(
      "a merge gives the filter of the union",
      "putAll(other) leaves the bytes of a filter that was given the hashes of one filter and"
          + " then those of the other, in either direction.",
      Capability.MERGING,
      context -> new MergeRules(context).aMergeIsTheFilterOfTheUnion()),

  R28(
      "a merge does not change its argument",
      "The filter that is merged into another stays unchanged, and later puts into either"
          + " filter do not affect the other.",
      Capability.MERGING,
      context -> new MergeRules(context).aMergeLeavesItsArgumentAlone()),

  R29(
      "merging a filter with itself changes nothing or is refused",
      "putAll(this) changes nothing, whether it returns or throws IllegalArgumentException.",
      Capability.MERGING,
      context -> new MergeRules(context).aFilterMergedWithItselfIsUnchangedOrRefuses()),

  R30(
      "incompatible filters are refused with a reason",
      "For filters that differ in variant, hash id or layout, incompatibility gives a reason,"
          + " putAll throws IllegalArgumentException, and both filters stay unchanged.",
      Capability.MERGING,
      context -> new MergeRules(context).whatDoesNotFitIsRefusedWithAReason()),

  R31(
      "compatible filters merge even if their specs differ",
      "Filters of equal layout merge even if expected keys, rate or thread mode differ or one"
          + " of them was read from a file; where a limit or the highest count leaves no room,"
          + " putAll throws FilterFullException and nothing else, and neither filter changes.",
      Capability.MERGING,
      context -> new MergeRules(context).whatFitsIsMergedWhateverWasAskedFor()),

  R32(
      "a filter that is read equals the one written",
      "The answers, spec, layout, statistics and bytes of a filter that is read are those of"
          + " the filter written, and it continues to work.",
      context -> new FileRules(context).aFilterReadIsTheFilterWritten()),

  R33(
      "the size is known before writing",
      "serializedSize and payloadSize return the number of bytes that are then written.",
      context -> new FileRules(context).theSizeIsKnownBeforeWriting()),

  R34(
      "filters in one stream are read one by one",
      "Each filter in a stream is read to its last byte and no further, and is independent of"
          + " the others.",
      context -> new FileRules(context).filtersInOneStreamAreReadBackOneByOne()),

  R35(
      "stream errors reach the caller",
      "An IOException of a stream, or of the input or output of content, reaches the caller of"
          + " read, map, check or write as it is, and the next call is not affected.",
      context -> new FileRules(context).errorsOfTheStreamPassThrough()),

  R36(
      "every truncated file is refused",
      "A file that is truncated at any byte is refused with FilterFormatException.",
      context -> new DamageRules(context).everyTruncationIsRefused()),

  R37(
      "every flipped bit is detected",
      "A file with any single bit flipped is refused with FilterFormatException.",
      context -> new DamageRules(context).everyFlippedBitIsRefused()),

  R38(
      "hostile layouts are refused",
      "A layout or payload size that the variant could not have written is refused with"
          + " FilterFormatException, without allocating the memory that it claims.",
      context -> new DamageRules(context).hostileLayoutsAndSizesAreRefused()),

  R39(
      "both thread modes give the same filter",
      "Confined and shared filters give the same answers and the same bytes.",
      Capability.PUTS,
      context -> new ThreadModeRules(context).bothThreadModesGiveTheSameFilter()),

  R40(
      "concurrent puts lose nothing",
      "All hashes that two threads put at the same time are found, and statistics count their"
          + " bits.",
      Capability.PUTS,
      context -> new PutRaceRules(context).concurrentPutsLoseNothing()),

  R41(
      "of racing puts of one hash, exactly one is first",
      "Of two racing puts of one hash, at most one returns true, and exactly one does unless"
          + " other hashes cover it.",
      Capability.PUTS,
      context -> new PutRaceRules(context).ofRacingEqualPutsExactlyOneIsFirst()),

  R42(
      "concurrent readers agree",
      "Two threads that query at the same time get the same answers as one thread.",
      context -> new ReadRaceRules(context).concurrentReadersAgree()),

  R43(
      "a snapshot contains every put that returned before it began",
      "Every copy, file and statistic that is taken while another thread puts contains all"
          + " puts that returned before it began.",
      Capability.PUTS,
      context -> new SnapshotRaceRules(context).aSnapshotHoldsEveryPutThatReturnedBefore()),

  R44(
      "a parallel collector builds the same filter as a loop",
      "Collecting a parallel stream into shared or confined filters gives the same bytes as a"
          + " loop.",
      Capability.MERGING,
      context -> new ThreadModeRules(context).aParallelCollectorGivesTheSequentialFilter()),

  R45(
      "filters are not Java-serializable",
      "No filter implements java.io.Serializable.",
      context -> new ObjectRules(context).filtersAreNotJavaSerializable()),

  R46(
      "toString is short and reveals no key material",
      "toString returns at most 500 characters, and neither it nor the description, nor"
          + " an exception with its causes and suppressed exceptions, shows a hash in any"
          + " notation.",
      context -> new ObjectRules(context).toStringIsShortAndShowsNoKeyMaterial()),

  R47(
      "filters are compared by identity",
      "A filter equals itself and no other filter, and its hash code does not change.",
      context -> new ObjectRules(context).filtersAreComparedByIdentity()),

  R48(
      "null is refused before anything changes",
      "A null argument throws NullPointerException, and no byte of the filter changes.",
      context -> new ObjectRules(context).nullIsRefusedBeforeAnythingChanges()),

  R49(
      "any sequence of operations agrees with an exact set",
      "After any sequence of puts, batches, copies, clears, merges, removes, writes and"
          + " reads, however full the filter is, everything in an exact multiset is found, put and"
          + " remove return correct answers, and a filter from which everything was removed is"
          + " empty.",
      Capability.PUTS,
      context -> new ModelRules(context).anySequenceOfOperationsAgreesWithAnExactSet()),

  R50(
      "remove undoes put",
      "A hash that was put i times is present until it has been removed i times, for every i,"
          + " and a filter from which everything was removed is written as an empty one.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeUndoesPut()),

  R51(
      "remove returns false if and only if the hash is absent",
      "remove(h) returns what mightContain(h) returned just before, and changes no byte if"
          + " that was false.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeReturnsFalseExactlyIfTheHashIsAbsent()),

  R52(
      "a count is never too low",
      "approximateCount(h) is at least the number of times that h is in the filter, is exact"
          + " for all but a fraction of keys within the rate, and is zero if and only if h is"
          + " absent.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).aCountIsNeverTooLow()),

  R53(
      "every put is counted",
      "A put of a hash that is already present returns false and is counted, alone and within"
          + " a batch.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).everyPutCounts()),

  R54(
      "counts are preserved in files and copies",
      "In a filter that was copied, or written and read, a hash can be removed as often as it"
          + " was put, and is found until then.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).countsLiveOnInFilesAndCopies()),

  R55(
      "a merge adds counts",
      "A hash that was put i times into one filter and j times into the other can be removed i + j"
          + " times from the merged one and is found until then, and counts that merges double 34"
          + " times are not too low.",
      Capability.MERGED_COUNTS,
      context -> new RemovalRules(context).aMergeAddsCounts()),

  R56(
      "racing puts and removes lose nothing",
      "After one thread has put hashes while another removed hashes, the counts in the filter"
          + " are exactly those that are left.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).racingPutsAndRemovesLoseNothing()),

  R57(
      "racing removes return true exactly as often as the hash was put",
      "When two threads remove one hash more often than it was put, the number of calls that"
          + " return true is exactly the number of puts.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).ofRacingRemovesAsManyReturnTrueAsThereWerePuts()),

  R58(
      "hashes that stay are found while others are removed",
      "A query that runs concurrently with removes of other hashes finds a hash that is not"
          + " removed, and its count is not too low.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).whatIsKeptIsFoundWhileOtherHashesAreRemoved()),

  R59(
      "a growing filter keeps its rate",
      "With 1, 2, 10, 100 and 1,000 times the expected keys, the false-positive rate is at"
          + " most the requested rate.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrowingFilterKeepsItsRate()),

  R60(
      "a growing filter loses nothing",
      "Up to 300 times the expected keys, every hash that was put is found by single queries"
          + " and by select, and put returns correct answers.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrowingFilterLosesNothing()),

  R61(
      "repeated hashes take no space",
      "100,000 puts of hashes that a growing filter already contains change no byte and do"
          + " not affect how it grows later.",
      Capability.GROWTH,
      context -> new GrowthRules(context).repeatedHashesTakeNoRoom()),

  R62(
      "concurrent growth loses nothing",
      "All hashes that two threads put while both make the filter grow are found, of racing puts of"
          + " one hash at most one returns true, and what is written afterwards can be read.",
      Capability.GROWTH,
      context -> new GrowthRules(context).twoThreadsThatGrowAFilterLoseNothing()),

  R63(
      "a grown filter is copied, written and cleared completely",
      "After growth, a copy is equal and independent, a filter that is read continues like"
          + " the one written, and a cleared filter is like a new one.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrownFilterIsCopiedWrittenAndClearedWhole()),

  R64(
      "large filters keep both promises",
      "With a million keys and more, every hash that was put is found, in batches too, and"
          + " the rate is at most the planned rate.",
      context -> new LargeRules(context).largeFiltersKeepBothPromises()),

  R65(
      "altered content is refused or read as it is",
      "If any part of layout or content was changed and the checksums are correct, reading"
          + " either throws FilterFormatException or returns a working filter that writes exactly"
          + " the same bytes, and does so quickly and with little memory.",
      context -> new DamageRules(context).alteredContentIsRefusedOrTakenAsItIs()),

  R66(
      "filters behave the same on every JVM",
      "Plans, answers, statistics and bytes do not depend on the JVM: its locale, time zone,"
          + " character set, number of processors, identity hash codes or start time.",
      context -> new OwnershipRules(context).everyJvmDoesTheSame()),

  R67(
      "arrays and maps are not shared with the caller",
      "Arrays and maps that were passed to a filter or returned by it can be overwritten"
          + " afterwards without any effect on it.",
      context -> new OwnershipRules(context).whatIsHandedOverIsNotKept()),

  R68(
      "filters do not affect each other",
      "Two threads that each use a filter of their own get the same results as one thread"
          + " alone.",
      Capability.PUTS,
      context -> new SideBySideRules(context).filtersDoNotDisturbEachOther()),

  R69(
      "batches may run concurrently",
      "All hashes that two threads put by putAll are found, no hash is counted as new twice,"
          + " and a concurrent select finds everything that was present.",
      Capability.PUTS,
      context -> new SideBySideRules(context).batchesMayRunBesideEachOther()),

  R70(
      "merges may run concurrently with puts",
      "A merge that runs concurrently with puts into either filter, or with a merge in the"
          + " opposite direction, terminates and loses nothing.",
      Capability.MERGING,
      context -> new SideBySideRules(context).mergesMayRunBesidePuts()),

  R71(
      "positions are uniform at every size",
      "The positions that a provider names for a hash are those that its filters use, and are"
          + " uniformly distributed in tables of any size, up to 2^40 bits.",
      Capability.POSITIONS,
      context -> new PositionRules(context).positionsAreEvenAtEverySize()),

  R72(
      "a full filter refuses puts and stays unchanged",
      "Where there is no room, put throws FilterFullException, whose message shows no hash,"
          + " and changes no byte; hashes that are present are still found and can be put; a batch"
          + " puts the hashes before the refused one and none after it.",
      Capability.LIMIT,
      context -> new LimitRules(context).aFullFilterRefusesAndStaysAsItIs()),

  R73(
      "a completed put is visible to every thread",
      "A query that begins after a put has returned finds the hash, in any thread, whatever"
          + " earlier queries of that thread returned.",
      Capability.PUTS,
      context -> new ReadRaceRules(context).aPutThatReturnedIsSeenByEveryThread()),

  R74(
      "two threads can use one provider",
      "Two threads that plan, create or build, or call in any other pair one provider or its"
          + " filters at the same time each get the same results as one thread alone.",
      context -> new SideBySideRules(context).aProviderServesTwoThreads()),

  R75(
      "the layout determines how a filter is read, not the spec",
      "A filter is read as its layout says, whatever spec was requested when it was created.",
      context -> new FileRules(context).theLayoutCountsNotTheSpec()),

  R76(
      "a mapped filter answers like one that was read",
      "Queries, batch queries and statistics of a mapped filter give the same results as"
          + " those of the filter read from the same bytes, however many segments the bytes span.",
      context -> new MappedRules(context).aMappedFilterAnswersAsTheOneRead()),

  R77(
      "attributes are preserved",
      "A filter keeps the attributes of the spec with which it was created, whatever is put"
          + " or merged into it and after clear, and so do its copies and the filter read from its"
          + " file.",
      context -> new LifeRules(context).attributesComeBack()),

  R78(
      "limits are enforced",
      "limits() returns what create or read was given, also in copies; a filter that would exceed"
          + " its limits is refused before memory is allocated, and a put or merge that would"
          + " exceed them, and no other, throws FilterFullException and changes no byte.",
      context -> new LimitRules(context).limitsAreKept()),

  R79(
      "removeAll does the same as single removes",
      "removeAll(hashes, from, to) leaves the same bytes and returns the same number as"
          + " single removes of these hashes, and a range outside the array throws"
          + " IndexOutOfBoundsException and changes no byte.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeAllDoesWhatSingleRemovesDo()),

  R80(
      "the type of filters is known in advance",
      "Every filter that is created, copied or read has the type filterType(), which merges"
          + " or removes if and only if the filters do.",
      context -> new DescriptionRules(context).theTypeOfFiltersIsKnownBeforehand()),

  R81(
      "filters of different key forms do not merge",
      "If the attribute bloomery.key-form differs, where absent means plain, incompatibility"
          + " names both forms, putAll throws IllegalArgumentException and neither filter changes;"
          + " other attributes may differ.",
      Capability.MERGING,
      context -> new MergeRules(context).filtersOfOtherKeyFormsDoNotMerge()),

  R82(
      "descriptions are complete and consistent",
      "The description of a plan, a filter or a mapped filter is complete, short, printable"
          + " and made without reading the content; a new filter has the description of its plan,"
          + " and a mapped filter has the structure and parts of the one that was read.",
      context -> new DescriptionRules(context).descriptionsAreCompleteAndAgree()),

  R83(
      "a build depends on the set of hashes alone",
      "A build gives the same bytes in any order, with any repetitions and from a parallel stream,"
          + " and after builds that failed; it consumes the stream before it returns, passes on its"
          + " exceptions and the interrupt status, and refuses more distinct hashes than expected"
          + " keys with IllegalArgumentException.",
      Capability.BUILT,
      context -> new BuildRules(context).aBuildTakesEachStreamOfItsHashes()),

  R84(
      "an intersection finds what both filters find, and is marked",
      "intersection returns a filter that finds what both find and nothing else, marked in its"
          + " spec and file, without a number of keys in its statistics, and merged into none"
          + " without the mark; or it is refused with a reason and IllegalArgumentException."
          + " Neither filter changes.",
      Capability.MERGING,
      context -> new MergeRules(context).anIntersectionFindsWhatBothFind()),

  R85(
      "a folded filter is the filter of its layout",
      "For each factor of folding(), folded(factor) has the bytes that puts of the same hashes into an"
          + " empty filter of its layout give, keeps hash id, expected keys, attributes, limits and"
          + " mode, and the rate of its spec at the expected keys; other factors are refused with"
          + " IllegalArgumentException; the filter itself does not change.",
      Capability.MERGING,
      context -> new PositionRules(context).aFoldedFilterIsTheFilterOfItsLayout()),

  R86(
      "a live filter holds what one on the heap does",
      "Puts into a filter that lives in its file set the bits and return the answers of one of the"
          + " same layout on the heap; the mapped view sees each put that has returned, and after the"
          + " end puts of what is absent throw FilterUnavailableException and change no byte.",
      Capability.LIVING,
      context -> new MappedRules(context).aLiveFilterHoldsWhatOneOnTheHeapDoes());

  /** The system property that lists the rules of a {@link FilterContract}. */
  static final String PROPERTY = "bloomery.conformance.rule";

  private final String title;
  private final String statement;
  private final Capability capability;

  @SuppressWarnings("ImmutableEnumChecker") // they call constructors and hold no state
  private final RuleCheck check;

  Rule(String title, String statement, RuleCheck check) {
    this(title, statement, Capability.NONE, check);
  }

  Rule(String title, String statement, Capability capability, RuleCheck check) {
    this.title = title;
    this.statement = statement;
    this.capability = capability;
    this.check = check;
  }

  /** Returns the rules that {@link #PROPERTY} lists, or all if it is not set. */
  static Set<Rule> ofProperty() {
    String ids = System.getProperty(PROPERTY);
    if (ids == null) {
      return EnumSet.allOf(Rule.class);
    }
    return Arrays.stream(ids.split(",", -1))
        .map(id -> of(id.strip()))
        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Rule.class)));
  }

  private static Rule of(String id) {
    return Arrays.stream(values())
        .filter(rule -> rule.name().equalsIgnoreCase(id))
        .findAny()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    PROPERTY + " must name rules, such as R01,R49, but has '" + id + "'"));
  }

  /** Returns the number as it begins test names, such as {@code r07}. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the title of the rule. */
  public String title() {
    return title;
  }

  /** Returns the full text of the rule. */
  public String statement() {
    return statement;
  }

  /** Returns the capability that filters need for the rule to apply to them. */
  public Capability capability() {
    return capability;
  }

  /** Returns the reason why the rule is not checked in a tier, or empty if it is. */
  Optional<String> leftOutOf(Tier tier) {
    return this == R64 && tier == Tier.SMOKE
        ? Optional.of("tier smoke puts fewer than the million keys that the rule is about")
        : Optional.empty();
  }

  /** Returns the properties that repeat a check of the rule, on a separate line. */
  String again(long seed, Tier tier) {
    return String.format(
        "%nagain with -D%s=%d -D%s=%s -D%s=%s",
        Seeds.PROPERTY, seed, Tier.PROPERTY, tier, PROPERTY, this);
  }

  /**
   * Throws if filters break the rule; they must have its capability.
   *
   * @throws InconclusiveError if it cannot be checked here
   */
  void check(RuleContext context) throws Exception {
    check.check(context);
  }
}
