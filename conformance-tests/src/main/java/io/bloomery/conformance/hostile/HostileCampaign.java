package io.bloomery.conformance.hostile;

import io.bloomery.Bloomery;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Tests the readers of any variants with malformed inputs.
 *
 * <p>For each variant, from the output of its filters: every bit flipped, every truncation,
 * extensions, every field of the header and words of the payload set to extreme values with correct
 * checksums, headers of other variants, large filters truncated, and a number of random mutants.
 * They are passed as arrays, files, streams that return few bytes at a time or fail, and channels.
 * An input must be rejected with {@link io.bloomery.filter.FilterFormatException}, or be accepted
 * as a filter that works and is written again as the same bytes; a stream that announces more than
 * the heap can hold may be rejected with an IOException about that. All this within a time limit
 * and with little memory: 1.25 times the present bytes and 64 KiB, or 2.25 times if their number is
 * unknown.
 *
 * <p>Run it in a JVM with a small heap, such as {@code -Xmx64m}. Campaigns are immutable: each
 * method returns a new one.
 *
 * <pre>{@code
 * FilterProviders installed = Bloomery.installed().providers();
 * HostileReport report =
 *     HostileCampaign.on(installed.variants().stream().map(installed::variant).toList()).run();
 * assertEquals(0, report.failures(), report::toString);
 * }</pre>
 */
public final class HostileCampaign {

  /** The default number of mutants for each variant. */
  public static final long DEFAULT_MUTANTS = 20_000;

  static final long DEFAULT_SEED = 20_261_121;
  private static final Duration DEFAULT_LIMIT = Duration.ofSeconds(20);
  private static final long STEP_MILLIS = 50;
  private static final int MAX_SHOWN = 4_096;

  private final List<VariantProvider> providers;
  private final long mutants;
  private final long seed;
  private final Duration limit;

  private HostileCampaign(
      Collection<? extends VariantProvider> providers, long mutants, long seed, Duration limit) {
    this.providers = List.copyOf(providers);
    this.mutants = mutants;
    this.seed = seed;
    this.limit = limit;
  }

  /** Returns a campaign against some variants, whose headers are also exchanged for one another. */
  public static HostileCampaign on(Collection<? extends VariantProvider> providers) {
    return new HostileCampaign(providers, DEFAULT_MUTANTS, DEFAULT_SEED, DEFAULT_LIMIT);
  }

  /** Sets the number of mutants for each variant; the default is {@value #DEFAULT_MUTANTS}. */
  public HostileCampaign mutants(long count) {
    return new HostileCampaign(providers, count, seed, limit);
  }

  /** Sets the seed of all random choices: equal seeds have equal inputs. */
  public HostileCampaign seed(long number) {
    return new HostileCampaign(providers, mutants, number, limit);
  }

  /** Sets the time limit for reading one input; the default is 20 seconds. */
  public HostileCampaign limit(Duration forOneInput) {
    return new HostileCampaign(providers, mutants, seed, forOneInput);
  }

