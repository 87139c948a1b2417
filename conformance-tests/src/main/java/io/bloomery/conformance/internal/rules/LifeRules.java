package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.cases.TableEdges;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.DrawnAttributes;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** The rules on creating, copying and clearing, and on operations that must not change a filter. */
public final class LifeRules extends RuleGroup {

  private static final Domain CREATED =
      Domain.everyFilter()
          .draws(8)
          .each(
              drawn ->
                  Case.of(drawn.keys(), drawn.rate())
                      .withMode(drawn.mode())
                      .withHashId(drawn.hashId())
                      .withPut(0)
                      .withSeed(drawn.seed()))
          .edges(new long[] {1, 100}, 0.01);

  private static final int MIN_CREATED = 4;
  private static final int MAX_CREATED = 300;
  private static final int BYTES_OF_CREATED = 1 << 20;

  /** A filter of more hashes than two bytes count, signed or unsigned. */
  static final Case BEYOND_TWO_BYTES = Case.of(100_000, 0.01).withPut(135_000);

  private static final Domain CLEARED =
      Domain.everyFilter()
          .maxPut(20_000)
          .smallDraws(24)
          .edges(inBothModes(new long[] {1, 100, 10_000}, 2))
          .edges(List.of(BEYOND_TWO_BYTES));

  private static final Domain COPIED =
      Domain.everyFilter()
          .maxPut(20_000)
          .smallDraws(24)
          // Tables with odd and even numbers of words.
          .edges(inBothModes(new long[] {1, 13, 50, 100, 10_000}, 1))
          .edges(List.of(BEYOND_TWO_BYTES));

  private static final Domain ASKED =
      Domain.everyFilter()
          .maxPut(20_000)
          .edges(List.of(Case.of(500, 0.1).withBatch(1, 5_000), Case.of(500, 0.1).withPut(0)));

  private static final Domain EQUAL =
      Domain.everyFilter()
          .maxPut(20_000)
          .smallDraws(16)
          .edges(new long[] {1, 100, 10_000}, 0.01)
          .edges(
              List.of(Case.of(500, 0.1).withHistory(List.of(Step.INTERRUPTED)), BEYOND_TWO_BYTES))
          // Cleared by this thread or another, depending on the seed.
          .edges(Collections.nCopies(5, Case.of(200, 0.01).withHistory(List.of(Step.CLEAR))));

  private static final Domain ATTRIBUTED =
      Domain.everyFilter()
          .keys(1, 1_000_000)
          .draws(16)
          .maxPut(500)
          .edges(inBothModes(new long[] {1, 10, 100}, 1));

  /** Numbers of words that are multiples of the parts into which tables are divided. */
  private static final long[] TABLES = {4_096, 8_192, 40_960};

  private static final int MAX_PUT_AT_EDGES = 1_000;
  private static final int SOME_ATTRIBUTES = 2;

  /** The size in bits above which a filter is checked with few sets of attributes: 64 KiB. */
  private static final long LARGE = 1L << 19;

  private static final int MAX_AGAIN = 2_000;
  private static final int MAX_ASKED = 5_000;
  private static final int MIN_CHANGED = 20;
  private static final Duration AGE = Duration.ofSeconds(2);
  private static final int MAX_CHANGED = 2_000;
  private static final int MAX_BYTES_OF_EACH = 1 << 16;

  public LifeRules(RuleContext context) {
    super(context);
  }

  public void eachCreateGivesAFilterOfItsOwn() {
    forAll(CREATED, this::checkOwn);
  }

  /** Creates filters one after another, as many as fit, and puts hashes of its own into each. */
  private void checkOwn(Case drawn) {
    int size = Subject.write(create(drawn, 0)).length;
    int count = Math.max(MIN_CREATED, Math.min(tier().some(MAX_CREATED), BYTES_OF_CREATED / size));
    Hashes hashes = new Hashes(drawn.seed());
    List<long[]> own = new ArrayList<>();
    List<Filter> filters = new ArrayList<>();
    Filter untouched = create(drawn, 0);
    long[] empty = Payload.of(untouched).words();
    for (int i = 1; i <= count; i++) {
      Filter filter = create(drawn, i);
      assertArrayEquals(empty, Payload.of(filter).words(), "content of a filter just created");
      own.add(hashes.next(1 + i % 3));
      Subject.put(filter, own.get(i - 1));
      filters.add(filter);
    }
    for (int i = 0; i < count; i++) {
      Filter only = untouched.copy();
      Subject.put(only, own.get(i));
      assertArrayEquals(
          Payload.of(only).words(),
          Payload.of(filters.get(i)).words(),
          "content of filter " + i + " of " + count);
    }
  }

