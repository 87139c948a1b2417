package io.bloomery.conformance;

import io.bloomery.conformance.internal.check.RuleCheck;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.check.Seeds;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.rules.BatchRules;
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
import io.bloomery.conformance.internal.rules.RateRules;
import io.bloomery.conformance.internal.rules.RemovalRaceRules;
import io.bloomery.conformance.internal.rules.RemovalRules;
import io.bloomery.conformance.internal.rules.SideBySideRules;
import io.bloomery.conformance.internal.rules.StatisticsRules;
import io.bloomery.conformance.internal.rules.ThreadRules;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What every filter promises, rule by rule. {@code docs/RULES.md} gives the reason of each, how it
 * is checked and what to look at when it fails. Numbers stay: a rule that goes leaves a gap.
 */
public enum Rule {
  R01(
      "every hash put is found, at every size",
      "After put(h), mightContain(h) is true: at once, at the expected number of keys and at twice"
          + " as many, for every size and rate.",
      context -> new MembershipRules(context).everyHashPutIsFoundAtEverySize()),

  R02(
      "extreme hashes are hashes like any other",
      "0, -1, the smallest and largest long and every power of two can be put and are then found.",
      context -> new MembershipRules(context).extremeHashesCanBePutAndAreFound()),

  R03(
      "put returns true exactly if the hash was absent",
      "On one thread put(h) returns the opposite of what mightContain(h) returned just before.",
      context -> new MembershipRules(context).putReturnsTheOppositeOfMightContain()),

  R04(
      "an empty filter contains nothing",
      "A filter as created answers false to every hash.",
      context -> new MembershipRules(context).anEmptyFilterContainsNothing()),

  R05(
      "all 64 bits of a hash count",
      "Hashes that agree in half of their bits, or in a 32-bit digest, are told apart.",
      context -> new MembershipRules(context).hashesThatAgreeInThirtyTwoBitsAreToldApart()),

  R06(
      "each create gives a filter of its own",
      "Filters created one after the other share nothing, however many there are.",
      context -> new LifeRules(context).eachCreateGivesAFilterOfItsOwn()),

  R07(
      "clear makes a filter as it was created",
      "After clear a filter is written as the bytes of a fresh one and behaves as one.",
      context -> new LifeRules(context).clearMakesAFilterAsItWasCreated()),

  R08(
      "a copy is equal and independent",
      "A copy is written as the same bytes; what is done to either does not show in the other.",
      context -> new LifeRules(context).aCopyIsEqualAndIndependentBothWays()),

  R09(
      "questions change nothing",
      "No query, batch query, description, statistic or writing changes a byte.",
      context -> new LifeRules(context).questionsChangeNothing()),

  R10(
      "equal content is written as equal bytes",
      "Two filters that were given the same hashes are written as the same bytes: in whatever order"
          + " if they merge or remove, and however often unless they remove.",
      context -> new LifeRules(context).equalContentIsWrittenAsEqualBytes()),

  R11(
      "the rate asked is kept at every size",
      "After n different hashes the false-positive rate is at most the one asked, from one key on.",
      context -> new RateRules(context).theRateAskedIsKeptAtEverySize()),

  R12(
      "the rate planned is the rate measured",
      "From 10,000 keys on, the rate measured is the one that the plan gives for that many keys:"
          + " not above it, nor below half of it.",
      context -> new RateRules(context).theRatePlannedIsTheRateMeasured()),

  R13(
      "structured keys keep the rate",
      "Keys that count up, share a prefix or differ in few bits keep the rate once a KeyHasher has"
          + " hashed them.",
      context -> new RateRules(context).structuredKeysKeepTheRate()),

  R14(
      "the rate in stats is the rate measured",
      "From a quarter of the expected keys to twice as many stats().falsePositiveRate() is within 5"
          + " % of the rate measured.",
      context -> new StatisticsRules(context).theRateInStatsIsTheRateMeasured()),

  R15(
      "the estimate of keys is close",
      "approximateKeys is within 5 % of the number of different hashes put, within 15 % of three to"
          + " seven times as many as expected, or within 30 standard errors of one table if that is"
          + " more, and repeated hashes do not move it.",
      context -> new StatisticsRules(context).theEstimateOfKeysIsWithinFivePercent()),

  R16(
      "a full filter says that it cannot estimate",
      "With every bit set approximateKeys is empty, and all statistics stay within their ranges.",
      context -> new StatisticsRules(context).aFullFilterDoesNotEstimate()),

