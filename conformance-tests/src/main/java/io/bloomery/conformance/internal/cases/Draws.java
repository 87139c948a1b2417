package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.RandomGenerator;
import net.jqwik.api.Tuple;
import net.jqwik.api.arbitraries.StringArbitrary;
import net.jqwik.api.sessions.JqwikSession;

/**
 * Draws the cases of a domain. Numbers of keys and rates form a Latin hypercube: the range of each
 * is divided into as many parts of equal ratio as there are cases, each part is drawn from once,
 * and the pairing of parts is random. Every part of both ranges is therefore covered, which
 * independent draws do not ensure (eight of them miss a part of 1/8 of the range in 34 % of runs).
 * Everything else is drawn by jqwik, independently.
 */
public final class Draws {
  private static final String OTHER_HASH = "conformance/other";
  private static final int MAX_HASH_ID = 255;
  private static final double ALWAYS_OFFERED = 1e-3;
  private static final int BISECTIONS = 20;

  /** The factor within which a case is considered to be at the lowest rate. */
  private static final double CLOSE = 1 + 1e-5;

  /**
   * The maximum length of a batch, which crosses the boundaries of parts of any power of two up to
   * 2^16.
   */
  private static final int MAX_LENGTH = 70_000;

  private static final int MAX_POWER = 16;
  private static final int MAX_FROM = 3_000;

  /** An index beyond the range of two bytes, signed or unsigned. */
  private static final int FAR_FROM = 70_000;

  private static final int MAX_TIMES = 1_000;
  private static final int MAX_STEPS = 5;

  private final Domain domain;
  private final Offer offer;
  private final Random random;
  private final long maxKeys;
  private final int maxPut;

  // The lowest rate that was offered the last time is between these: it hardly depends on the keys.
  private double lastRefused;
  private double lastTaken = ALWAYS_OFFERED;

  /**
   * Creates draws for a provider.
   *
   * @param growth the factor by which the maximum number of keys exceeds that of the domain
   */
  public Draws(Domain domain, Offer offer, int growth, Random random) {
    this.domain = domain;
    this.offer = offer;
    this.random = random;
    this.maxKeys = domain.maxKeys() * growth;
    this.maxPut = domain.maxPut() * growth;
  }

  /** Returns the offered edges of the domain, and then {@code times} drawn cases and a few more. */
  public List<Case> cases(int times) {
    List<Case> cases = new ArrayList<>();
    for (Case edge : edges()) {
      if (offer.has(edge.keys(), edge.rate())) {
        cases.add(domain.narrow(edge.withSeed(random.nextLong())));
      }
    }
    JqwikSession.run(() -> draw(times, cases));
    return cases;
  }

  private List<Case> edges() {
    List<Case> edges = domain.edges();
    if (edges.size() <= domain.maxEdges()) {
      return edges;
    }
    List<Case> some = new ArrayList<>(edges);
    Collections.shuffle(some, random);
    return some.subList(0, domain.maxEdges());
  }

  private void draw(int times, List<Case> cases) {
    int count = domain.draws() * times;
    RandomGenerator<UnaryOperator<Case>> rest = rest().generator(1_000, false);
    long few = Math.min(maxKeys, Math.max(domain.minKeys(), 10));
    double usual = Math.max(domain.lowestRate(), Domain.USUAL_RATE);
    draw(count, few, maxKeys, usual, domain.highestRate(), rest, cases);
    int corners = Math.max(2, count / 8);
    if (domain.minKeys() < few) {
      draw(corners, domain.minKeys(), few, usual, domain.highestRate(), rest, cases);
    }
    if (domain.lowestRate() < usual) {
      draw(corners, domain.minKeys(), maxKeys, domain.lowestRate(), usual, rest, cases);
    }
    int small = domain.smallDraws() * times;
    long smallKeys = Math.min(maxKeys, Domain.KEYS_OF_SMALL);
    int before = cases.size();
    draw(small, few, smallKeys, usual, domain.highestRate(), rest, cases);
    // A few of them are old, and neither empty nor so full that every hash is found.
    for (int i = 0; i < Step.AGES.size() && before + i < cases.size(); i++) {
      Case young = cases.get(before + i);
      List<Step> history = new ArrayList<>(young.history());
      history.add(Step.AGES.get(i));
      cases.set(before + i, domain.narrow(young.withPut((int) young.keys()).withHistory(history)));
    }
  }

