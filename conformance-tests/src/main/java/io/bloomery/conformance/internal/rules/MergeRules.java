package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Offer;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.ExactFilter;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.LookAlikes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyForm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** The rules on merging. */
public final class MergeRules extends RuleGroup {

  /** A filter of more than 2^15 words, the last of which is not empty. */
  private static final Case LARGE = Case.of(400_000, 0.01).withPut(60_000);

  // Tables with odd and even numbers of words.
  private static final Domain MERGED =
      Domain.everyFilter()
          .maxPut(40_000)
          .smallDraws(24)
          .edges(new long[] {2, 13, 50, 100, 500, 10_000}, 0.01)
          .edges(List.of(LARGE, LifeRules.BEYOND_TWO_BYTES));

  private static final Domain ALONE =
      Domain.everyFilter()
          .maxPut(20_000)
          .draws(12)
          .smallDraws(16)
          .edges(new long[] {10, 500}, 0.01);

  private static final Domain ITSELF =
      Domain.everyFilter().maxPut(30_000).edges(new long[] {100}, 0.01);

  private static final Domain REFUSED =
      Domain.everyFilter()
          .keys(1, 300_000)
          .maxPut(5_000)
          .smallDraws(8)
          .edges(new long[] {100}, 0.01);

  private static final Domain FITTING =
      Domain.everyFilter()
          .maxPut(30_000)
          .draws(12)
          .edges(new long[] {100}, 0.01)
          .edges(List.of(LARGE));

  private static final Domain DOUBLED =
      Domain.everyFilter()
          .keys(1, 1_000)
          .maxPut(200)
          .draws(6)
          .edges(
              List.of(
                  Case.of(100, 0.01).withPut(40),
                  Case.of(100, 0.01).withPut(40).withMode(ThreadMode.SHARED)));

  private static final long MAX_OTHER_KEYS = 100_000;

  /** The maximum size in bytes of a filter whose content is compared again and again. */
  private static final int SMALL = 1 << 14;

  /** The number of hashes that are queried one by one after a merge; all are in a batch. */
  private static final int SINGLY = 2_000;

  public MergeRules(RuleContext context) {
    super(context);
  }

  public void aMergeIsTheFilterOfTheUnion() {
    ManyTimes manyTimes = new ManyTimes(context(), "r27");
    manyTimes.checkMerge();
    manyTimes.checkMergeOfMany();
    forAll(MERGED, this::checkUnion);
  }

  /** Merges with a filter that contains a quarter of the same hashes, and as many others. */
  private void checkUnion(Case drawn) {
    FilledFilter firsts = new FilledFilter(subject(), drawn);
    long[] hashes = firsts.hashes();
    int quarter = hashes.length / 4;
    long[] last = Arrays.copyOfRange(hashes, 3 * quarter, hashes.length);
    Filter lasts = firsts.partner(last, quarter);
    Filter reference = firsts.reference();
    Filter union = reference.copy();
    if (!Subject.put(union, last) || !Subject.put(union, firsts.others().next(quarter))) {
      return; // a full filter rejects the merge, as another rule checks
    }
    checkMerge(union, firsts.filter(), lasts);
    checkMerge(union, lasts, firsts.filter());
    checkMerge(reference, firsts.empty(), firsts.filter());
    checkMerge(reference, firsts.filter(), firsts.empty());
    checkUnionOfWords(union, firsts.filter(), lasts);
    checkUnionOfLarger(firsts.filter());
    // Not into a copy: it may depend on what was done to the filter.
    ((MergeableFilter) firsts.filter()).putAll(lasts);
    assertArrayEquals(
        Subject.write(union), Subject.write(firsts.filter()), "union with the filter itself");
    if (firsts.filter().payloadSize() <= SMALL) {
      checkGivesWhatItHas(firsts);
    }
  }