  R17(
      "an empty filter has empty statistics",
      "As created or cleared a filter has no bit set, a rate of 0 and 0 keys; set bits never exceed"
          + " the size.",
      context -> new StatisticsRules(context).anEmptyFilterHasEmptyStatistics()),

  R18(
      "a plan keeps the rate asked",
      "plan(spec).rate(n) is at most the rate asked, a probability, and but for rounding does not"
          + " fall as keys are added; more keys or a lower rate take at least half of its bits and of"
          + " its memory.",
      context -> new PlanRules(context).aPlanKeepsTheRateAsked()),

  R19(
      "equal specs have equal plans",
      "Planning the same spec again gives the same size, probes and rates.",
      context -> new PlanRules(context).equalSpecsHaveEqualPlans()),

  R20(
      "a file is no larger than planned",
      "A filter that holds the expected keys, each put once, writes at most 2 percent more than the"
          + " planned bits, in bytes, and 4,096 more.",
      context -> new PlanRules(context).aFileIsNoLargerThanPlanned()),

  R21(
      "a filter is as large as planned",
      "A filter that holds the expected keys writes the plan's sizeInBits(), or at most 2 percent"
          + " less, and what chance saves where counts take room; its queries look at no more bits"
          + " than that.",
      context -> new PlanRules(context).aFilterIsAsLargeAsPlanned()),

  R22(
      "a filter and its plan say what was asked",
      "spec and variant are the caller's and the provider's, in filter and plan; the layout is"
          + " complete and stays as it is.",
      context -> new PlanRules(context).aFilterAndItsPlanSayWhatWasAsked()),

  R23(
      "what cannot be held is refused before memory is taken",
      "A spec that needs more than the heap is refused with IllegalArgumentException without"
          + " allocating; in every case of that kind, and no other exception.",
      context -> new PlanRules(context).whatCannotBeHeldIsRefusedBeforeMemoryIsTaken()),

  R24(
      "putAll does what single puts do",
      "putAll(hashes, from, to) leaves the bytes and returns the number that single puts would.",
      context -> new BatchRules(context).putAllDoesWhatSinglePutsDo()),

  R25(
      "select finds what single queries find",
      "select gives exactly the indices for which mightContain is true, ascending, within its"
          + " range.",
      context -> new BatchRules(context).selectFindsWhatSingleQueriesFind()),

  R26(
      "bad ranges are refused before anything changes",
      "A range outside the array throws IndexOutOfBoundsException, too little room for hits"
          + " IllegalArgumentException, and not a byte has changed.",
      context -> new BatchRules(context).badRangesAreRefusedBeforeAnythingChanges()),

  R27(
      "a merge is the filter of the union",
      "putAll(other) leaves the bytes of a filter that was given the hashes of one and then those"
          + " of the other, in either direction.",
      Capability.MERGING,
      context -> new MergeRules(context).aMergeIsTheFilterOfTheUnion()),

  R28(
      "a merge leaves its argument alone",
      "The filter merged from is unchanged, and what is put into either later does not show in the"
          + " other.",
      Capability.MERGING,
      context -> new MergeRules(context).aMergeLeavesItsArgumentAlone()),

  R29(
      "a filter merged with itself is unchanged or refuses",
      "putAll(this) changes nothing, or throws IllegalArgumentException and changes nothing.",
      Capability.MERGING,
      context -> new MergeRules(context).aFilterMergedWithItselfIsUnchangedOrRefuses()),

  R30(
      "what does not fit is refused with a reason",
      "Another variant, hash id or layout: incompatibility gives a reason, putAll throws"
          + " IllegalArgumentException, both sides are unchanged.",
      Capability.MERGING,
      context -> new MergeRules(context).whatDoesNotFitIsRefusedWithAReason()),

  R31(
      "what fits is merged, whatever was asked for",
      "Filters of equal layout merge even if expected keys, rate or thread mode differ, or one of"
          + " them was read from a file. Where a limit or the highest count leaves no room, putAll"
          + " throws FilterFullException and nothing else, and neither side changes.",
      Capability.MERGING,
      context -> new MergeRules(context).whatFitsIsMergedWhateverWasAskedFor()),

  R32(
      "a filter read is the filter written",
      "Answers, spec, layout, statistics and bytes are those of the filter written, and it goes on"
          + " working.",
      context -> new FileRules(context).aFilterReadIsTheFilterWritten()),

