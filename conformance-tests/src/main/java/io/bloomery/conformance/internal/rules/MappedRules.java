package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.Race;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Hashes;
import io.bloomery.conformance.internal.kit.LiveContent;
import io.bloomery.conformance.internal.kit.MappedWords;
import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.LivePuts;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The rules on filters that are queried in mapped memory, or put into it. */
public final class MappedRules extends RuleGroup {

  private static final Domain MAPPED =
      Domain.everyFilter()
          .maxPut(30_000)
          .smallDraws(16)
          .edges(new long[] {1, 63, 100, 10_000}, 0.01);

  /** Tables beyond a processor's second-level cache, which other loops query. */
  private static final Domain LARGE =
      Domain.everyFilter().keys(1_300_000, 1_500_000).rates(1e-5, 0.6).maxPut(20_000).draws(2);

  /** Filters for made-up content, which is tried many times and is therefore small. */
  private static final Domain MADE_UP = Domain.everyFilter().keys(1, 10_000).maxPut(2_000);

  private static final Domain LIVE =
      Domain.everyFilter().maxPut(20_000).smallDraws(8).edges(new long[] {1, 63, 10_000}, 0.01);

  /** The number of words in each full segment. */
  private static final int WHOLE = 1 << 27;

  /** The maximum number of segments for which there is a list. */
  private static final int MAX_SEGMENTS = 1 << 9;

  private static final int MAX_QUERIED = 3_000;

  private static final int SINGLY = 500;

  private static final int LONGEST_RUN = 256;

  private static final int MANY = 66_000;

  private static final int SHORT_RUN = 200;

  private static final int RACED = 64;

  public MappedRules(RuleContext context) {
    super(context);
  }

  public void aMappedFilterAnswersAsTheOneRead() {
    checkManyQueries();
    forAll(MAPPED, this::checkMapped);
    if (tier().isAtLeast(Tier.QUICK)) {
      forAll(LARGE, this::checkMapped);
    }
    forAll(MADE_UP, this::checkMadeUp);
  }

  /** Queries a view more often than a number of two bytes counts. */
  private void checkManyQueries() {
    Filter filter = subject().create(10, 0.01, ThreadMode.SHARED);
    long[] put = context().hashes("r76/many-queries").next(10);
    Subject.put(filter, put);
    FilterView view;
    try {
      view = map(filter.spec(), filter, Payload.of(filter).words(), WHOLE);
    } catch (IOException e) {
      throw new AssertionError("a filter just written must be mapped", e);
    }
    int[] hits = new int[put.length];
    for (int i = 0; i < tier().some(MANY); i++) {
      long hash = put[i % put.length];
      assertTrue(view.mightContain(hash), () -> hash + " in a mapped filter");
      assertEquals(put.length, view.select(put, 0, put.length, hits), "hits in a mapped filter");
    }
  }

  private void checkMapped(Case drawn) throws IOException {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    long[] others = filled.others().next(tier().some(MAX_QUERIED));
    checkViews(filled.filter(), drawn, filled.hashes(), others);
    // Growing filters have grown by then, and counting ones need more room.
    int count = (int) Math.min(5 * drawn.keys(), 2L * others.length);
    long[] more = new Hashes(drawn.seed() + 2).next(count);
    Subject.put(filled.filter(), more);
    for (int times = 0; times < 20; times++) {
      Subject.put(filled.filter(), more[0]);
    }
    checkViews(filled.filter(), drawn, more, others);
  }

  private void checkViews(Filter written, Case drawn, long[] put, long[] others)
      throws IOException {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    long[] words = Payload.of(written).words();
    long[] queried = queried(put, others, random);
    int from = Math.min(drawn.from(), queried.length / 2);
    int to = from + Math.min(drawn.length(), queried.length - from);
    long[] batch = new long[drawn.from() + drawn.length()];
    int start = random.nextInt(queried.length);
    Arrays.setAll(batch, i -> queried[(start + i) % queried.length]);
    Filter read = subject().readAs(written.spec(), written, drawn.mode());
    // The requested parameters do not determine the content of the file.
    FilterSpec other = FilterSpec.of(5_000, 0.2, "conformance/another");
    // A view must not mistake another file for its own, even if it has the same size.
    Filter cleared = written.copy();
    cleared.clear();
    Subject.put(cleared, others);
    long[] words2 = Payload.of(cleared).words();
    for (int segment : segments(words.length, random)) {
      FilterSpec spec = random.nextBoolean() ? other : written.spec();
      FilterView view = map(spec, written, words, segment);
      FilterView second = map(written.spec(), cleared, words2, segment);
      for (int i = 0; i < tier().some(SINGLY); i++) {
        checkAnswer(read, view, queried[i]);
        checkAnswer(cleared, second, queried[i]);
      }
      checkSelect(read, view, queried, 0, queried.length);
      checkSelect(read, view, queried, from, to);
      if (segment == WHOLE) {
        checkSelect(read, view, batch, drawn.from(), batch.length);
      }
      assertEquals(read.stats().setBits(), view.stats().setBits(), "set bits of a mapped filter");
      if (spec.equals(written.spec())) {
        assertEquals(read.stats(), view.stats(), "statistics");
      }
    }
    assertArrayEquals(Payload.of(written).words(), words, "the content that was mapped");
  }