  /** Merges a filter into empty ones, before and after each way to change it. */
  private static void checkGivesWhatItHas(FilledFilter filled) {
    MergeableFilter from = (MergeableFilter) filled.filter();
    long[] more = filled.others().next(6);
    List<Runnable> changes = new ArrayList<>();
    changes.add(() -> {});
    changes.add(() -> from.putAll(more, 0, 2));
    changes.add(() -> from.put(more[2]));
    changes.add(() -> from.putAll(filledWith(filled, more[3])));
    if (from instanceof RemovableFilter removable) {
      changes.add(() -> removable.remove(more[2]));
      changes.add(() -> removable.removeAll(more, 0, 2));
    }
    changes.add(from::clear);
    changes.add(() -> from.putAll(more, 4, 6));
    try {
      for (Runnable change : changes) {
        change.run();
        MergeableFilter into = (MergeableFilter) filled.empty();
        into.putAll(from);
        assertArrayEquals(
            Subject.write(from), Subject.write(into), "what an empty filter is given by a merge");
      }
    } catch (FilterFullException e) {
      // Another rule checks what is refused.
    }
  }

  private static Filter filledWith(FilledFilter filled, long hash) {
    Filter other = filled.empty();
    other.put(hash);
    return other;
  }

  /** Merges serialised filters like files, if the provider permits it. */
  private void checkUnionOfWords(Filter expected, Filter one, Filter other) {
    OptionalLong bits = subject().provider().unionBits(one.layout(), one.payloadSize());
    if (bits.isEmpty()) {
      return;
    }
    long[] union = Payload.of(one).words();
    long[] words = Payload.of(other).words();
    Arrays.setAll(union, i -> union[i] | words[i]);
    assertArrayEquals(
        Payload.of(expected).words(),
        union,
        () -> "the or of what is written of two like " + Subject.text(one));
    int last = union.length - 1;
    while (last > 0 && union[last] == 0) {
      last--;
    }
    long length = (long) Long.SIZE * (last + 1) - Long.numberOfLeadingZeros(union[last]);
    assertTrue(
        length <= bits.getAsLong() && bits.getAsLong() <= (long) Long.SIZE * union.length,
        () -> bits + " bits may be set, but " + length + " are in use in " + Subject.text(one));
  }

  /**
   * Queries the union bits of tables twice, four times and so on as large, none of which is
   * created: the largest have more bits than an int can represent.
   */
  private void checkUnionOfLarger(Filter filter) {
    long size = filter.payloadSize();
    long before = 0;
    for (int times = 0; size > 0 && size << times <= Long.MAX_VALUE / Byte.SIZE / 2; times++) {
      long larger = size << times;
      Map<String, Long> numbers = new TreeMap<>(filter.layout().toMap());
      // Whichever number contains the size; others are unchanged.
      numbers.replaceAll(
          (name, number) -> number == size * Byte.SIZE ? larger * Byte.SIZE : number);
      OptionalLong bits;
      try {
        bits = subject().provider().unionBits(FilterLayout.of(numbers), larger);
      } catch (IllegalArgumentException e) {
        return; // beyond the largest table, or the size has another source
      }
      if (bits.isEmpty()) {
        return;
      }
      long least = before;
      assertTrue(
          bits.getAsLong() >= least && bits.getAsLong() <= larger * Byte.SIZE,
          () -> bits + " bits may be set of " + larger + " bytes, and " + least + " of half of it");
      before = bits.getAsLong();
    }
  }

  private static void checkMerge(Filter expected, Filter into, Filter from) {
    MergeableFilter merged = (MergeableFilter) into.copy();
    assertEquals(Optional.empty(), merged.incompatibility(from));
    // Cached statistics become stale.
    merged.stats();
    merged.putAll(from.copy());
    assertEquals(
        expected.stats(), merged.stats(), () -> "statistics of two like " + Subject.text(into));
    assertArrayEquals(
        Subject.write(expected),
        Subject.write(merged),
        () -> "union of two like " + Subject.text(into));
  }

  public void aMergeLeavesItsArgumentAlone() {
    forAll(ALONE, this::checkArgument);
  }