  /** Creates a filter, sometimes in the other mode, because there are two that may be confused. */
  private Filter create(Case drawn, int number) {
    ThreadMode mode = number % 8 == 7 ? drawn.otherMode() : drawn.mode();
    return subject().provider().create(drawn.spec(), mode);
  }

  public void clearMakesAFilterAsItWasCreated() {
    new ManyTimes(context(), "r07").checkClear();
    forAll(withTables(CLEARED), this::checkClear);
  }

  private static List<Case> inBothModes(long[] keys, int fill) {
    List<Case> edges = new ArrayList<>();
    for (ThreadMode mode : ThreadMode.values()) {
      for (long number : keys) {
        edges.add(
            Case.of(number, 0.01)
                .withMode(mode)
                .withHashId("conformance/other")
                .withPut((int) (fill * number)));
      }
    }
    return edges;
  }

  /** Adds tables at whose end a loop over parts of them may end, and a filter for 2^18 keys. */
  private Domain withTables(Domain domain) {
    return domain
        .edges(List.of(Case.of(1 << 18, 0.01).withPut(MAX_PUT_AT_EDGES)))
        .edges(TableEdges.around(subject().offer(), MAX_PUT_AT_EDGES, TABLES, 0.01));
  }

  private void checkClear(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    Filter fresh = filled.empty();
    checkCleared(fresh, filter, filled.some());
    Hashes others = filled.others();
    checkAsMany(fresh, filter, others);
    checkCleared(filled.empty(), filter, filled.some());
    fresh.clear();
    for (long hash : again(filled.hashes())) {
      checkSamePut(fresh, filter, hash);
      checkSamePut(fresh, filter, others.next());
    }
    long[] batch = others.next(drawn.from() + Math.min(drawn.length(), MAX_AGAIN));
    try {
      assertEquals(
          fresh.putAll(batch, drawn.from(), batch.length),
          filter.putAll(batch, drawn.from(), batch.length),
          "how many of a batch are new after clear");
    } catch (FilterFullException e) {
      return; // another rule checks where a batch that does not fit ends
    }
    assertArrayEquals(Subject.write(fresh), Subject.write(filter), "bytes after clear and puts");
    checkCleared(filled.empty(), filter, filled.some());
  }

  /** Puts as many hashes before and after clear, since what was counted may be remembered. */
  private static void checkAsMany(Filter fresh, Filter filter, Hashes others) {
    for (int count : new int[] {1, 20}) {
      Subject.put(filter, others.next(count));
      filter.stats();
      filter.clear();
      fresh.clear();
      long[] hashes = others.next(count);
      Subject.put(filter, hashes);
      Subject.put(fresh, hashes);
      assertEquals(fresh.stats(), filter.stats(), "statistics of as many hashes as before clear");
    }
  }

  private static void checkCleared(Filter fresh, Filter filter, long... asked) {
    // Cached statistics and answers become stale.
    filter.stats();
    int last = asked.length - 1;
    filter.select(asked, 0, last, new int[last]);
    boolean unused = filter.mightContain(asked[0]) && filter.mightContain(asked[last]);
    filter.clear();
    assertFalse(filter.mightContain(asked[0]), "a hash found after clear");
    assertEquals(
        0, filter.select(asked, 0, last, new int[last]), "hashes found in a batch after clear");
    for (long hash : asked) {
      assertFalse(filter.mightContain(hash), "a hash found after clear");
    }
    assertEquals(
        fresh.stats(), filter.stats(), () -> "statistics after clear of " + Subject.text(filter));
    assertArrayEquals(
        Subject.write(fresh),
        Subject.write(filter),
        () -> "bytes after clear of " + Subject.text(filter));
  }

  private static long[] again(long[] hashes) {
    return Arrays.copyOf(hashes, Math.min(hashes.length, MAX_AGAIN));
  }

