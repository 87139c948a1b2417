package io.bloomery.cli.filter;

import io.bloomery.FilterBuilder;
import io.bloomery.cli.foreign.ForeignLines;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.foreign.ForeignTableOptions;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.key.KeyHashes;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.key.SecretOption;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.option.Growth;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.option.Variants;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.NewFile;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.Urls;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.ThreadMode;
import io.bloomery.filter.VariantProvider;
import io.bloomery.interop.ForeignFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Creates a filter of lines. */
@Command(
    name = "create",
    description = {
      "Make a filter whose keys are the lines of INPUT, or of the standard input.",
      "A key is the bytes of a line, without its end (LF or CRLF); a byte order mark at the"
          + " start is left out. Lines of files are counted first. Lines of a pipe cannot be"
          + " counted: without --expected, the filter grows. A variant that is built once from"
          + " all its keys reads lines once, and keeps 8 bytes for each: up to half of the heap"
          + " (-Xmx) in memory, else in a temporary file.",
      "The filter records how its keys were read, and other commands read keys in the same"
          + " way."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      ExitCode.USAGE_TEXT,
      ExitCode.BAD_FILE_TEXT,
      ExitCode.OUTGROWN_TEXT
    },
    footer = "  sort -u *.log | bloomery create -o seen.bloom --expected 2000000 --fpp 0.001")
public final class CreateCommand extends SessionCommand {

  /**
   * The expected keys of the first layer of a filter that grows. An empty one takes 20 KB at 1 %,
   * and a query after a million lines reads seven layers.
   */
  private static final long FIRST_KEYS = 10_000;

  /** The prefix of the attribute names reserved for Bloomery. */
  private static final String OURS = "bloomery.";

