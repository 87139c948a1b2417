package io.bloomery.conformance;

import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.broken.AgeFault;
import io.bloomery.conformance.broken.AlikeFault;
import io.bloomery.conformance.broken.BuildFault;
import io.bloomery.conformance.broken.CountFault;
import io.bloomery.conformance.broken.DrawnFault;
import io.bloomery.conformance.broken.GrowthFault;
import io.bloomery.conformance.broken.LeftFault;
import io.bloomery.conformance.broken.MeetingFault;
import io.bloomery.conformance.broken.MemoryFault;
import io.bloomery.conformance.broken.NumberFault;
import io.bloomery.conformance.broken.TableFault;
import io.bloomery.conformance.broken.ToldFault;
import io.bloomery.conformance.broken.TransferFault;
import io.bloomery.conformance.internal.check.Run;
import io.bloomery.conformance.run.Tier;
import io.bloomery.conformance.statistics.Binomial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.commons.math3.stat.interval.ConfidenceInterval;

/**
 * Holds the quick tier against faults that nobody has seen before: what is wrong, and in which
 * filters, is drawn anew each time. Every kind of fault comes as often as any other.
 */
final class FaultCampaign {

  private final SplittableRandom random;
  private final int fewest;
  private final long end;
  private final List<String> survivors = new ArrayList<>();
  private int killed;

  private FaultCampaign(long seed, int fewest, Duration patience) {
    this.random = new SplittableRandom(seed);
    this.fewest = fewest;
    this.end = System.nanoTime() + patience.toNanos();
  }

  /** Draws so many faults, one after the other, and looks for each of them until a rule sees it. */
  static FaultCampaign of(long seed, int faults) {
    FaultCampaign campaign = new FaultCampaign(seed, faults, Duration.ZERO);
    campaign.run(kinds());
    return campaign;
  }

  /**
   * Draws faults as long as there is time, and on a busy machine until there are enough. In more
   * time the same faults come first.
   *
   * @param fewest how many are decided, however long it takes
   * @param patience how long at least; a fault beyond these that is not decided by then does not
   *     count
   */
  static FaultCampaign of(long seed, int fewest, Duration patience) {
    FaultCampaign campaign = new FaultCampaign(seed, fewest, patience);
    campaign.run(kindsAtNight());
    return campaign;
  }

  private void run(List<Function<SplittableRandom, DrawnFault>> kinds) {
    for (int i = 0; isInTime(); i++) {
      if (i % kinds.size() == 0) {
        Collections.shuffle(kinds, new Random(random.nextLong()));
      }
      tryOne(kinds.get(i % kinds.size()).apply(random));
    }
  }

  private static List<Function<SplittableRandom, DrawnFault>> kinds() {
    return new ArrayList<>(
        Stream.<Stream<Function<SplittableRandom, DrawnFault>>>of(
                Stream.of(TableFault.values()).map(fault -> fault::draw),
                Stream.of(CountFault.values()).map(fault -> fault::draw),
                Stream.of(GrowthFault.values()).map(fault -> fault::draw),
                Stream.of(AgeFault.values()).map(fault -> fault::draw),
                Stream.of(AlikeFault.values()).map(fault -> fault::draw),
                Stream.of(LeftFault.values()).map(fault -> fault::draw),
                Stream.of(MeetingFault.values()).map(fault -> fault::draw),
                Stream.of(MemoryFault.values()).map(fault -> fault::draw),
                Stream.of(NumberFault.values()).map(fault -> fault::draw),
                Stream.of(ToldFault.values()).map(fault -> fault::draw),
                Stream.of(TransferFault.values()).map(fault -> fault::draw))
            .flatMap(kinds -> kinds)
            .toList());
  }

  /** Faults of builds take ten times as long to be seen; by day, each is tried elsewhere. */
  private static List<Function<SplittableRandom, DrawnFault>> kindsAtNight() {
    List<Function<SplittableRandom, DrawnFault>> all = kinds();
    Stream.of(BuildFault.values()).forEach(fault -> all.add(fault::draw));
    return all;
  }

  private boolean isInTime() {
    return faults() < fewest || System.nanoTime() - end < 0;
  }

  private void tryOne(DrawnFault fault) {
    long seed = random.nextLong();
    if (ruleSees(fault, seed)) {
      killed++;
    } else if (isInTime()) {
      survivors.add(fault.what() + ", run with seed " + seed);
    }
  }

  /** Checks rules until one is broken, first those that are likely to be. */
  private boolean ruleSees(DrawnFault fault, long seed) {
    Set<Rule> rules = new LinkedHashSet<>(fault.first());
    rules.addAll(List.of(Rule.values()));
    Run run = new Run(Tier.QUICK, seed, Duration.ZERO);
    return rules.stream()
        .takeWhile(rule -> isInTime())
        .anyMatch(rule -> isSeen(RuleTrial.of(rule, run, fault.provider()).outcome()));
  }

  /** Returns whether a rule is broken, and not only late on a busy machine. */
  private static boolean isSeen(Outcome outcome) {
    return outcome.status() == Status.BROKEN && !outcome.detail().contains("was not done after");
  }

  /** Returns how many were decided. */
  int faults() {
    return killed + survivors.size();
  }

  /** Returns the share of faults that a rule saw. */
  double rate() {
    return (double) killed / Math.max(1, faults());
  }

  /** Returns the interval in which the share of all such faults lies, so surely. */
  ConfidenceInterval interval(double confidence) {
    double side = (1 - confidence) / 2;
    // The intervals of commons-math refuse it if all of them are seen, or none.
    return new ConfidenceInterval(
        Binomial.lowest(killed, faults(), side),
        Binomial.highest(killed, faults(), side),
        confidence);
  }

  @Override
  public String toString() {
    ConfidenceInterval interval = interval(0.95);
    return String.format(
        Locale.ROOT,
        "%d of %d faults were seen: %.1f %%, of all such faults %.1f to %.1f %% (95 %%)%s",
        killed,
        faults(),
        100 * rate(),
        100 * interval.getLowerBound(),
        100 * interval.getUpperBound(),
        survivors.isEmpty() ? "" : "; not seen:\n  " + String.join("\n  ", survivors));
  }
}