  private void checkArgument(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = filled.hashes();
    long[] some = Arrays.copyOfRange(hashes, 3 * (hashes.length / 4), hashes.length);
    checkLeftAlone(filled.partner(some, 10), filled.filter().copy(), filled);
    checkLeftAlone(filled.filter(), filled.partner(some, 10), filled);
    // An empty target may tempt an implementation to adopt the content unchanged.
    checkLeftAlone(filled.empty(), filled.partner(some, 10), filled);
    checkLeftAlone(filled.empty(), filled.filter(), filled);
  }

  private static void checkLeftAlone(Filter into, Filter from, FilledFilter filled) {
    byte[] before = Subject.write(from);
    boolean isTaken = isMerged(into, from);
    assertArrayEquals(before, Subject.write(from), "the argument after the merge");
    if (!isTaken) {
      return;
    }
    byte[] result = Subject.write(into);
    Hashes others = filled.others();
    Subject.put(from, others.next(40));
    assertArrayEquals(result, Subject.write(into), "the result after puts into the argument");
    byte[] after = Subject.write(from);
    Subject.put(into, others.next(40));
    assertArrayEquals(after, Subject.write(from), "the argument after puts into the result");
    Filter rest = into.copy();
    from.clear();
    assertArrayEquals(
        Subject.write(rest), Subject.write(into), "the result after the argument was cleared");
  }

  /** Merges, and returns false if there was no room. */
  static boolean isMerged(Filter into, Filter from) {
    try {
      ((MergeableFilter) into).putAll(from);
      return true;
    } catch (FilterFullException e) {
      return false;
    }
  }

  public void aFilterMergedWithItselfIsUnchangedOrRefuses() {
    forAll(ITSELF, this::checkItself);
  }

  private void checkItself(Case drawn) {
    MergeableFilter filter = (MergeableFilter) new FilledFilter(subject(), drawn).filter();
    byte[] before = Subject.write(filter);
    if (filter.incompatibility(filter).isPresent()) {
      assertThrows(IllegalArgumentException.class, () -> filter.putAll(filter));
    } else {
      assertDoesNotThrow(() -> filter.putAll(filter), "mismatch gave no reason");
    }
    assertArrayEquals(before, Subject.write(filter), "bytes after merging with itself");
  }

  public void whatDoesNotFitIsRefusedWithAReason() {
    forAll(REFUSED, this::checkRefusals);
  }

  private void checkRefusals(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    MergeableFilter filter = (MergeableFilter) filled.filter();
    List<Filter> others = new ArrayList<>(equalInSizeOnly(drawn, filter));
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (String hashId : LookAlikes.of(drawn.hashId(), random).subList(0, 2)) {
      others.add(withHashId(filter, hashId, random));
    }
    for (long keys : new long[] {100 * drawn.keys(), 1 + drawn.keys() * 3 / 2, drawn.keys() / 2}) {
      if (keys > 0 && keys <= MAX_OTHER_KEYS && subject().offer().has(keys, drawn.rate())) {
        others.add(subject().provider().create(drawn.withKeys(keys).spec(), drawn.mode()));
      }
    }
    long[] hashes = filled.others().next(50);
    Filter equal = filter.copy();
    for (Filter other : others) {
      if (other.layout().equals(filter.layout())
          && other.spec().hashId().equals(filter.spec().hashId())) {
        continue;
      }
      Subject.put(other, hashes);
      checkRefused(filter, other);
      checkRefused((MergeableFilter) other, filter);
    }
    Filter otherVariant = new ExactFilter(filter.spec(), filter.layout());
    Subject.put(otherVariant, hashes);
    checkRefused(filter, otherVariant);
    EveryCall.checkEqual(
        equal, filter, filled.some(), drawn.seed(), "after merges that were refused");
    checkLookAlikes(filter, random);
  }

  /** Returns an equal filter of another hash id, created or read; it may be empty. */
  private Filter withHashId(Filter filter, String hashId, SplittableRandom random) {
    FilterSpec spec = filter.spec();
    FilterSpec other = FilterSpec.of(spec.expectedKeys(), spec.falsePositiveRate(), hashId);
    ThreadMode mode = Subject.modeOf(random.nextInt());
    return random.nextBoolean()
        ? subject().provider().create(other, mode)
        : subject().readAs(other, filter, mode);
  }

