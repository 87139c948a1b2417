package io.bloomery.cli.filter;

import io.bloomery.Bloomery;
import io.bloomery.cli.foreign.ForeignOptions;
import io.bloomery.cli.key.SecretCheckOption;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.option.WaitOption;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.OutputException;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.interop.ForeignFormat;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Merges saved filters into one. */
@Command(
    name = "merge",
    description = {
      "Make a filter that contains every key of the filters in FILEs.",
      "They must be of one variant, hash, key form and layout, which files made with the"
          + " same --variant, --fpp and --expected, of keys written alike, are. It keeps --fpp"
          + " while it holds at most --expected distinct keys.",
      "Most filters are merged without being loaded, whatever their size; counting filters"
          + " add their counts and take the memory of two; filters that grow do not merge.",
      "With --format they are filters of another system, of one format, size, number of hash"
          + " functions and seed; they are merged in memory.",
      "The attributes of the first FILE are kept. The output may be one of the FILEs; of another"
          + " system, its header is then kept."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      ExitCode.USAGE_TEXT,
      ExitCode.LOCKED_TEXT,
      ExitCode.OUTGROWN_TEXT
    },
    footer = "  bloomery merge -o week.bloom monday.bloom tuesday.bloom wednesday.bloom")
public final class MergeCommand extends SessionCommand {

  /** The end of the names of files that a later save in their folder removes. */
  private static final String LEFTOVER = ".0-0-0000000000000000.bloomery.tmp";

  @Mixin private FilterOutput output;

  @Mixin private ForeignOptions foreign;

  @Mixin private WaitOption waiting;

  @Mixin private SecretCheckOption secretOption;

  @Option(
      names = "--fold",
      description =
          "Fold filters to the size of the smallest, if it divides theirs, which loses no key. The"
              + " result has the expected keys, rate and attributes of the smallest. Folding takes the"
              + " memory of the largest and of two of the smallest, and of the output if it is one"
              + " of the FILEs.")
  private boolean fold;

  @Option(names = "--json", description = "Print a JSON object with what was merged.")
  private boolean json;

  @Parameters(arity = "1..*", paramLabel = "FILE", description = "Filters of one kind.")
  private List<Path> sources;

  @Override
  public Integer call() throws Failure, IOException {
    output.check(session(), json, "choose another name");
    waiting.check();
    Optional<ForeignFormat> system = foreign.format(session(), sources);
    if (system.isPresent()) {
      ForeignOptions.refuse(fold, "--fold", "filters of other systems are not folded");
      ForeignOptions.refuse(
          secretOption.isGiven(), "--secret-file", "other systems hash without a secret");
      return new ForeignMerge(session(), system.get(), sources).save(output, waiting, json);
    }
    checkSecret();
    if (output.isStream()) {
      return print();
    }
    Path file = output.file();
    List<String> folded = merge(file);
    Promise promise = promise(file);
    long size = Files.size(file);
    if (json) {
      Json.print(
          session(),
          new Members()
              .with("file", file.toString())
              .with("merged", sources.size())
              .with("folded", folded.size())
              .with("outgrown", promise.isOutgrown())
              .with("sizeInBytes", size));
    } else {
      session()
          .say(
              "%s: %,d filters merged, %,d bytes%s",
              file,
              sources.size(),
              size,
              folded.isEmpty() ? "" : "; folded: " + String.join(", ", folded));
    }
    return promise.report(session(), file);
  }

  /**
   * Compares the secret, if one is named, with those of the sources, before anything is written.
   */
  private void checkSecret() throws Failure {
    Optional<SecretFile> secret = secretOption.read(session());
    if (secret.isPresent()) {
      for (Path source : sources) {
        StandardStreams.refuse(source, "its secret is compared before it is merged");
        try {
          secret.get().check(source.toString(), FilterFiles.inspect(source).spec().hashId());
        } catch (IOException e) {
          throw Failure.reading(source, e);
        }
      }
    }
  }

  /**
   * Returns the guarantee of the merged filter and its current state, without loading the filter.
   */
  private Promise promise(Path whole) throws Failure {
    try (MappedFilter merged = session().bloomery().files().map(whole)) {
      return new Promise(merged.spec(), merged.stats(), 0);
    } catch (FilterUnavailableException e) {
      throw Failure.file(whole.toString(), e.getMessage());
    } catch (IOException e) {
      throw Failure.reading(whole, e);
    }
  }