  private void draw(
      int count,
      long minKeys,
      long maxKeys,
      double lowest,
      double highest,
      RandomGenerator<UnaryOperator<Case>> rest,
      List<Case> cases) {
    List<Integer> parts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      parts.add(i);
    }
    Collections.shuffle(parts, random);
    for (int i = 0; i < count; i++) {
      long keys =
          Math.round(
              between((double) minKeys, (double) maxKeys, (i + random.nextDouble()) / count));
      double rate = between(lowest, highest, (parts.get(i) + random.nextDouble()) / count);
      Case plain = Case.of(keys, rate).withSeed(random.nextLong());
      // With a separate random generator: the amount that jqwik consumes must not determine the
      // next keys.
      Case drawn = rest.next(new Random(random.nextLong())).value().apply(plain);
      offered(drawn).map(this::withinLimits).map(domain::narrow).ifPresent(cases::add);
    }
  }

  private static double between(double low, double high, double part) {
    return low * StrictMath.pow(high / low, part);
  }

  /** Draws everything except keys and rate. */
  private Arbitrary<UnaryOperator<Case>> rest() {
    List<Arbitrary<UnaryOperator<Case>>> changes =
        List.of(
            Arbitraries.of(ThreadMode.class).map(mode -> drawn -> drawn.withMode(mode)),
            hashIds().map(id -> drawn -> drawn.withHashId(id)),
            fills().map(fill -> drawn -> filled(drawn, fill)),
            logarithmic(1, MAX_TIMES).map(times -> drawn -> drawn.withTimes(times)),
            patterns().map(pattern -> drawn -> drawn.withPattern(pattern)),
            batches(),
            histories().map(history -> drawn -> drawn.withHistory(history)),
            Arbitraries.of(Partner.class).map(partner -> drawn -> drawn.withPartner(partner)));
    return Combinators.combine(changes)
        .as(
            all ->
                drawn -> {
                  Case changed = drawn;
                  for (UnaryOperator<Case> change : all) {
                    changed = change.apply(changed);
                  }
                  return changed;
                });
  }

  private static Arbitrary<String> hashIds() {
    return Arbitraries.frequencyOf(
        Tuple.of(2, Arbitraries.of(FilterSpec.RAW, OTHER_HASH)),
        Tuple.of(
            1,
            Arbitraries.oneOf(
                printable().ofMinLength(2).ofMaxLength(60),
                printable().ofMinLength(61).ofMaxLength(MAX_HASH_ID),
                printable().ofLength(MAX_HASH_ID))));
  }

  private static StringArbitrary printable() {
    return Arbitraries.strings().withCharRange('!', '~');
  }

  private Arbitrary<Double> fills() {
    return domain.isFilled()
        ? Arbitraries.just(1.0)
        : Arbitraries.of(
            0.0, 0.02, 0.3, 0.5, 0.9, 1.0, 1.0, 1.0, 1.1, 1.5, 2.0, 2.0, 3.0, 5.0, 8.0);
  }

  private static Case filled(Case drawn, double fill) {
    return drawn.withPut((int) Math.min(Math.round(fill * drawn.keys()), Integer.MAX_VALUE));
  }

  private Arbitrary<Pattern> patterns() {
    return domain.isUniform()
        ? Arbitraries.just(Pattern.UNIFORM)
        : Arbitraries.frequencyOf(
            Tuple.of(1, Arbitraries.just(Pattern.UNIFORM)),
            Tuple.of(1, Arbitraries.of(Pattern.class)));
  }

  private static Arbitrary<UnaryOperator<Case>> batches() {
    Arbitrary<Integer> from =
        Arbitraries.frequencyOf(
            Tuple.of(3, Arbitraries.just(0)),
            Tuple.of(3, logarithmic(1, MAX_FROM)),
            Tuple.of(2, Arbitraries.integers().between(1, MAX_FROM)),
            Tuple.of(1, roundUpTo(FAR_FROM)));
    Arbitrary<Integer> length =
        Arbitraries.frequencyOf(
            Tuple.of(2, logarithmic(1, MAX_LENGTH)), Tuple.of(1, roundUpTo(MAX_LENGTH)));
    return Combinators.combine(from, length)
        .as((begin, count) -> drawn -> drawn.withBatch(begin, count));
  }

  /**
   * Draws a small multiple of a power of two, where parts and buffers end, or an adjacent number.
   */
  private static Arbitrary<Integer> roundUpTo(int most) {
    return Combinators.combine(
            Arbitraries.integers().between(0, MAX_POWER),
            Arbitraries.of(1, 1, 2, 3, 5),
            Arbitraries.of(0, 0, -1, 1))
        .as((power, times, beside) -> Math.max(1, Math.min(most, (times << power) + beside)));
  }

  private static Arbitrary<List<Step>> histories() {
    return Arbitraries.frequencyOf(
        Tuple.of(1, Arbitraries.just(List.of())),
        Tuple.of(3, Arbitraries.of(Step.USUAL).list().ofMinSize(1).ofMaxSize(MAX_STEPS)));
  }

  private static Arbitrary<Integer> logarithmic(int min, int max) {
    return Arbitraries.doubles().between(0, 1).map(part -> (int) between(min, max, part));
  }

  /**
   * Returns a case with an offered combination of keys and rate: at the lowest rate, or with fewer
   * keys.
   */
  private Optional<Case> offered(Case drawn) {
    if (offer.has(drawn.keys(), drawn.rate())) {
      return Optional.of(drawn);
    }
    long keys = drawn.keys();
    while (keys > 1 && !offer.has(keys, Math.max(drawn.rate(), ALWAYS_OFFERED))) {
      keys /= 2;
    }
    double refused = drawn.rate();
    double taken = Math.max(drawn.rate(), ALWAYS_OFFERED);
    if (!offer.has(keys, taken)) {
      return Optional.empty();
    }
    if (lastTaken > refused && lastTaken < taken && offer.has(keys, lastTaken)) {
      taken = lastTaken;
      if (lastRefused > refused && !offer.has(keys, lastRefused)) {
        refused = lastRefused;
      }
    }
    for (int i = 0; i < BISECTIONS && taken > refused * CLOSE; i++) {
      double middle = Math.sqrt(refused * taken);
      if (offer.has(keys, middle)) {
        taken = middle;
      } else {
        refused = middle;
      }
    }
    lastRefused = refused;
    lastTaken = taken;
    int put = (int) (drawn.put() * ((double) keys / drawn.keys()));
    return Optional.of(drawn.withKeys(keys).withRate(taken).withPut(put));
  }

  private Case withinLimits(Case drawn) {
    return drawn.withPut(Math.min(drawn.put(), maxPut));
  }
}