  R33(
      "the size is known before writing",
      "serializedSize and payloadSize are the bytes that are then written.",
      context -> new FileRules(context).theSizeIsKnownBeforeWriting()),

  R34(
      "filters in one stream are read back one by one",
      "Each filter in a stream is read to its last byte and no further, and lives on its own.",
      context -> new FileRules(context).filtersInOneStreamAreReadBackOneByOne()),

  R35(
      "errors of the stream pass through",
      "An IOException of the stream reaches the caller as it is, and the filter written is"
          + " unchanged.",
      context -> new FileRules(context).errorsOfTheStreamPassThrough()),

  R36(
      "every truncation is refused",
      "A file cut off at any byte is refused with FilterFormatException.",
      context -> new DamageRules(context).everyTruncationIsRefused()),

  R37(
      "every flipped bit is refused",
      "A file with any one bit flipped is refused with FilterFormatException.",
      context -> new DamageRules(context).everyFlippedBitIsRefused()),

  R38(
      "hostile layouts are refused",
      "A layout or payload size that the variant could not have written is refused with"
          + " FilterFormatException, without allocating on its word.",
      context -> new DamageRules(context).hostileLayoutsAndSizesAreRefused()),

  R39(
      "both thread modes give the same filter",
      "Confined and shared filters give the same answers and the same bytes.",
      context -> new ThreadRules(context).bothThreadModesGiveTheSameFilter()),

  R40(
      "concurrent puts lose nothing",
      "What two threads put at the same time is all found, and statistics count its bits.",
      context -> new ThreadRules(context).concurrentPutsLoseNothing()),

  R41(
      "of racing equal puts exactly one is first",
      "Of two racing puts of one hash at most one returns true, and exactly one if other hashes do"
          + " not cover it.",
      context -> new ThreadRules(context).ofRacingEqualPutsExactlyOneIsFirst()),

  R42(
      "concurrent readers agree",
      "Two threads that query at the same time get the answers that one gets.",
      context -> new ThreadRules(context).concurrentReadersAgree()),

  R43(
      "a snapshot holds every put that returned before",
      "copy, writing and stats, taken while another thread puts, hold every put that returned"
          + " before they began.",
      context -> new ThreadRules(context).aSnapshotHoldsEveryPutThatReturnedBefore()),

  R44(
      "a parallel collector gives the sequential filter",
      "Collecting a parallel stream, shared or confined, gives the bytes that a loop gives.",
      Capability.MERGING,
      context -> new ThreadRules(context).aParallelCollectorGivesTheSequentialFilter()),

  R45(
      "filters are not Java-serializable",
      "No filter implements java.io.Serializable.",
      context -> new ObjectRules(context).filtersAreNotJavaSerializable()),

  R46(
      "toString is short and shows no key material",
      "toString has at most 500 characters, none of which is a hash that was put.",
      context -> new ObjectRules(context).toStringIsShortAndShowsNoKeyMaterial()),

  R47(
      "filters are compared by identity",
      "A filter equals itself and no other, and its hash code stays.",
      context -> new ObjectRules(context).filtersAreComparedByIdentity()),

  R48(
      "null is refused before anything changes",
      "A null argument throws NullPointerException, and not a byte has changed.",
      context -> new ObjectRules(context).nullIsRefusedBeforeAnythingChanges()),

  R49(
      "any sequence of operations agrees with an exact set",
      "Whatever is put, batched, copied, cleared, merged, removed, written and read in whatever"
          + " order, and however full the filter: what an exact multiset contains is found, put and"
          + " remove tell the truth, and what is drained is empty.",
      context -> new ModelRules(context).anySequenceOfOperationsAgreesWithAnExactSet()),