  /** Merges into a temporary file and prints it, since the filter may be larger than the memory. */
  private int print() throws Failure, IOException {
    Optional<FoldedSources> folded = toFold();
    if (folded.isPresent()) {
      MergeableFilter union = folded.get().union();
      FilterFiles.write(union, session().out());
      return new Promise(union.spec(), union.stats(), 0).report(session(), StandardStreams.OUTPUT);
    }
    Path whole = temporaryFile();
    try {
      merge(whole, StandardStreams.files(sources), true);
      return printAndDelete(whole);
    } finally {
      Files.deleteIfExists(whole);
    }
  }

  /** Creates an empty file that only its owner may read, as then what replaces it. */
  private static Path temporaryFile() throws Failure {
    try {
      Path file = Files.createTempFile(".merge", LEFTOVER);
      file.toFile().deleteOnExit();
      return file;
    } catch (IOException e) {
      throw Failure.saving(Path.of(System.getProperty("java.io.tmpdir")), e);
    }
  }

  /** Deletes the file once it is open, so that a kill leaves none where the system allows it. */
  private int printAndDelete(Path whole) throws Failure, IOException {
    try (MappedFilter merged = session().bloomery().files().map(whole);
        InputStream content = Files.newInputStream(whole)) {
      boolean unused = whole.toFile().delete();
      Promise promise = new Promise(merged.spec(), merged.stats(), 0);
      content.transferTo(session().out());
      return promise.report(session(), StandardStreams.OUTPUT);
    }
  }

  /** Merges into a file, and returns what was folded before. */
  private List<String> merge(Path target) throws Failure, IOException {
    Optional<FoldedSources> folded = toFold();
    if (folded.isEmpty()) {
      merge(target, StandardStreams.files(sources), output.replaces());
      return List.of();
    }
    FoldedSources sizes = folded.get();
    boolean isRead = isRead(target);
    merge(
        target,
        patience -> {
          if (isRead) {
            update(target, sizes, patience);
          } else if (output.replaces()) {
            FilterFiles.save(sizes.union(), target);
          } else {
            FilterFiles.saveNew(sizes.union(), target);
          }
          return target;
        });
    return sizes.told();
  }

  private void update(Path target, FoldedSources sizes, Duration patience)
      throws Failure, IOException {
    try (FilterUpdate<Filter> update =
        session().bloomery().files().update(target, patience, OpenOptions.confined())) {
      update.replaceBy(sizes.union());
    }
  }

  /** Returns the sources if they are to be folded; others merge without being loaded. */
  private Optional<FoldedSources> toFold() throws Failure {
    if (!fold) {
      return Optional.empty();
    }
    for (Path source : sources) {
      StandardStreams.refuse(source, "it may have to be folded before it is merged");
    }
    return Optional.of(FoldedSources.of(session(), sources)).filter(FoldedSources::mustFold);
  }

  private boolean isRead(Path target) throws IOException {
    for (Path source : sources) {
      if (Files.exists(target) && Files.isSameFile(target, source)) {
        return true;
      }
    }
    return false;
  }

  private void merge(Path target, List<Path> files, boolean replaces) throws Failure, IOException {
    Bloomery bloomery = session().bloomery();
    merge(
        target,
        patience -> {
          if (replaces) {
            bloomery.files().merge(target, files, patience);
          } else {
            bloomery.files().mergeNew(target, files);
          }
          return target;
        });
  }

  private void merge(Path target, WaitOption.Change<Path> change) throws Failure, IOException {
    try {
      waiting.begin(session(), target, change);
    } catch (UnexpectedFilterException e) {
      throw Failure.usage(
          e.getMessage()
              + (!fold && e.reason() == Reason.MERGE && FoldedSources.wouldMerge(session(), sources)
                  ? "; or add --fold"
                  : ""));
    } catch (OutputException e) {
      throw e;
    } catch (IOException e) {
      throw failure(e);
    }
  }

  /** Returns the failure of the source that the exception names, or else of the output. */
  private Failure failure(IOException e) {
    String named =
        e instanceof FilterFormatException format
            ? format.file().orElse(null)
            : e instanceof FileSystemException system ? system.getFile() : null;
    for (Path source : sources) {
      if (source.toString().equals(named)) {
        return Failure.reading(source, e);
      }
    }
    return Failure.saving(output.file(), e);
  }
}