  @Mixin private FilterOutput output;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      completionCandidates = Variants.class,
      description =
          "The kind of filter: ${COMPLETION-CANDIDATES} (default: "
              + DefaultVariants.FIXED
              + ", or for a pipe without --expected "
              + DefaultVariants.GROWING
              + ").")
  private String variant;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      defaultValue = "0.01",
      converter = RateConverter.class,
      description =
          "The false-positive rate, between 0 and 1: how often an absent line may be reported"
              + " as present (default: ${DEFAULT-VALUE}).")
  private double rate;

  @Option(
      names = "--expected",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "The expected number of distinct lines (default: the number of lines in files; of a"
              + " pipe, the filter grows).")
  private Long expected;

  @Option(
      names = "--foldable",
      description =
          "Take up to one bit in 200 more, so that 'shrink' can make the filter smaller by a power of"
              + " two if fewer lines come; for a few hundred lines that may be too little for"
              + " any.")
  private boolean foldable;

  @Option(
      names = "--live",
      description =
          "Make a filter that lives in its file: 'add' and 'dedupe --state' change it in place,"
              + " while others may ask it. With --expected, it may be empty, as of </dev/null.")
  private boolean live;

  @Option(
      names = "--attribute",
      paramLabel = "NAME=TEXT",
      description =
          "Keep a short text with the filter, which 'info' shows; may be given more than once.")
  private List<String> texts = List.of();

  @Option(
      names = "--temporary-directory",
      paramLabel = "DIR",
      description =
          "Where the temporary file of a variant that is built once is (default: that of the"
              + " system). It has 8 bytes for each line, and is deleted also if this is killed.")
  private Path temporaryDirectory;

  @Option(names = "--json", description = "Print a JSON object with what was added.")
  private boolean json;

  @Mixin private InputOptions options;

  @Mixin private SecretOption secretOption;

  @Mixin private ForeignOptions foreign;

  @Mixin private ForeignTableOptions foreignTable;

  @Parameters(paramLabel = "INPUT", arity = "0..*", description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  @Override
  public Integer call() throws Failure, IOException {
    checkLive();
    output.check(session(), json, "use 'bloomery add' to add to it");
    options.check();
    Inputs.check(inputs);
    NewFile.checkNotRead(output.file(), inputs.stream().map(Path::of).toList());
    NewFile.checkNotRead(output.file(), secretOption.files());
    Optional<ForeignOptions.Chosen> other = foreign.chosen(session(), output.file());
    if (other.isPresent()) {
      return createForeign(other.get());
    }
    foreignTable.refuse();
    InputFormat format =
        options.format(
            secretOption.read(session()).map(SecretFile::hashes).orElse(KeyHashes.WITHOUT_SECRET));
    SortedMap<String, String> attributes = attributes(format);
    Inputs lines = lines(format);
    Optional<StaticFilterProvider> building = building();
    if (building.isPresent() && !live) {
      return build(building.get(), lines, format, attributes);
    }
    if (temporaryDirectory != null) {
      throw Failure.usage(
          "--temporary-directory is for variants that are built once; remove it, or take --variant"
              + " fuse");
    }
    // The input whose lines cannot be counted, or null if it need not be or there is none.
    String pipe = expected == null ? lines.firstPipe() : null;
    if (live && pipe != null) {
      throw Failure.usage(
          "--live needs to know how many lines to expect, and those of "
              + pipe
              + " cannot be counted first; say it, as in --expected 1000000");
    }
    FilterProvider provider =
        provider(pipe == null ? DefaultVariants.FIXED : DefaultVariants.GROWING);
    if (pipe != null) {
      checkGrows(provider, spec(FIRST_KEYS, format, attributes), pipe);
    }
    FilterSpec spec = spec(keys(lines, pipe), format, attributes);
    checkFolds(provider, spec);
    try (LineAdditions filter =
        live
            ? LiveLines.created(session(), output, provider, spec)
            : LineFilter.created(
                session(),
                output,
                Failure.usageIfRefused(() -> provider.create(spec, ThreadMode.CONFINED)))) {
      lines.forEachBatch(filter::add);
      warnIfEmpty(lines);
      filter.save();
      return filter.report(session(), json, variant == null && pipe != null ? reason(pipe) : "");
    }
  }

  private void checkLive() throws Failure {
    if (live && (output.isStream() || output.replaces())) {
      throw Failure.usage(
          "--live makes a file that was not there, and lives in it; name a new file by --output,"
              + " without --force, or delete this one first");
    }
  }

  /** Returns the provider of filters that are built once, if the variant is one of them. */
  private Optional<StaticFilterProvider> building() throws Failure {
    FilterProviders providers = session().bloomery().providers();
    return Optional.ofNullable(variant)
        .flatMap(providers::find)
        .filter(StaticFilterProvider.class::isInstance)
        .map(StaticFilterProvider.class::cast);
  }

  /** Builds a filter of all lines, which are read once. */
  private int build(
      StaticFilterProvider provider,
      Inputs lines,
      InputFormat format,
      SortedMap<String, String> attributes)
      throws Failure, IOException {
    // A rate that no filter has is refused before anything is read.
    FilterSpec least = spec(expected == null ? 1 : expected, format, attributes);
    checkFolds(provider, least);
    try (BuiltLines built =
        BuiltLines.of(
            session(),
            output,
            provider,
            keys -> spec(expected == null ? keys : expected, format, attributes),
            temporaryDirectory())) {
      lines.forEachBatch(built::add);
      warnIfEmpty(lines);
      built.save();
      return built.report(session(), json, "");
    }
  }

  private Path temporaryDirectory() throws Failure {
    Path folder =
        temporaryDirectory == null
            ? Path.of(System.getProperty("java.io.tmpdir"))
            : temporaryDirectory;
    if (!Files.isDirectory(folder)) {
      throw Failure.usage(
          "--temporary-directory must be an existing folder, but is '" + folder + "'");
    }
    return folder;
  }

  private Inputs lines(InputFormat format) throws Failure {
    Inputs lines = Inputs.of(session(), inputs, format);
    lines.insteadOfFilters(
        "join filters with 'bloomery merge', as in 'bloomery merge -o FILE ONE OTHER'");
    return lines;
  }

  /** Creates a filter in the format of another system. */
  private int createForeign(ForeignOptions.Chosen other) throws Failure, IOException {
    ForeignOptions.refuse(variant != null, "--variant", "a variant is a kind of Bloomery's own");
    ForeignOptions.refuse(
        !texts.isEmpty(), "--attribute", "other systems keep no texts with a filter");
    ForeignOptions.refuse(live, "--live", "other systems write their files anew");
    ForeignOptions.refuse(foldable, "--foldable", "other systems fold no filters");
    ForeignOptions.refuse(
        secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
    foreignTable.check(isGiven("--expected") || isGiven("--fpp"));
    Inputs lines = lines(other.inputFormat(options));
    long keys = foreignTable.haveTable() ? 1 : foreignKeys(lines);
    Optional<ForeignLines.Asked> asked =
        foreignTable.haveTable()
            ? Optional.empty()
            : Optional.of(new ForeignLines.Asked(keys, rate));
    ForeignFilter empty = foreignTable.create(other.format(), keys, rate);
    if (!foreignTable.haveTable()) {
      foreignTable.warnOfRate(session(), other.format(), keys, rate);
    }
    try (ForeignLines filter =
        ForeignLines.created(session(), output, empty, other.encoding(), asked)) {
      lines.forEachBatch(filter::add);
      warnIfEmpty(lines);
      filter.save();
      return filter.report(session(), json, "");
    }
  }

  private void warnIfEmpty(Inputs lines) throws Failure {
    if (lines.wereEmpty() && !(live && expected != null)) {
      session()
          .warn(
              "%s: the input has no keys, so the filter is empty%s",
              output.file(),
              expected == null && lines.firstPipe() == null && building().isEmpty()
                  ? " and has room for one; see that the input is the one that was meant, or say"
                      + " how many keys will be added, as in --expected 1000000"
                  : "; see that the input is the one that was meant");
    }
  }

  private boolean isGiven(String option) {
    return spec().commandLine().getParseResult().hasMatchedOption(option);
  }

  private long foreignKeys(Inputs lines) throws Failure {
    String pipe = lines.firstPipe();
    if (expected == null && pipe != null) {
      throw Failure.usage(
          "how many lines to expect must be known beforehand, and those of "
              + pipe
              + " cannot be counted first; say it, as in --expected 1000000");
    }
    return keys(lines, null);
  }

  /** Returns the attributes of the filter: the texts of the user, and how keys are read. */
  private SortedMap<String, String> attributes(InputFormat format) throws Failure {
    SortedMap<String, String> attributes = new TreeMap<>();
    for (String text : texts) {
      String name = text.substring(0, Math.max(0, text.indexOf('=')));
      // Of a URL with an equals sign in its password, the name would show a part of that.
      if (!text.contains("=") || !Urls.withoutLogin(text).startsWith(name)) {
        throw Failure.usage("--attribute must be NAME=TEXT, but was '" + text + "'");
      }
      if (name.startsWith(OURS)) {
        throw Failure.usage(
            "--attribute must not begin with '%s', but was '%s'; begin it with the name of"
                + " your organisation",
            OURS, text);
      }
      if (attributes.put(name, text.substring(name.length() + 1)) != null) {
        throw Failure.usage("--attribute must give each name once, but gives '" + name + "' twice");
      }
    }
    checked(attributes, "see --attribute");
    attributes.putAll(format.attributes());
    if (foldable) {
      attributes.put(FilterSpec.FOLDABLE, "true");
    }
    checked(
        attributes,
        "how keys are read is one of them: give the column by its number, or shorter attributes");
    return attributes;
  }

  private static void checked(SortedMap<String, String> attributes, String next) throws Failure {
    try {
      FilterSpec.of(1, FilterBuilder.DEFAULT_FPP).withAttributes(attributes);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(e.getMessage() + "; " + next);
    }
  }

  private FilterSpec spec(long keys, InputFormat format, SortedMap<String, String> attributes)
      throws Failure {
    return Failure.usageIfRefused(
        () -> FilterSpec.of(keys, rate, format.hash().id()).withAttributes(attributes));
  }

  private long keys(Inputs lines, String pipe) throws Failure {
    if (expected != null) {
      return expected;
    }
    return pipe == null ? Math.max(1, lines.countLines()) : FIRST_KEYS;
  }

  /** Plans a filter, and refuses one that does not fold if --foldable is given. */
  private void checkFolds(VariantProvider provider, FilterSpec spec) throws Failure {
    FilterPlan plan = Failure.usageIfRefused(() -> provider.plan(spec));
    Optional<String> reason = plan.folding().refusal(1);
    if (foldable && reason.isPresent()) {
      throw Failure.usage(
          "--foldable needs a variant that folds, such as '%s': %s",
          DefaultVariants.FIXED, reason.get());
    }
  }

  private static String reason(String pipe) {
    return "; variant "
        + DefaultVariants.GROWING
        + ", which grows, since the lines of "
        + pipe
        + " cannot be counted first";
  }

  private void checkGrows(FilterProvider provider, FilterSpec spec, String pipe) throws Failure {
    if (!Failure.usageIfRefused(() -> Growth.isIn(provider.plan(spec)))) {
      throw Failure.usage(
          "variant '%s' needs to know how many lines to expect, and those of %s cannot be"
              + " counted first; say it, as in --expected 1000000, or take variant '%s', which"
              + " needs no number",
          variant, pipe, DefaultVariants.GROWING);
    }
  }

  private FilterProvider provider(String otherwise) throws Failure {
    return Failure.usageIfRefused(
        () -> session().bloomery().providers().get(variant == null ? otherwise : variant));
  }
}