  private static void checkSamePut(Filter fresh, Filter filter, long hash) {
    try {
      assertEquals(fresh.put(hash), filter.put(hash), () -> "put of " + hash + " after clear");
    } catch (FilterFullException e) {
      assertFalse(Subject.isTaken(filter, hash), "a cleared filter has room for as many");
    }
  }

  public void aCopyIsEqualAndIndependentBothWays() {
    ManyTimes manyTimes = new ManyTimes(context(), "r08");
    manyTimes.checkCopy();
    if (Capability.REMOVAL.isOfferedBy(subject().provider())) {
      manyTimes.checkCopyOfHighCounts();
    }
    forAll(withTables(COPIED), this::checkCopy);
  }

  private void checkCopy(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    FilledFilter.ask(filter);
    Subject.put(filter, ~drawn.seed());
    byte[] before = Subject.write(filter);

    Filter copy = filter.copy();
    // Each as if it were the first query.
    assertEquals(
        subject().read(before, drawn.mode()).stats(),
        copy.stats(),
        () -> "statistics of a copy of " + Subject.text(filter) + ", which had been asked before");
    assertNotSame(filter, copy);
    assertArrayEquals(before, Subject.write(copy), () -> "a copy of " + Subject.text(filter));
    assertEquals(
        filter.stats(), copy.stats(), () -> "statistics of a copy of " + Subject.text(filter));
    assertEquals(filter.spec(), copy.spec(), "spec of a copy");
    assertEquals(filter.variant(), copy.variant(), "variant of a copy");
    assertEquals(filter.layout(), copy.layout(), "layout of a copy");
    assertEquals(filter.limits(), copy.limits(), "limits of a copy");

    List<Change> changes =
        Arrays.stream(Change.values()).filter(change -> change.isOffered(filter)).toList();
    if (before.length > MAX_BYTES_OF_EACH) {
      // For large filters only one change is tried, which takes long enough.
      changes = List.of(changes.get(Math.floorMod(drawn.seed(), changes.size())));
    }
    Hashes others = filled.others();
    long[] some = others.next(Math.max(MIN_CHANGED, Math.min(MAX_CHANGED, drawn.length())));
    long there = filled.hashes().length > 0 ? filled.hashes()[0] : some[0];
    for (Change change : changes) {
      Filter first = filter.copy();
      Filter second = first.copy();
      change.apply(first, there, some);
      assertArrayEquals(before, Subject.write(second), () -> "a copy, the original: " + change);
      Filter third = second.copy();
      change.apply(third, there, some);
      assertArrayEquals(before, Subject.write(second), () -> "the original, a copy: " + change);
      assertArrayEquals(
          Subject.write(first), Subject.write(third), () -> "two copies, each: " + change);
    }
    assertArrayEquals(before, Subject.write(filter), "the original of all copies");
  }

  public void questionsChangeNothing() throws InterruptedException {
    new ManyTimes(context(), "r09").checkQuestions();
    forAll(withTables(ASKED), this::checkQuestions);
    if (tier().isAtLeast(Tier.FULL)) {
      checkLater();
    }
  }

  /** Checks that time changes nothing, as it would if something expired. */
  private void checkLater() throws InterruptedException {
    long[] known = hashes("r09/later", 1_000);
    for (ThreadMode mode : ThreadMode.values()) {
      Filter filter = subject().create(known.length, 0.01, mode);
      Subject.put(filter, known);
      byte[] before = Subject.write(filter);
      Thread.sleep(AGE.toMillis());
      for (long hash : known) {
        assertTrue(filter.mightContain(hash), () -> hash + " is lost after " + AGE);
      }
      assertArrayEquals(before, Subject.write(filter), () -> "bytes after " + AGE);
    }
  }

  private void checkQuestions(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    byte[] before = Subject.write(filter);
    Filter other = filled.partner(again(filled.hashes()), 1);
    // Present and other hashes in turn.
    long[] asked = filled.others().next(drawn.from() + Math.min(drawn.length(), MAX_ASKED));
    long[] known = filled.hashes();
    for (int i = 0; i < Math.min(asked.length, known.length); i += 2) {
      asked[i] = known[i];
    }
    for (Question question : Question.values()) {
      question.ask(filter, asked, drawn.from(), other);
      assertArrayEquals(before, Subject.write(filter), () -> "bytes after " + question);
    }
  }

