package io.bloomery.conformance.internal.check;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Draws;
import io.bloomery.conformance.internal.cases.Offer;
import io.bloomery.conformance.internal.cases.Smallest;
import io.bloomery.conformance.internal.kit.InconclusiveError;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.run.Tier;
import java.util.List;
import java.util.Random;

/**
 * Checks a statement about every filter of a domain: on edges, on drawn cases, and, if one fails,
 * on smaller ones.
 */
public final class ForAll {

  /** A statement about one case. */
  public interface Check {
    /** Fails by throwing any exception. */
    void check(Case drawn) throws Exception;
  }

  /** A failure and the case in which it occurred. */
  private static final class CaseError extends AssertionError {
    private static final long serialVersionUID = 1;

    CaseError(String message, Throwable cause) {
      super(message, cause);
    }

    /** Returns the message, which begins with the exception thrown. */
    @Override
    @SuppressWarnings("OverrideThrowableToString") // the class name is of no use
    public String toString() {
      return getMessage();
    }
  }

  private final RuleContext context;
  private final Domain domain;
  private final Check check;
  private final Offer offer;
  private final boolean isCounted;
  private Throwable last;

  private ForAll(RuleContext context, Domain domain, Offer offer, boolean isCounted, Check check) {
    this.context = context;
    this.domain = domain;
    this.check = check;
    this.offer = offer;
    this.isCounted = isCounted;
  }

  /**
   * Checks all cases.
   *
   * @throws AssertionError if one fails, with the smallest one that does
   */
  public static void check(RuleContext context, Domain domain, Check check) {
    new ForAll(context, built(context, domain), context.subject().offer(), true, check).run();
  }

  /**
   * Checks all offered cases, for example of {@link Subject#plans} if nothing is built.
   *
   * @throws AssertionError if one fails, with the smallest one that does
   */
  public static void check(RuleContext context, Domain domain, Offer offer, Check check) {
    // A small run must not report cases as tried if their filters are not built.
    boolean isCounted = context.tier().isAtLeast(Tier.QUICK);
    new ForAll(context, domain, offer, isCounted, check).run();
  }

  private void run() {
    for (Case drawn : cases(context, domain, offer)) {
      if (isCounted) {
        begin(context, drawn, offer);
      }
      if (fails(drawn)) {
        throw failure(drawn);
      }
    }
  }

  /**
   * Returns the cases to check, for a rule that considers all of them together; they are counted as
   * begun.
   */
  public static List<Case> begunTogether(RuleContext context, Domain domain) {
    Offer offer = context.subject().offer();
    List<Case> cases = cases(context, built(context, domain), offer);
    cases.forEach(drawn -> begin(context, drawn, offer));
    return cases;
  }

  /** Returns a domain whose filters are built, which takes calls. */
  private static Domain built(RuleContext context, Domain domain) {
    return context.tier() == Tier.SMOKE ? domain.small() : domain;
  }

  private static List<Case> cases(RuleContext context, Domain domain, Offer offer) {
    Tier tier = context.tier();
    Random random = new Random(context.seed("cases/" + context.nextDomain()));
    Draws draws = new Draws(domain, offer, tier.choose(1, 1, 10, 10), random);
    return draws.cases(tier.choose(1, 1, 3, 3));
  }

  private static void begin(RuleContext context, Case drawn, Offer offer) {
    long bytes = offer.plan(drawn.keys(), drawn.rate()).orElseThrow().sizeInBits() / Byte.SIZE;
    context.run().begin(drawn, bytes);
  }

  private boolean fails(Case drawn) {
    context.run().tries(drawn);
    try {
      check.check(drawn);
      return false;
    } catch (InconclusiveError | OutOfMemoryError e) {
      throw e;
    } catch (Throwable e) {
      last = e;
      return true;
    }
  }

  /** Minimises the failing case, and reports both. */
  private AssertionError failure(Case drawn) {
    Throwable first = last;
    Case smallest = drawn;
    try {
      context.judgeLeniently(true);
      smallest = Smallest.of(drawn, offer, domain, this::fails, context.run().patience());
    } catch (InconclusiveError | OutOfMemoryError e) {
      first.addSuppressed(e);
    } finally {
      context.judgeLeniently(false);
    }
    Throwable shown = smallest.equals(drawn) ? first : last;
    AssertionError failure =
        new CaseError(
            Subject.text(shown)
                + "\n  the smallest case found in which it fails: "
                + smallest
                + (smallest.equals(drawn) ? "" : "\n  the case drawn: " + drawn),
            shown);
    failure.setStackTrace(shown.getStackTrace());
    return failure;
  }
}