  private static void checkAnswer(Filter filter, FilterView view, long hash) {
    assertEquals(filter.mightContain(hash), view.mightContain(hash), () -> "hash " + hash);
  }

  /**
   * Returns hashes that were put and others that were not, in runs of one to {@value #LONGEST_RUN}:
   * a view may answer in another way after many that it contains.
   */
  private static long[] queried(long[] put, long[] others, SplittableRandom random) {
    long[] queried = new long[others.length];
    boolean isPut = false;
    for (int i = 0, end = 0; i < queried.length; i++) {
      if (i == end) {
        isPut = put.length > 0 && random.nextBoolean();
        end = i + 1 + random.nextInt(1 + random.nextInt(LONGEST_RUN));
      }
      queried[i] = isPut ? put[random.nextInt(put.length)] : others[i];
    }
    long[] extreme = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE};
    System.arraycopy(extreme, 0, queried, 0, extreme.length);
    return queried;
  }

  /**
   * Returns the smallest possible segments, larger ones, a random size, and one segment for all.
   */
  private static List<Integer> segments(int words, SplittableRandom random) {
    int smallest = Math.max(8, Integer.highestOneBit(Math.max(1, words / MAX_SEGMENTS)) * 2);
    int drawn = 8 << random.nextInt(1 + Math.max(1, 28 - Integer.numberOfLeadingZeros(words)));
    return List.of(smallest, Math.max(smallest, 256), Math.max(smallest, drawn), WHOLE);
  }

  private FilterView map(FilterSpec spec, Filter written, long[] words, int segment)
      throws IOException {
    return subject().provider().map(spec, written.layout(), new MappedWords(words, segment));
  }

  private static void checkSelect(
      FilterView read, FilterView view, long[] hashes, int from, int to) {
    int[] expected = new int[hashes.length];
    int[] found = new int[hashes.length];
    int count = read.select(hashes, from, to, expected);
    assertEquals(count, view.select(hashes, from, to, found), "how many are selected");
    assertArrayEquals(
        Arrays.copyOf(expected, count), Arrays.copyOf(found, count), "which are selected");
  }

  private void checkMadeUp(Case drawn) {
    Filter filter = new FilledFilter(subject(), drawn).filter();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (int i = 0; i < tier().choose(5, 25, 25, 25); i++) {
      Mutant mutant = Mutant.of(filter, random);
      if (mutant.isComplete()) {
        checkMadeUp(filter, mutant, 8 << random.nextInt(8));
      }
    }
  }

  /**
   * Maps content that no checksum protects: if it can be read, it can be mapped, and if it is
   * mapped, it can be queried.
   */
  private void checkMadeUp(Filter original, Mutant mutant, int segment) {
    Filter read;
    try {
      read =
          subject()
              .provider()
              .read(
                  original.spec(),
                  mutant.layout(),
                  new Payload(mutant.size(), mutant.words().clone()),
                  ThreadMode.SHARED,
                  FilterLimits.HEAP);
    } catch (IOException e) {
      read = null;
    }
    try {
      FilterView view =
          subject()
              .provider()
              .map(original.spec(), mutant.layout(), new MappedWords(mutant.words(), segment));
      evidence().accepted("mapped");
      Hashes hashes = hashes("r76/made-up");
      for (long hash : hashes.next(20)) {
        boolean found = view.mightContain(hash);
        assertTrue(read == null || read.mightContain(hash) == found, mutant::toString);
      }
      long[] batch = hashes.next(40);
      view.select(batch, 0, batch.length, new int[batch.length]);
      double rate = view.stats().falsePositiveRate();
      assertTrue(rate >= 0 && rate <= 1, () -> "rate of " + mutant);
    } catch (FilterFormatException e) {
      evidence().refused("mapped");
      assertFalse(read != null, () -> "map must not refuse what read takes: " + mutant);
    } catch (IOException | RuntimeException e) {
      throw new AssertionError("map must refuse with FilterFormatException: " + mutant, e);
    }
  }

  public void aLiveFilterHoldsWhatOneOnTheHeapDoes() {
    forAll(LIVE, this::checkLive);
    int rounds = Race.rounds(tier()) / 4;
    Race.run(evidence(), rounds, new LiveRace());
  }

  private void checkLive(Case drawn) throws IOException {
    FilterSpec spec = drawn.spec();
    FilterLayout layout = liveLayout(spec);
    Filter heap = emptyOf(spec, layout);
    SplittableRandom random = new SplittableRandom(drawn.seed());
    // At most 1,024 segments.
    int shift = Math.max(6, 54 - Long.numberOfLeadingZeros(heap.payloadSize() | 1));
    int segment = 1 << (shift + random.nextInt(31 - shift));
    LiveContent content = new LiveContent(heap.payloadSize(), segment, drawn.mode());
    LivePuts live = subject().provider().livePuts(spec, layout, content.payload());
    FilterView view = subject().provider().map(spec, layout, content.mapped());
    Hashes drawnHashes = new Hashes(drawn.seed());
    long[] hashes = drawnHashes.next(drawn.put());
    for (int i = 0; i < hashes.length; ) {
      int to = Math.min(hashes.length, i + 1 + random.nextInt(SHORT_RUN));
      if (random.nextBoolean()) {
        int again = Math.max(0, i - random.nextInt(SHORT_RUN));
        assertEquals(heap.putAll(hashes, again, to), live.putAll(hashes, again, to), "put anew");
      } else {
        to = i + 1;
        assertEquals(heap.put(hashes[i]), live.put(hashes[i]), () -> "put anew, " + drawn);
      }
      assertTrue(view.mightContain(hashes[to - 1]), "what was put is found in the mapped view");
      i = to;
    }
    assertArrayEquals(Payload.of(heap).words(), content.words(), "content of a live filter");
    assertEquals(heap.stats(), view.stats(), "statistics of a live filter");
    long[] others = drawnHashes.next(tier().some(MAX_QUERIED));
    checkSelect(heap, view, others, 0, others.length);
    long[] words = content.words();
    content.payload().end();
    for (long hash : others) {
      if (!view.mightContain(hash)) {
        assertThrows(FilterUnavailableException.class, () -> live.put(hash), "a put after the end");
        assertThrows(
            FilterUnavailableException.class,
            () -> live.putAll(new long[] {hash}, 0, 1),
            "a batch after the end");
        break;
      }
    }
    assertArrayEquals(words, content.words(), "content after puts that were refused");
  }

  private FilterLayout liveLayout(FilterSpec spec) {
    return subject()
        .provider()
        .liveLayout(spec)
        .orElseThrow(() -> new AssertionError("liveLayout has none for " + spec));
  }

  /** Returns the filter on the heap whose content is that of a new live one: zeros. */
  private Filter emptyOf(FilterSpec spec, FilterLayout layout) throws IOException {
    FilterProvider provider = subject().provider();
    long bytes = provider.plan(spec).sizeInBits() / Byte.SIZE;
    Payload zeros = new Payload(bytes, new long[(int) (bytes / Long.BYTES)]);
    return provider.read(spec, layout, zeros, ThreadMode.SHARED, FilterLimits.HEAP);
  }

  /** Both threads put the same hashes, in the same order, into small live filters. */
  private final class LiveRace implements Race.Round {
    private Filter heap;
    private LiveContent content;
    private LivePuts live;
    private long[] hashes;
    private final boolean[][] news = new boolean[2][RACED];

    @Override
    public void prepare(int round) {
      FilterSpec spec = FilterSpec.of(RACED, SOME_RATES.get(round % SOME_RATES.size()));
      FilterLayout layout = liveLayout(spec);
      try {
        heap = emptyOf(spec, layout);
      } catch (IOException e) {
        throw new AssertionError("zeros must be read as an empty filter", e);
      }
      content = new LiveContent(heap.payloadSize(), 1 << 6, ThreadMode.SHARED);
      live = subject().provider().livePuts(spec, layout, content.payload());
      hashes = hashes("r86/" + round, RACED);
    }

    @Override
    public void act(int thread) {
      for (int i = 0; i < RACED; i++) {
        news[thread][i] = live.put(hashes[i]);
      }
    }

    @Override
    public void verify() {
      Subject.put(heap, hashes);
      for (int i = 0; i < RACED; i++) {
        assertFalse(
            news[0][i] && news[1][i], "two threads put one hash, and each is told it is new");
      }
      assertArrayEquals(Payload.of(heap).words(), content.words(), "content after two threads");
    }
  }
}