  public void equalContentIsWrittenAsEqualBytes() {
    forAll(withTables(EQUAL), this::checkEqualBytes);
  }

  private void checkEqualBytes(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    byte[] expected = Subject.write(filled.reference());
    assertArrayEquals(
        expected,
        Subject.write(filled.filter()),
        () ->
            "bytes of a filter, put into only, and of one with a history: "
                + Subject.text(filled.filter()));
    Filter again = filled.empty();
    boolean removes = again instanceof RemovableFilter;
    int[] order = IntStream.range(0, filled.hashes().length).toArray();
    if (removes || again instanceof MergeableFilter) {
      mix(order, drawn.seed());
    } // Otherwise its capacity may depend on the order of puts.
    long[] hashes = filled.hashes();
    long[] mixed = Arrays.stream(order).mapToLong(i -> hashes[i]).toArray();
    boolean isTaken = Subject.put(again, mixed);
    if (removes) {
      for (int times = filled.times(0); times > 1 && mixed.length > 0; times--) {
        isTaken &= Subject.isTaken(again, hashes[0]);
      }
    } else {
      Subject.put(again, hashes);
    }
    if (isTaken) {
      assertArrayEquals(
          expected, Subject.write(again), () -> "bytes of the same in " + Subject.text(again));
    }
    if (subject().takesPuts()) {
      EveryCall.checkInterrupted(filled.filter(), filled.some(), drawn.seed());
    }
  }

  /** Reverses an order, or shuffles it: a dependency on neighbours shows in one of the two. */
  private static void mix(int[] order, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    boolean isReversed = random.nextBoolean();
    for (int i = order.length - 1; i > 0; i--) {
      int with = isReversed ? order.length - 1 - i : random.nextInt(i + 1);
      if (!isReversed || with < i) {
        int moved = order[i];
        order[i] = order[with];
        order[with] = moved;
      }
    }
  }

  public void attributesComeBack() {
    forAll(ATTRIBUTED, this::checkAttributes);
  }

  /**
   * Checks filters with attributes at the limits and with random ones, each with the next merged
   * in.
   */
  private void checkAttributes(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    List<SortedMap<String, String>> some = new ArrayList<>(DrawnAttributes.atTheEdges(random));
    for (int more = tier().choose(2, 12, 24); more > 0; more--) {
      some.add(DrawnAttributes.of(random));
    }
    boolean isLarge = subject().plan(drawn.keys(), drawn.rate()).sizeInBits() > LARGE;
    if (isLarge || tier() == Tier.SMOKE) {
      Collections.shuffle(some, new Random(drawn.seed()));
      some.subList(SOME_ATTRIBUTES, some.size()).clear();
    }
    for (int i = 0; i < some.size(); i++) {
      checkAttributes(
          new FilledFilter(subject(), drawn, some.get(i)),
          drawn.spec().withAttributes(some.get(i)),
          drawn.spec().withAttributes(some.get((i + 1) % some.size())),
          drawn.mode());
    }
  }

  private void checkAttributes(
      FilledFilter filled, FilterSpec spec, FilterSpec otherSpec, ThreadMode mode) {
    assertEquals(spec, subject().provider().plan(spec).spec(), "spec of a plan");
    checkAttributes(spec, filled.empty(), "a new filter");
    Filter filter = filled.filter();
    checkAttributes(spec, filter, "a filter after puts");
    Hashes others = filled.others();
    try {
      filter.putAll(others.next(20), 0, 20);
    } catch (FilterFullException e) {
      // At the lowest rates, a growing filter may have no room for more.
    }
    checkAttributes(spec, filter, "a filter after a batch");
    checkAttributes(spec, filter.copy().copy(), "a copy of a copy");

    byte[] file = Subject.write(filter);
    String bytes = new String(file, StandardCharsets.ISO_8859_1);
    spec.attributes()
        .forEach(
            (name, text) -> {
              byte[] encoded = (name + text).getBytes(StandardCharsets.UTF_8);
              int length = encoded.length - name.length();
              String shown =
                  new String(encoded, name.length(), length, StandardCharsets.ISO_8859_1);
              assertTrue(
                  bytes.contains(name) && bytes.contains(shown), () -> name + " in the file");
            });
    for (ThreadMode readMode : ThreadMode.values()) {
      Filter read = subject().read(file, readMode);
      checkAttributes(spec, read, "a filter read");
      checkAttributes(spec, read.copy(), "a copy of a filter read");
      assertArrayEquals(file, Subject.write(read), "bytes of a filter read");
    }

    if (filter instanceof MergeableFilter mergeable) {
      Filter other = subject().provider().create(otherSpec, mode);
      long[] theirs = others.next(20);
      Subject.put(other, theirs);
      MergeRules.isUnited((MergeableFilter) other.copy(), mergeable, filled.hashes());
      MergeRules.isUnited(
          mergeable,
          other,
          LongStream.concat(Arrays.stream(filled.hashes()), Arrays.stream(theirs)).toArray());
      checkAttributes(spec, filter, "a filter merged into");
      checkAttributes(otherSpec, other, "a filter merged from");
      // An empty target may tempt an implementation to adopt the content unchanged.
      Filter empty = filled.empty();
      MergeRules.isUnited((MergeableFilter) empty, other, theirs);
      checkAttributes(spec, empty, "an empty filter merged into");
    }
    filter.clear();
    checkAttributes(spec, filter, "a filter after clear");
  }