  private void checkLookAlikes(Filter filter, SplittableRandom random) {
    String id = LookAlikes.draw(random);
    MergeableFilter here = (MergeableFilter) withHashId(filter, id, random);
    for (String other : LookAlikes.of(id, random)) {
      MergeableFilter there = (MergeableFilter) withHashId(filter, other, random);
      if (filter.payloadSize() <= SMALL) {
        checkRefused(here, there);
        checkRefused(there, here);
      } else {
        checkReason(here, there);
        checkReason(there, here);
      }
    }
  }

  private static void checkRefused(MergeableFilter into, Filter from) {
    long[] here = Payload.of(into).words();
    long[] there = Payload.of(from).words();
    checkReason(into, from);
    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class,
            () -> into.putAll(from),
            () ->
                Subject.text(into) + " must refuse " + Subject.text(from) + " with " + from.spec());
    String message = refusal.getMessage();
    assertFalse(
        message == null || message.isBlank(),
        () -> "no message when refusing " + Subject.text(from));
    assertArrayEquals(here, Payload.of(into).words(), "the filter that refused");
    assertArrayEquals(there, Payload.of(from).words(), "the filter that was refused");
  }

  private static void checkReason(MergeableFilter into, Filter from) {
    assertTrue(
        into.incompatibility(from).filter(text -> !text.isBlank()).isPresent(),
        () ->
            "no reason to refuse "
                + Subject.text(from)
                + " with "
                + from.spec()
                + " where there is "
                + into.spec());
  }

  /** Returns filters whose content has the same size, but a different layout. */
  private List<Filter> equalInSizeOnly(Case drawn, Filter filter) {
    Offer offer = subject().offer();
    long bits = offer.plan(drawn.keys(), drawn.rate()).orElseThrow().sizeInBits();
    List<Filter> found = new ArrayList<>();
    for (double factor : new double[] {0.01, 0.1, 0.3, 3, 10, 30}) {
      double rate = drawn.rate() * factor;
      if (rate < 1e-9 || rate > 0.9) {
        continue;
      }
      long keys = mostKeys(offer, rate, bits);
      if (keys > 0) {
        Filter other =
            subject().provider().create(drawn.withKeys(keys).withRate(rate).spec(), drawn.mode());
        if (other.payloadSize() == filter.payloadSize()
            && !other.layout().equals(filter.layout())) {
          found.add(other);
        }
      }
    }
    return found;
  }

  /** Returns the maximum number of keys for which a filter with this many bits is planned, or 0. */
  private static long mostKeys(Offer offer, double rate, long bits) {
    long fits = 0;
    long exceeds = 2 * Subject.ALWAYS_KEYS;
    while (exceeds - fits > 1) {
      long keys = fits + (exceeds - fits) / 2;
      if (offer.plan(keys, rate).filter(plan -> plan.sizeInBits() <= bits).isPresent()) {
        fits = keys;
      } else {
        exceeds = keys;
      }
    }
    return fits;
  }

  public void whatFitsIsMergedWhateverWasAskedFor() {
    forAll(DOUBLED, this::checkDoubled);
    forAll(FITTING, this::checkFitting);
  }

  private void checkFitting(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    long[] hashes = filled.hashes();
    long[] some = Arrays.copyOfRange(hashes, 3 * (hashes.length / 4), hashes.length);
    SplittableRandom random = new SplittableRandom(drawn.seed());
    // Only the spec contains the requested parameters of a filter of this layout.
    FilterSpec asked =
        FilterSpec.of(
            1 + random.nextLong(2 * drawn.keys()),
            Math.min(0.9, drawn.rate() * (0.5 + random.nextDouble())) + 1e-9,
            drawn.hashId());
    Filter partner = filled.partner(some, 40);
    Filter other = subject().readAs(asked, partner, Subject.modeOf(random.nextInt()));
    long[] theirs = Arrays.copyOf(some, some.length + 40);
    System.arraycopy(filled.others().next(40), 0, theirs, some.length, 40);
    theirs = Arrays.stream(theirs).filter(partner::mightContain).toArray(); // all, if there is room
    long[] both = LongStream.concat(Arrays.stream(hashes), Arrays.stream(theirs)).toArray();
    assertArrayEquals(
        merged(filter, partner, both), merged(filter, other, both), "from one of another spec");
    assertArrayEquals(
        merged(partner, filter, both), merged(other, filter, both), "into one of another spec");
    Filter empty = subject().readAs(asked, filled.empty(), drawn.otherMode());
    long[] words = Payload.of(filter).words();
    assertArrayEquals(words, merged(empty, filter, hashes), "into an empty one of another spec");
    assertArrayEquals(words, merged(filled.empty(), filter, hashes), "into an empty one");
    for (Filter near : nearby(drawn, filter)) {
      Filter equal = filled.empty();
      for (Filter each : new Filter[] {near, equal}) {
        Subject.put(each, filled.others().next(40));
      }
      assertArrayEquals(
          merged(filter, equal, hashes),
          merged(filter, near, hashes),
          () -> "from one for " + near.spec());
      assertArrayEquals(
          merged(equal, filter, hashes),
          merged(near, filter, hashes),
          () -> "into one for " + near.spec());
    }
  }

  /** Returns filters with the same layout that were requested with different parameters. */
  private List<Filter> nearby(Case drawn, Filter filter) {
    List<Filter> found = new ArrayList<>();
    for (int more : new int[] {0, -10, 10, -3, 3, -1, 1}) {
      // In most layouts, a rate lower by a billionth requires the same integer number of words.
      double rate = more == 0 ? drawn.rate() * (1 - 1e-9) : drawn.rate();
      long keys = drawn.keys() + more;
      if (keys > 0 && found.isEmpty() && subject().offer().has(keys, rate)) {
        FilterSpec spec = drawn.withKeys(keys).withRate(rate).spec();
        if (subject().provider().plan(spec).sizeInBits()
            == subject().provider().plan(drawn.spec()).sizeInBits()) {
          Filter near = subject().provider().create(spec, drawn.otherMode());
          if (near.layout().equals(filter.layout())) {
            found.add(near);
          }
        }
      }
    }
    return found;
  }

  /**
   * Merges into a copy, and returns its content, which is unchanged if there is no room.
   *
   * @param both the hashes of both
   */
  private static long[] merged(Filter into, Filter from, long... both) {
    MergeableFilter merged = (MergeableFilter) into.copy();
    if (!isUnited(merged, from, both)) {
      assertArrayEquals(
          Payload.of(into).words(), Payload.of(merged).words(), "the filter that has no room");
    }
    return Payload.of(merged).words();
  }

  /**
   * Merges, asks for all hashes of both sides, and checks that nothing else has changed; returns
   * false if there was no room.
   */
  static boolean isUnited(MergeableFilter into, Filter from, long... both) {
    FilterSpec mine = into.spec();
    FilterSpec theirs = from.spec();
    long[] there = Payload.of(from).words();
    assertEquals(Optional.empty(), into.incompatibility(from), () -> mine + " and " + theirs);
    boolean isTaken = isMerged(into, from);
    assertArrayEquals(there, Payload.of(from).words(), "the filter that was merged, or refused");
    assertEquals(mine, into.spec(), "spec of a filter merged into");
    assertEquals(theirs, from.spec(), "spec of a filter merged from");
    if (isTaken) {
      for (int i = 0; i < both.length; i += 1 + both.length / SINGLY) {
        long hash = both[i];
        assertTrue(into.mightContain(hash), () -> hash + " is lost in a merge of " + theirs);
      }
      assertEquals(
          both.length,
          into.select(both, 0, both.length, new int[both.length]),
          () -> "found by select after a merge of " + theirs);
    }
    return isTaken;
  }

  /** Doubles all counts until no 64-bit count can be higher, and once more. */
  private void checkDoubled(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    MergeableFilter filter = (MergeableFilter) filled.filter();
    long[] hashes = filled.hashes();
    for (int doublings = 0; doublings <= Long.SIZE; doublings++) {
      Filter other =
          doublings % 2 == 0
              ? filter.copy()
              : subject().readAs(filter.spec(), filter, drawn.mode());
      byte[] before = Subject.write(other);
      assertEquals(Optional.empty(), filter.incompatibility(other));
      if (!isMerged(filter, other)) {
        assertArrayEquals(before, Subject.write(filter), "the filter that has no room");
      }
      assertArrayEquals(before, Subject.write(other), "the filter that was merged, or refused");
      for (long hash : hashes) {
        assertTrue(filter.mightContain(hash), () -> hash + " is lost in a merge with a copy");
      }
    }
  }

  public void anIntersectionFindsWhatBothFind() {
    forAll(ALONE, this::checkIntersection);
  }

  /** Intersects with a filter that contains a quarter of the same hashes, and as many others. */
  private void checkIntersection(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] hashes = filled.hashes();
    int quarter = hashes.length / 4;
    MergeableFilter one = (MergeableFilter) filled.filter();
    long[] some = Arrays.copyOfRange(hashes, 3 * quarter, hashes.length);
    MergeableFilter other = (MergeableFilter) filled.partner(some, quarter);
    byte[] here = Subject.write(one);
    byte[] there = Subject.write(other);
    if (one.hasIntersections()) {
      assertEquals(Optional.empty(), one.intersectionRefusal(other), "reason to refuse");
      long[] asked = Arrays.copyOf(hashes, hashes.length + 2 * quarter + SINGLY);
      System.arraycopy(
          filled.others().next(2 * quarter + SINGLY),
          0,
          asked,
          hashes.length,
          2 * quarter + SINGLY);
      MergeableFilter both = one.intersection(other);
      checkIntersection(both, one, other, asked);
      checkIntersection((MergeableFilter) both.copy(), one, other, asked);
      Filter read = subject().read(Subject.write(both), drawn.otherMode());
      checkIntersection((MergeableFilter) read, one, other, asked);
      assertEquals(
          OptionalLong.empty(), subject().mapped(both).stats().approximateKeys(), "keys, mapped");
      Subject.put(both, filled.others().next(40));
      checkRefusedIntersection(one, new ExactFilter(one.spec(), one.layout()));
    } else {
      checkRefusedIntersection(one, other);
    }
    assertArrayEquals(here, Subject.write(one), "the filter that was intersected");
    assertArrayEquals(there, Subject.write(other), "the filter that it was intersected with");
  }

  private static void checkIntersection(
      MergeableFilter both, MergeableFilter one, MergeableFilter other, long[] asked) {
    assertEquals(one.spec().intersection(other.spec()), both.spec(), "spec of an intersection");
    assertEquals(one.layout(), both.layout(), "layout of an intersection");
    long[] expected = found(one, found(other, asked));
    assertArrayEquals(expected, found(both, asked), "hashes that an intersection finds");
    for (int i = 0; i < expected.length; i += 1 + expected.length / SINGLY) {
      assertTrue(both.mightContain(expected[i]), "an intersection has lost a common hash");
    }
    assertEquals(OptionalLong.empty(), both.stats().approximateKeys(), "keys of an intersection");
    assertFalse(both.stats().isOverfull(), "an intersection is overfull");
    checkRefused(one, both);
    assertEquals(Optional.empty(), both.incompatibility(both.copy()), "reason for its copy");
  }

  private static long[] found(Filter filter, long[] asked) {
    int[] hits = new int[asked.length];
    int found = filter.select(asked, 0, asked.length, hits);
    return Arrays.stream(hits, 0, found).mapToLong(i -> asked[i]).toArray();
  }

  private static void checkRefusedIntersection(MergeableFilter one, Filter other) {
    assertTrue(
        one.intersectionRefusal(other).filter(text -> !text.isBlank()).isPresent(),
        () -> "no reason to refuse the intersection with " + Subject.text(other));
    assertThrows(IllegalArgumentException.class, () -> one.intersection(other));
  }

  public void filtersOfOtherKeyFormsDoNotMerge() {
    SplittableRandom random = new SplittableRandom(seed("r81"));
    List<Optional<String>> forms = new ArrayList<>(List.of(Optional.empty()));
    for (String form : List.of("plain", "hex", "base64", "trim", "trim ignore-case", "")) {
      forms.add(Optional.of(form));
    }
    for (int i = 0; i < 2; i++) {
      forms.add(Optional.of(DrawnAttributes.text(random, 1 + random.nextInt(40))));
    }
    for (Optional<String> here : forms) {
      for (Optional<String> there : forms) {
        FilterSpec spec = smallSpec(random);
        checkKeyForms(withKeyForm(spec, here, random), withKeyForm(spec, there, random));
      }
    }
    evidence().note(forms.size() * forms.size() + " pairs of key forms");
    for (int times = tier().choose(1, 8, 40); times > 0; times--) {
      String form = LookAlikes.draw(random);
      FilterSpec spec = smallSpec(random);
      MergeableFilter here = withKeyForm(spec, Optional.of(form), random);
      for (String other : LookAlikes.of(form, random)) {
        MergeableFilter there = withKeyForm(spec, Optional.of(other), random);
        checkKeyForms(here, there);
        checkKeyForms(there, here);
      }
    }
  }

  /** Draws a spec that every variant must offer. */
  private static FilterSpec smallSpec(SplittableRandom random) {
    long keys = (long) StrictMath.pow(10, 4 * random.nextDouble());
    double rate = StrictMath.pow(10, -3 * random.nextDouble()) * 0.9;
    String hashId = random.nextBoolean() ? FilterSpec.RAW : "conformance/other";
    return FilterSpec.of(keys, Math.max(Subject.ALWAYS_RATE, rate), hashId);
  }

  /** Returns a filter with a key form, set in one of several ways. */
  private MergeableFilter withKeyForm(
      FilterSpec asked, Optional<String> form, SplittableRandom random) {
    Map<String, String> attributes = new TreeMap<>();
    attributes.put("conformance.note", DrawnAttributes.text(random, random.nextInt(100)));
    form.ifPresent(text -> attributes.put(KeyForm.ATTRIBUTE, text));
    FilterSpec spec = asked.withAttributes(attributes);
    ThreadMode mode = Subject.modeOf(random.nextInt());
    Filter filter = subject().provider().create(spec, mode);
    if (random.nextInt(4) == 0) {
      filter = subject().readAs(spec, subject().provider().create(asked, mode), mode);
    }
    Subject.put(filter, random.longs(random.nextInt(60)).toArray());
    filter =
        switch (random.nextInt(6)) {
          case 0 -> filter.copy();
          case 1 -> subject().read(Subject.write(filter), mode);
          case 2 -> subject().read(Subject.write(filter.copy()), mode).copy();
          case 3 -> {
            filter.clear();
            yield filter;
          }
          default -> filter;
        };
    Subject.put(filter, random.longs(random.nextInt(10)).toArray());
    return (MergeableFilter) filter;
  }

  private static void checkKeyForms(MergeableFilter into, MergeableFilter from) {
    String here = DrawnAttributes.keyForm(into.spec());
    String there = DrawnAttributes.keyForm(from.spec());
    if (here.equals(there)) {
      assertEquals(
          Optional.empty(), into.incompatibility(from), () -> "two filters of form " + here);
      MergeableFilter union = (MergeableFilter) from.copy();
      isUnited(union, into);
      isUnited(into, from);
      assertArrayEquals(
          Payload.of(union).words(), Payload.of(into).words(), "a merge, either way round");
      return;
    }
    byte[] before = Subject.write(into);
    byte[] other = Subject.write(from);
    String reason =
        into.incompatibility(from)
            .orElseThrow(() -> new AssertionError("no reason: " + here + " and " + there));
    assertTrue(
        reason.contains(here) && reason.contains(there),
        () -> "a reason must name both '" + here + "' and '" + there + "': " + reason);
    assertThrows(
        IllegalArgumentException.class,
        () -> into.putAll(from),
        () -> "a merge of '" + there + "' into '" + here + "'");
    assertArrayEquals(before, Subject.write(into), "the filter that refused");
    assertArrayEquals(other, Subject.write(from), "the filter that was refused");
  }
}