  /** Runs the campaign; ends early when an input exceeds the time limit. */
  public HostileReport run() {
    try {
      Path file = Files.createTempFile("hostile", ".bloom");
      try {
        return new Run(file).report();
      } finally {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("a temporary file is needed", e);
    }
  }

  /** An input being read. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares them
  private record Trial(Kind kind, byte[] bytes, SourceKind source, long number, long since) {
    @Override
    public String toString() {
      return kind + " " + number + " by " + source;
    }
  }

  /** The results for a variant, written by the reading thread. */
  private static final class Tally {
    private final String variant;
    private final Map<Kind, long[]> counts = new EnumMap<>(Kind.class);
    private double allocatedShare;
    private long slowest;

    Tally(String variant) {
      this.variant = variant;
    }

    synchronized void add(Kind kind, Examiner.Finding finding) {
      int outcome = finding.problem() != null ? 2 : finding.accepted() ? 1 : 0;
      counts.computeIfAbsent(kind, first -> new long[3])[outcome]++;
      allocatedShare =
          Math.max(allocatedShare, (double) finding.allocated() / finding.maxAllocated());
      slowest = Math.max(slowest, finding.nanos());
    }

    synchronized void addTo(List<HostileReport.Count> all, List<HostileReport.Cost> costs) {
      counts.forEach(
          (kind, count) ->
              all.add(new HostileReport.Count(variant, kind, count[0], count[1], count[2])));
      costs.add(new HostileReport.Cost(variant, allocatedShare, Duration.ofNanos(slowest)));
    }
  }

  /** One run, mostly in a thread that can be abandoned if it hangs. */
  private final class Run {
    private final long start = System.nanoTime();
    private final Examiner examiner;
    private final List<Tally> tallies = new ArrayList<>();
    private final List<List<Sample>> samples = new ArrayList<>();
    private volatile Trial trial;
    private volatile Tally tally;
    private volatile HostileReport.Failure firstFailure;
    private volatile Throwable broken;
    private long number;

    Run(Path file) {
      this.examiner = new Examiner(Bloomery.with(providers.toArray(new VariantProvider[0])), file);
      for (VariantProvider provider : providers) {
        tallies.add(new Tally(provider.variant()));
      }
    }

    HostileReport report() {
      Thread thread = new Thread(this::readAll, "hostile inputs");
      thread.setDaemon(true);
      thread.start();
      try {
        await(thread);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while reading hostile inputs", e);
      }
      if (broken != null) {
        throw new IllegalStateException("the campaign itself has failed at " + trial, broken);
      }
      List<HostileReport.Count> counts = new ArrayList<>();
      List<HostileReport.Cost> costs = new ArrayList<>();
      tallies.forEach(each -> each.addTo(counts, costs));
      return new HostileReport(
          seed,
          mutants,
          Duration.ofNanos(System.nanoTime() - start),
          counts,
          costs,
          Optional.ofNullable(firstFailure));
    }

    private void await(Thread thread) throws InterruptedException {
      while (thread.isAlive()) {
        thread.join(STEP_MILLIS);
        Trial now = trial;
        if (now != null && System.nanoTime() - now.since > limit.toNanos()) {
          StackTraceElement[] trace = thread.getStackTrace();
          String problem =
              "not done after "
                  + limit.toSeconds()
                  + " seconds"
                  + (trace.length == 0 ? "" : ", at " + trace[0]);
          fail(now, new Examiner.Finding(false, problem, 0, 1, limit.toNanos()));
          return;
        }
      }
    }

    private void fail(Trial failed, Examiner.Finding finding) {
      tally.add(failed.kind, finding);
      if (firstFailure == null) {
        byte[] bytes = failed.bytes;
        firstFailure =
            new HostileReport.Failure(
                tally.variant,
                failed.kind,
                failed.source.name(),
                finding.problem(),
                failed.number,
                bytes.length,
                HexFormat.of().formatHex(bytes, 0, Math.min(bytes.length, MAX_SHOWN)));
      }
    }

    private void readAll() {
      try {
        for (VariantProvider provider : providers) {
          samples.add(Sample.small(provider));
        }
        warmUp();
        List<Sample> all = samples.stream().flatMap(List::stream).toList();
        for (int i = 0; i < providers.size(); i++) {
          tally = tallies.get(i);
          number = 0;
          readAll(providers.get(i), new MalformedFiles(samples.get(i), all));
        }
      } catch (Exception | Error e) {
        broken = e;
      }
    }

    // The one-time cost of classes and lambdas must not be attributed to the readers.
    private void warmUp() {
      for (int i = 0; i < providers.size(); i++) {
        tally = new Tally(providers.get(i).variant());
        for (Sample sample : samples.get(i)) {
          byte[] damaged = sample.bytes().clone();
          damaged[damaged.length - 1]++;
          examine(Kind.WHOLE, sample.bytes(), SourceKind.values());
          examine(Kind.FLIPPED_BIT, damaged, SourceKind.values());
        }
      }
      firstFailure = null;
    }

    private void readAll(VariantProvider provider, MalformedFiles inputs) {
      inputs.each(this::examine);
      SplittableRandom random = new SplittableRandom(seed);
      for (Sample sample : Sample.large(provider)) {
        MalformedFiles.large(List.of(sample), random, this::examine);
      }
      for (long i = 0; i < mutants; i++) {
        inputs.mutant(random, this::examine);
      }
    }

    private void examine(Kind kind, byte[] bytes, SourceKind... sources) {
      for (SourceKind source : sources) {
        Trial next = new Trial(kind, bytes, source, number, System.nanoTime());
        trial = next;
        // Any bijection that spreads consecutive numbers suffices.
        int salt = (int) ((number++ * 0x9e3779b97f4a7c15L) >>> 32);
        Examiner.Finding finding = examiner.examine(bytes, source, salt);
        trial = null;
        if (finding.problem() == null) {
          tally.add(kind, finding);
        } else {
          fail(next, finding);
        }
      }
    }
  }
}
