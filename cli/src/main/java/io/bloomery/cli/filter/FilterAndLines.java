package io.bloomery.cli.filter;

import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.ForeignFile;
import io.bloomery.cli.foreign.ForeignLines;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.foreign.LineSelector;
import io.bloomery.cli.foreign.ParquetColumn;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.InputOptions;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.input.Recipe;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.key.SecretOption;
import io.bloomery.cli.option.DefaultVariants;
import io.bloomery.cli.option.PutCheck;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.redis.RemoteFilter;
import io.bloomery.cli.session.CheckedOpening;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.cli.session.Urls;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.VariantProvider;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The arguments of a command that applies lines to a saved filter. */
final class FilterAndLines {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  @Parameters(index = "0", paramLabel = "FILE", description = "A filter that create made.")
  private Path file;

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "INPUT",
      description = "Files of lines; - is stdin.")
  private List<String> inputs = List.of();

  @Mixin private InputOptions options;

  @Mixin private SecretOption secretOption;

  private InputFormat format; // once the filter is open
  private FilterSpec spec; // that of the filter, if it is open and one of ours

  Path file() {
    return file;
  }

  /** Returns what was given for the file: of a URL, a path would drop slashes. */
  String argument() {
    return command.positionalParameters().get(0).originalStringValues().get(0);
  }

  /**
   * Opens the filter for queries; "-" is the standard input.
   *
   * @throws Failure if it cannot be read, is damaged, holds keys other than lines, or was made of
   *     lines in another way than the options or the secret specify; or if options exclude each
   *     other or an input certainly cannot be read
   */
  LineSelector open(Session session, ForeignOptions foreign) throws Failure, IOException {
    if (StandardStreams.isNamedBy(file) && Inputs.haveStandardInput(inputs)) {
      throw Failure.usage(
          "FILE and INPUT must not both be the standard input; name a file for one of them");
    }
    Optional<ForeignOptions.Chosen> other = foreign.chosen(session, file);
    if (other.isPresent()) {
      follow(other.get());
      return foreignFile(session, other.get().format()).asked(other.get().encoding());
    }
    Optional<SecretFile> secret = readSecret(session);
    Optional<RemoteFilter> remote = RemoteFilter.namedBy(argument());
    if (remote.isPresent()) {
      return remote.get().asked(spec -> follow(remote.get().url(), spec, secret));
    }
    return SavedFilter.open(
        session, file, header -> follow(file.toString(), header.spec(), secret));
  }

  /**
   * Opens the filters of a column of a whole Parquet file, or the filter of one of a file index of
   * Paimon, for queries.
   *
   * @throws Failure as for {@link #open}
   */
  LineSelector openColumn(Session session, ForeignOptions foreign, String column) throws Failure {
    StandardStreams.refuse(file, "a file of several columns is read from different places");
    if (foreign.isParquetFile()) {
      ForeignOptions.Chosen chosen = foreign.ofParquetFile();
      follow(chosen);
      return ParquetColumn.read(file, column, chosen.encoding());
    }
    ForeignOptions.Chosen chosen = foreign.chosen(session, file).orElseThrow();
    follow(chosen);
    return ForeignFile.ofPaimonColumn(file, column).asked(chosen.encoding());
  }

  private ForeignFile foreignFile(Session session, ForeignFormat other) throws Failure {
    Optional<RemoteFilter> remote = RemoteFilter.namedBy(argument());
    return remote.isPresent()
        ? new ForeignFile(file, remote.get().read(other), 0)
        : ForeignFile.read(session, file, other);
  }

  /**
   * Opens the filter, and others of the same keys, for queries.
   *
   * @throws Failure as for {@link #open}, or if one holds keys that are hashed in another way
   */
  SeveralFilters open(Session session, ForeignOptions foreign, List<Path> others)
      throws Failure, IOException {
    List<Path> files = new ArrayList<>(List.of(file));
    files.addAll(others);
    long streams = files.stream().filter(StandardStreams::isNamedBy).count();
    if (streams + (Inputs.haveStandardInput(inputs) ? 1 : 0) > 1) {
      throw Failure.usage(
          "only one of FILE, --also and INPUT must be the standard input; name files for the"
              + " others");
    }
    List<LineSelector> filters = new ArrayList<>(List.of(open(session, foreign)));
    if (spec == null || RemoteFilter.namedBy(argument()).isPresent()) {
      throw Failure.usage(
          "--also is for filters in files of Bloomery, but "
              + Urls.withoutLogin(argument())
              + " is none; ask it by a command of its own");
    }
    for (Path other : others) {
      filters.add(SavedFilter.open(session, other, header -> checkSameKeys(other, header.spec())));
    }
    return new SeveralFilters(files, filters);
  }

  private void checkSameKeys(Path other, FilterSpec its) throws Failure {
    checkEqual("hash id", spec.hashId(), other, its.hashId(), "");
    checkEqual("key form", spec.keyForm(), other, its.keyForm(), "");
    if (options.container().isEmpty()) {
      checkEqual(
          "place where keys are",
          InputFormat.recordedContainer(spec),
          other,
          InputFormat.recordedContainer(its),
          "say where they are in INPUT, as in --lines or --csv 1, or ");
    }
  }

  private void checkEqual(String what, String first, Path other, String its, String next)
      throws Failure {
    if (!first.equals(its)) {
      throw Failure.usage(
          "filters that are asked together must have one %s, but %s has '%s' and %s '%s'; %sask each by a command of its own"
              .formatted(what, file, first, other, its, next));
    }
  }

  /**
   * Opens the filter for changes; no other process can change it until it is closed.
   *
   * @throws Failure as for {@link #open}, or if others are changing the file for too long
   */
  LineAdditions update(Session session, WaitOption waiting, ForeignOptions foreign)
      throws Failure, IOException {
    Optional<ForeignOptions.Chosen> other = foreign.chosen(session, file);
    if (other.isPresent()) {
      return update(session, waiting, other.get());
    }
    FilterFiles files = session.bloomery().files();
    CheckedOpening.Check puts = header -> checkPuts(session.bloomery(), header.variant());
    return LiveLines.isLive(file)
        ? LiveLines.updated(file, opened(session, waiting, puts, files::openLive))
        : LineFilter.updated(file, opened(session, waiting, puts, files::update));
  }

  private LineAdditions update(Session session, WaitOption waiting, ForeignOptions.Chosen other)
      throws Failure, IOException {
    StandardStreams.refuse(file, "a stream cannot be changed");
    waiting.check();
    follow(other);
    ForeignFile.checkForeign(session, file, other.format());
    return ForeignLines.updated(
        file,
        waiting.begin(
            session, file, patience -> ForeignFile.update(file, other.format(), patience)),
        other.encoding());
  }

  private void follow(ForeignOptions.Chosen other) throws Failure {
    ForeignOptions.refuse(
        secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
    options.check();
    Inputs.check(inputs);
    format = other.inputFormat(options);
  }

  /**
   * Opens the filter for changes, if lines can be removed from it.
   *
   * @throws Failure as for {@link #update}, or if they cannot
   */
  LineFilter updateRemovable(Session session, WaitOption waiting) throws Failure, IOException {
    return LineFilter.updated(
        file,
        opened(
            session,
            waiting,
            header -> checkRemovable(session.bloomery(), header.variant()),
            session.bloomery().files()::update));
  }

  /** A way to open a file for changes. */
  private interface Door<T> {
    T open(Path file, Duration patience, OpenOptions options) throws IOException;
  }

  private <T> T opened(
      Session session, WaitOption waiting, CheckedOpening.Check check, Door<T> door)
      throws Failure, IOException {
    StandardStreams.refuse(file, "a stream cannot be changed");
    waiting.check();
    Optional<SecretFile> secret = readSecret(session);
    CheckedOpening.Check both =
        header -> {
          follow(file.toString(), header.spec(), secret);
          check.accept(header);
        };
    return waiting.begin(
        session,
        file,
        patience -> CheckedOpening.open(file, both, options -> door.open(file, patience, options)));
  }

  /** Sets the format of the keys from the filter and the options. */
  private void follow(String name, FilterSpec spec, Optional<SecretFile> secret) throws Failure {
    format = new Recipe(name, spec).with(options, secret);
    this.spec = spec;
  }

  private void checkPuts(Bloomery bloomery, String variant) throws Failure {
    PutCheck.check(
        bloomery.providers(),
        file,
        variant,
        "create it again of the old lines and the new, as in 'bloomery create --force --variant "
            + variant
            + " -o FILE OLD NEW'");
  }

  private void checkRemovable(Bloomery bloomery, String variant) throws Failure {
    VariantProvider provider = bloomery.providers().variant(variant);
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw Failure.usage(
          "%s must be of a variant that can remove, but is '%s'; make it with 'bloomery"
              + " create --variant %s'",
          file, variant, DefaultVariants.REMOVABLE);
    }
  }

  private Optional<SecretFile> readSecret(Session session) throws Failure {
    options.check();
    Inputs.check(inputs);
    return secretOption.read(session);
  }

  /** Returns the inputs, whose keys are read as the opened filter and the options specify. */
  Inputs lines(Session session) throws Failure {
    return Inputs.of(session, inputs, format);
  }

  /** Returns the format of the keys, which the opened filter and the options specify. */
  InputFormat format() {
    return format;
  }
}
