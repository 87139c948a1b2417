package io.bloomery.cli.filter;

import io.bloomery.cli.key.SecretCheckOption;
import io.bloomery.cli.key.SecretFile;
import io.bloomery.cli.session.Description;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.cli.session.StandardStreams;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.Overlap;
import io.bloomery.filter.Overlap.Estimate;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Estimates how many keys two saved filters share. */
@Command(
    name = "overlap",
    description = {
      "Estimate how many keys the filters in FIRST and SECOND have, and share, from their bits.",
      "They must be standard, partitioned or blocked, and of one variant, hash, key form and"
          + " layout, which files made with the same --variant, --fpp and --expected, of keys written"
          + " alike, are. They are not loaded.",
      "Prints each estimate with an interval that has the true number in 95 of 100 cases. The"
          + " Jaccard index is the share of the keys of either that both have. If every bit of a"
          + " filter, or of the two together, is set, there are no estimates; in JSON they are"
          + " null."
    },
    exitCodeList = {ExitCode.OK_TEXT, ExitCode.USAGE_TEXT, ExitCode.BAD_FILE_TEXT},
    footer = "  bloomery overlap monday.bloom tuesday.bloom")
public final class OverlapCommand extends SessionCommand {

  @Option(
      names = "--json",
      description = "Print a JSON object; an estimate has a value and the ends of its interval.")
  private boolean json;

  @Mixin private SecretCheckOption secretOption;

  @Parameters(index = "0", paramLabel = "FIRST", description = "A filter; - is the standard input.")
  private Path first;

  @Parameters(index = "1", paramLabel = "SECOND", description = "A filter like it.")
  private Path second;

  @Override
  public Integer call() throws Failure, IOException {
    Optional<SecretFile> secret = secretOption.read(session());
    StandardStreams.refuse(
        second, "name the other filter as FIRST, which may be the standard input");
    SavedFilter one = open(first, secret);
    SavedFilter other = open(second, secret);
    Optional<Overlap> overlap =
        Failure.usageIfRefused(
            () -> {
              try {
                return Overlap.of(one.view(), other.view());
              } catch (FilterUnavailableException e) {
                throw Failure.file(first.toString(), e.getMessage());
              }
            });
    describe(one.path(), other.path(), overlap).print(session(), json);
    return ExitCode.OK;
  }

  private SavedFilter open(Path file, Optional<SecretFile> secret) throws Failure, IOException {
    if (ShardedFilterFiles.isSharded(file)) {
      String shard = ShardedFilterFiles.fileName(0);
      throw Failure.usage(
          "%s must be a filter in one file, but is a folder of shards; compare each shard"
              + " with that of the same number, %s with %s for example",
          file, shard, shard);
    }
    return SavedFilter.open(
        session(),
        file,
        header -> {
          if (secret.isPresent()) {
            secret.get().check(file.toString(), header.spec().hashId());
          }
        });
  }

  private static Description describe(Path first, Path second, Optional<Overlap> overlap) {
    Description about = new Description("first", first.toString());
    about.member("second", second.toString());
    about.row("and", "%s", second);
    if (overlap.isEmpty()) {
      about.row("estimates", "none, since every bit of a filter, or of the two together, is set");
    }
    about.member("confidence", 0.95);
    keys(about, "keys of first", "firstKeys", overlap.map(Overlap::keys));
    keys(about, "keys of second", "secondKeys", overlap.map(Overlap::otherKeys));
    keys(about, "keys of either", "eitherKeys", overlap.map(Overlap::union));
    keys(about, "keys of both", "bothKeys", overlap.map(Overlap::common));
    share(about, "Jaccard index", "jaccard", overlap.map(Overlap::jaccard));
    share(about, "first in second", "firstInSecond", overlap.map(Overlap::containment));
    share(about, "second in first", "secondInFirst", overlap.map(Overlap::otherContainment));
    return about;
  }

  private static void keys(
      Description about, String label, String member, Optional<Estimate> estimate) {
    add(about, label, member, estimate, "about %,.0f (%,.0f to %,.0f)", 1);
  }

  private static void share(
      Description about, String label, String member, Optional<Estimate> estimate) {
    add(about, label, member, estimate, "%.2f %% (%.2f to %.2f %%)", 100);
  }

  private static void add(
      Description about,
      String label,
      String member,
      Optional<Estimate> estimate,
      String format,
      int times) {
    estimate.ifPresent(
        told ->
            about.row(
                label, format, times * told.value(), times * told.low(), times * told.high()));
    about.member(member, estimate.map(OverlapCommand::members).orElse(null));
  }

  private static Members members(Estimate estimate) {
    return new Members()
        .with("value", estimate.value())
        .with("low", estimate.low())
        .with("high", estimate.high());
  }
}