  private static void checkAttributes(FilterSpec expected, Filter filter, String what) {
    assertEquals(expected.attributes(), filter.spec().attributes(), () -> "attributes of " + what);
    assertEquals(expected, filter.spec(), () -> "spec of " + what);
  }

  /** A change to one of two filters that must not affect the other. */
  private enum Change {
    PUT,
    PUT_ALL,
    CLEAR,
    MERGE,
    REMOVE;

    boolean isOffered(Filter filter) {
      return switch (this) {
        case PUT, PUT_ALL, CLEAR -> true;
        case MERGE -> filter instanceof MergeableFilter;
        case REMOVE -> filter instanceof RemovableFilter;
      };
    }

    void apply(Filter filter, long there, long... some) {
      switch (this) {
        case PUT -> Subject.put(filter, some);
        case PUT_ALL -> {
          try {
            filter.putAll(some, 0, some.length);
          } catch (FilterFullException e) {
            // The hashes before the first one without room are added, equally in each filter.
          }
        }
        case CLEAR -> filter.clear();
        case MERGE -> {
          Filter other = filter.copy();
          other.clear();
          Subject.put(other, some);
          ((MergeableFilter) filter).putAll(other);
        }
        case REMOVE -> ((RemovableFilter) filter).remove(there);
      }
    }
  }

  /** A query of a filter that does not change it. */
  private enum Question {
    WRITING,
    QUERIES,
    SELECT,
    STATISTICS,
    DESCRIPTIONS,
    COPYING,
    COMPARISON,
    MERGING_FROM,
    COUNTS;

    void ask(Filter filter, long[] hashes, int from, Filter other) {
      switch (this) {
        case WRITING -> Payload.of(filter);
        case QUERIES -> {
          for (long hash : hashes) {
            boolean unused = filter.mightContain(hash);
          }
        }
        case SELECT -> {
          int[] hits = new int[hashes.length];
          filter.select(hashes, 0, hashes.length, hits);
          filter.select(hashes, from, hashes.length, hits);
          filter.select(hashes, 0, Math.min(from, hashes.length), hits);
        }
        case STATISTICS -> assertFalse(filter.stats().fill() > 1, "a fill above one");
        case DESCRIPTIONS ->
            assertFalse(
                (filter.spec()
                        + filter.variant()
                        + filter.layout()
                        + filter.limits()
                        + filter.description()
                        + Subject.text(filter)
                        + filter.hashCode()
                        + filter.payloadSize())
                    .isEmpty());
        case COPYING -> filter.copy();
        case COMPARISON -> assertNotEquals(filter, other);
        case MERGING_FROM -> {
          if (filter instanceof MergeableFilter mergeable) {
            assertTrue(mergeable.incompatibility(other).isEmpty());
            ((MergeableFilter) other).putAll(filter);
          }
        }
        case COUNTS -> {
          if (filter instanceof RemovableFilter removable) {
            for (long hash : hashes) {
              assertTrue(removable.approximateCount(hash) >= 0, "a count below zero");
            }
          }
        }
      }
    }
  }
}
