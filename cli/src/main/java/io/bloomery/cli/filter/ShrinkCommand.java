package io.bloomery.cli.filter;

import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterHeader;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.VariantProvider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Folds a saved filter that was made for more keys than came. */
@Command(
    name = "shrink",
    description = {
      "Make the filter in FILE as small as it can be while its rate with the"
          + " keys that are in it stays at most P.",
      "Its table is folded: every key stays in. The smaller filter records the rate that it would"
          + " have with the keys it was made for, which is higher than before; it merges with"
          + " filters of its size. Nothing makes it larger again: use --dry-run to see what it"
          + " would save.",
      "Filters of variant standard and partitioned fold by each number that divides the words of"
          + " the table, or of a slice; those of variant blocked if they were made with --fpp below"
          + " 0.01. Filters made with --foldable fold by powers of two, if their"
          + " table has some hundred words or more.",
      "FILE stays as it is until the new content is complete. Commands that change it at"
          + " the same time wait for each other."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      "2:wrong usage, or the filter does not fold",
      ExitCode.LOCKED_TEXT
    },
    footer = "  bloomery shrink --fpp 0.01 seen.bloom")
public final class ShrinkCommand extends SessionCommand {

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = RateConverter.class,
      description =
          "The highest false-positive rate with the keys that are in it (default:"
              + " ${DEFAULT-VALUE}).")
  private double rate;

  @Option(names = "--dry-run", description = "Print the result, and save nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "Print a JSON object with what was saved.")
  private boolean json;

  @Mixin private WaitOption waiting;

  @Parameters(paramLabel = "FILE", description = "A filter that create made.")
  private Path file;

  @Override
  public Integer call() throws Failure, IOException {
    StandardStreams.refuse(file, "a stream cannot be changed");
    waiting.check();
    if (dryRun) {
      MergeableFilter filter =
          (MergeableFilter)
              CheckedOpening.open(
                  file,
                  this::checkMerges,
                  opening -> session().bloomery().files().open(file, opening));
      report(filter, shrunk(filter));
      return ExitCode.OK;
    }
    try (FilterUpdate<Filter> update =
        waiting.begin(
            session(),
            file,
            patience ->
                CheckedOpening.open(
                    file,
                    this::checkMerges,
                    opening -> session().bloomery().files().update(file, patience, opening)))) {
      MergeableFilter filter = (MergeableFilter) update.filter();
      MergeableFilter smaller = shrunk(filter);
      if (smaller != filter) {
        save(update, smaller);
      }
      report(filter, smaller);
    }
    return ExitCode.OK;
  }

  /** Refuses what is of a type that cannot fold, before it is read. */
  private void checkMerges(FilterHeader header) throws Failure {
    Optional<VariantProvider> provider = session().bloomery().providers().find(header.variant());
    if (provider.isPresent()
        && !MergeableFilter.class.isAssignableFrom(provider.get().filterType())) {
      boolean isBuilt = provider.get() instanceof StaticFilterProvider;
      throw refusal(
          "variant '" + header.variant() + "' does not fold",
          isBuilt ? header.variant() : DefaultVariants.FIXED,
          isBuilt ? OptionalLong.of(header.spec().expectedKeys()) : estimate(),
          header.payloadSize());
    }
  }

  private OptionalLong estimate() throws Failure {
    try (MappedFilter mapped = session().bloomery().files().map(file)) {
      return mapped.stats().approximateKeys();
    } catch (IOException e) {
      throw Failure.reading(file, e);
    }
  }

  /** Returns a refusal, with the command that makes a smaller filter if there is one. */
  private Failure refusal(String reason, String variant, OptionalLong keys, long payloadSize)
      throws Failure {
    String refused = file + " cannot be shrunk: " + reason;
    if (keys.isEmpty()) {
      return Failure.usage(refused + "; create one of as many keys as there are");
    }
    long count = Math.max(1, keys.getAsLong());
    return Failure.usage(
        refused
            + (payloadSize(variant, count) < payloadSize
                ? "; put its keys into a smaller filter, as in 'bloomery create --variant "
                    + variant
                    + " --fpp "
                    + rate
                    + " --expected "
                    + count
                    + " -o NEW'"
                : "; one of variant '"
                    + variant
                    + "' that is made anew at that rate would be no smaller, so keep it"));
  }

  /** Returns the size of a new filter, or the largest number if there is none. */
  private long payloadSize(String variant, long keys) throws Failure {
    try {
      return session()
              .bloomery()
              .providers()
              .variant(variant)
              .plan(FilterSpec.of(keys, rate))
              .sizeInBits()
          / Byte.SIZE;
    } catch (IllegalArgumentException e) {
      return Long.MAX_VALUE;
    }
  }

  private MergeableFilter shrunk(MergeableFilter filter) throws Failure {
    if (filter.folding().refusal(1).isPresent()) {
      throw refusal(
          "variant '" + filter.variant() + "' does not fold with the layout " + filter.layout(),
          filter.variant(),
          filter.stats().approximateKeys(),
          filter.payloadSize());
    }
    return Failure.usageIfRefused(() -> filter.shrunk(rate));
  }

  private void save(FilterUpdate<Filter> update, MergeableFilter smaller) throws Failure {
    try {
      update.replaceBy(smaller);
    } catch (IOException e) {
      throw Failure.saving(file, e);
    }
  }

  private void report(MergeableFilter filter, MergeableFilter smaller) throws IOException {
    long before = FilterFiles.serializedSize(filter);
    long after = FilterFiles.serializedSize(smaller);
    long factor = filter.payloadSize() / smaller.payloadSize();
    FilterStats stats = smaller.stats();
    if (json) {
      Json.print(
          session(),
          new Members()
              .with("file", file.toString())
              .with("factor", factor)
              .with("sizeInBytesBefore", before)
              .with("sizeInBytes", after)
              .with("estimatedRate", stats.falsePositiveRate())
              .with("targetRate", smaller.spec().falsePositiveRate())
              .with("expectedKeys", smaller.spec().expectedKeys())
              .with("dryRun", dryRun));
    } else if (factor == 1) {
      session()
          .say(
              "%s: no smaller table to which it folds has a rate of at most %s; it stays as it is,"
                  + " %,d bytes with a rate of %.3g",
              file, rate, after, stats.falsePositiveRate());
    } else {
      session()
          .say(
              "%s: %s by %,d, from %,d to %,d bytes; its rate is %.3g for %s, and would be %.3g for"
                  + " the %,d keys that it was made for",
              file,
              dryRun ? "would be folded" : "folded",
              factor,
              before,
              after,
              stats.falsePositiveRate(),
              stats.approximateKeys().isPresent()
                  ? String.format(
                      Locale.ROOT, "about %,d keys", stats.approximateKeys().getAsLong())
                  : "the keys in it",
              smaller.spec().falsePositiveRate(),
              smaller.spec().expectedKeys());
    }
  }
}