  R50(
      "remove undoes put",
      "A hash put i times is there until it is removed i times, whatever i is, and a filter from"
          + " which all was removed is written as an empty one.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeUndoesPut()),

  R51(
      "remove returns false exactly if the hash is absent",
      "remove(h) returns what mightContain(h) returned just before, and where that is false it"
          + " changes not a byte.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeReturnsFalseExactlyIfTheHashIsAbsent()),

  R52(
      "a count is never too low",
      "approximateCount(h) is at least how often h is in the filter, exactly that for all but a"
          + " share of keys within the rate, and zero exactly if h is absent.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).aCountIsNeverTooLow()),

  R53(
      "every put counts",
      "A put of a hash that is there returns false and counts, alone and within a batch.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).everyPutCounts()),

  R54(
      "counts live on in files and copies",
      "From a filter copied, or written and read, a hash can be removed as often as it was put, and"
          + " is not missed before.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).countsLiveOnInFilesAndCopies()),

  R55(
      "a merge adds counts",
      "What was put i times into one filter and j times into the other can be removed i + j times"
          + " from the merged one, and is not missed before; counts that merges double 34 times are not"
          + " too low.",
      Capability.MERGED_COUNTS,
      context -> new RemovalRules(context).aMergeAddsCounts()),

  R56(
      "racing puts and removes lose nothing",
      "After one thread has put and another removed, the filter has the counts that are left,"
          + " neither more nor fewer.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).racingPutsAndRemovesLoseNothing()),

  R57(
      "of racing removes as many return true as there were puts",
      "When two threads remove one hash more often than it was put, exactly as many calls return"
          + " true as it was put.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).ofRacingRemovesAsManyReturnTrueAsThereWerePuts()),

  R58(
      "what is kept is found while other hashes are removed",
      "A query that runs beside removes of other hashes finds a hash that is not removed, and its"
          + " count is not too low.",
      Capability.REMOVAL,
      context -> new RemovalRaceRules(context).whatIsKeptIsFoundWhileOtherHashesAreRemoved()),

  R59(
      "a growing filter keeps its rate",
      "With 1, 2, 10, 100 and 1,000 times the expected keys the false-positive rate is at most the"
          + " one asked.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrowingFilterKeepsItsRate()),

  R60(
      "a growing filter loses nothing",
      "Up to 300 times the expected keys every hash put is found, by single queries and by select,"
          + " and put tells the truth.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrowingFilterLosesNothing()),

  R61(
      "repeated hashes take no room",
      "100,000 puts of hashes that a growing filter has change not a byte, neither now nor in how"
          + " it grows later.",
      Capability.GROWTH,
      context -> new GrowthRules(context).repeatedHashesTakeNoRoom()),

  R62(
      "two threads that grow a filter lose nothing",
      "What two threads put while both make the filter grow is all found, and of racing equal puts"
          + " at most one returns true; what is written then can be read.",
      Capability.GROWTH,
      context -> new GrowthRules(context).twoThreadsThatGrowAFilterLoseNothing()),

  R63(
      "a grown filter is copied, written and cleared whole",
      "After growth a copy is equal and independent, a filter read goes on as the one written, and"
          + " a cleared one is as it was created.",
      Capability.GROWTH,
      context -> new GrowthRules(context).aGrownFilterIsCopiedWrittenAndClearedWhole()),

  R64(
      "large filters keep both promises",
      "With a million keys and more every hash put is found, in batches too, and the rate is at"
          + " most the one planned.",
      context -> new LargeRules(context).largeFiltersKeepBothPromises()),

  R65(
      "altered content is refused or taken as it is",
      "Whatever of layout and content was changed behind right checksums, reading throws"
          + " FilterFormatException, or gives a filter that writes just that and works; soon, and"
          + " with little memory.",
      context -> new DamageRules(context).alteredContentIsRefusedOrTakenAsItIs()),

  R66(
      "every JVM does the same",
      "Plans, answers, statistics and bytes do not depend on the JVM: its locale, time zone,"
          + " character set, processors, identity hash codes or moment of start.",
      context -> new OwnershipRules(context).everyJvmDoesTheSame()),

  R67(
      "what is handed over is not kept",
      "Arrays and maps that a filter was given, or has returned, may be overwritten afterwards"
          + " without any effect on it.",
      context -> new OwnershipRules(context).whatIsHandedOverIsNotKept()),

  R68(
      "filters do not disturb each other",
      "Two threads that use a filter each get what one thread alone would.",
      context -> new SideBySideRules(context).filtersDoNotDisturbEachOther()),

  R69(
      "batches may run beside each other",
      "What two threads put by putAll is all found, no hash is counted as new twice, and select"
          + " beside them finds all that was there.",
      context -> new SideBySideRules(context).batchesMayRunBesideEachOther()),

  R70(
      "merges may run beside puts",
      "A merge that runs beside puts into either filter, or beside a merge the other way round,"
          + " ends and loses nothing.",
      Capability.MERGING,
      context -> new SideBySideRules(context).mergesMayRunBesidePuts()),

  R71(
      "positions are even at every size",
      "The positions that a provider names for a hash are those that its filters use, and fall"
          + " evenly on tables of any size, up to 2^40 bits.",
      Capability.POSITIONS,
      context -> new PositionRules(context).positionsAreEvenAtEverySize()),

  R72(
      "a full filter refuses and stays as it is",
      "Where there is no room put throws FilterFullException, which shows no hash, and not a byte"
          + " has changed; what is there is still found and put; a batch puts what comes before,"
          + " and nothing after.",
      Capability.LIMIT,
      context -> new LimitRules(context).aFullFilterRefusesAndStaysAsItIs()),

  R73(
      "a put that returned is seen by every thread",
      "A query that begins after a put has returned finds the hash, in whichever thread, whatever"
          + " that thread was told before.",
      context -> new ThreadRules(context).aPutThatReturnedIsSeenByEveryThread()),

  R74(
      "a provider serves two threads",
      "Two threads that plan and create at the same time each get what one alone would.",
      context -> new SideBySideRules(context).aProviderServesTwoThreads()),

  R75(
      "the layout counts, not the spec",
      "A filter is read as its layout says, whatever was asked for when it was made.",
      context -> new FileRules(context).theLayoutCountsNotTheSpec()),

  R76(
      "a mapped filter answers as the one read",
      "Queries, batch queries and statistics of a filter that is mapped are those of the filter"
          + " read from the same bytes, however many segments they lie in.",
      context -> new MappedRules(context).aMappedFilterAnswersAsTheOneRead()),

  R77(
      "attributes come back",
      "A filter has the attributes of the spec that it was created with, whatever is put, cleared"
          + " or merged into it; so have its copies and what is read from its file.",
      context -> new LifeRules(context).attributesComeBack()),

  R78(
      "limits are kept",
      "limits() is what create or read was given, in copies too. A filter that would be larger is"
          + " refused before memory is taken; a put or merge that would make it larger, and no"
          + " other, throws FilterFullException and changes not a byte.",
      context -> new LimitRules(context).limitsAreKept()),

  R79(
      "removeAll does what single removes do",
      "removeAll(hashes, from, to) leaves the bytes and returns the number that single removes"
          + " would; a range outside the array throws IndexOutOfBoundsException and changes not a"
          + " byte.",
      Capability.REMOVAL,
      context -> new RemovalRules(context).removeAllDoesWhatSingleRemovesDo()),

  R80(
      "the type of filters is known beforehand",
      "Every filter that is created, copied or read is of the type filterType(), which merges or"
          + " removes exactly if they do.",
      context -> new DescriptionRules(context).theTypeOfFiltersIsKnownBeforehand()),

  R81(
      "filters of other key forms do not merge",
      "Where the attribute bloomery.key-form differs, which is plain if absent, incompatibility"
          + " names both forms, putAll throws IllegalArgumentException and neither side changes;"
          + " other attributes may differ.",
      Capability.MERGING,
      context -> new MergeRules(context).filtersOfOtherKeyFormsDoNotMerge()),

  R82(
      "descriptions are complete and agree",
      "The description of a plan, a filter or a mapped filter is complete, short and printable and"
          + " made without reading the content; a new filter has that of its plan, and a mapped one"
          + " the structure and parts of the one read.",
      context -> new DescriptionRules(context).descriptionsAreCompleteAndAgree());

  /** The system property that names the rules of a {@link FilterContract}. */
  static final String PROPERTY = "bloomery.conformance.rule";

  private final String title;
  private final String statement;
  private final Capability capability;

  @SuppressWarnings("ImmutableEnumChecker") // they call constructors, and keep nothing
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

  /** Returns the rules that {@link #PROPERTY} names, or all if it is not set. */
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

  /** Returns why no filter is checked for the rule in a tier, or nothing if it is checked. */
  Optional<String> leftOutOf(Tier tier) {
    return this == R64 && tier == Tier.SMOKE
        ? Optional.of("tier smoke puts fewer than the million keys that the rule is about")
        : Optional.empty();
  }

  /** Returns the properties that check the rule again as it was, on a line of their own. */
  String again(long seed, Tier tier) {
    return String.format(
        "%nagain with -D%s=%d -D%s=%s -D%s=%s",
        Seeds.PROPERTY, seed, Tier.PROPERTY, tier, PROPERTY, this);
  }

  /**
   * Throws if filters break the rule, for which they must have its capability.
   *
   * @throws InconclusiveError if it cannot be checked here
   */
  void check(RuleContext context) throws Exception {
    check.check(context);
  }
}
