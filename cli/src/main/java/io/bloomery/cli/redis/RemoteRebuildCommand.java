package io.bloomery.cli.redis;

import io.bloomery.FilterBuilder;
import io.bloomery.cli.input.InputFormat;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.option.CountConverter;
import io.bloomery.cli.option.RateConverter;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.SessionCommand;
import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterSpec;
import io.bloomery.redis.RedisFilter;
import io.bloomery.redis.RedisFilterInfo;
import io.bloomery.redis.RedisFilters;
import io.bloomery.redis.RedisRebuild;
import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Rebuilds a filter on a server from lines. */
@Command(
    name = "rebuild",
    description = {
      "Rebuild the filter that URL names from the lines of INPUT, or of the standard input:"
          + " with another size, after it has lost keys, or if it does not exist.",
      "The old filter serves until the new one is complete and replaces it; the server"
          + " needs memory for both. Keys that programs add after the start are in both. Keys that"
          + " they added before must be in INPUT, and INPUT must be read after the start: give a"
          + " complete file, and later add to the filter what was missing from it."
    },
    exitCodeList = {
      ExitCode.OK_TEXT,
      ExitCode.USAGE_TEXT,
      "3:the filter or the server does not answer, or an input cannot be read",
      RedisCommand.OUTGROWN_TEXT
    },
    footer = "  bloomery redis rebuild 'redis://localhost:6379/0?filter=seen' all.txt")
final class RemoteRebuildCommand extends SessionCommand {

  static final String VARIANT = "blocked";

  @Option(
      names = "--expected",
      paramLabel = "N",
      converter = CountConverter.class,
      description =
          "The expected number of distinct lines (default: the number of lines in files).")
  private Long expected;

  @Option(
      names = "--fpp",
      paramLabel = "P",
      converter = RateConverter.class,
      description =
          "The false-positive rate: how often an absent line may be reported as present"
              + " (default: that of the old filter, or 0.01).")
  private Double rate;

  @Option(
      names = "--variant",
      paramLabel = "NAME",
      description = "standard or blocked (default: as the old filter, or blocked).")
  private String variant;

  @Mixin private LifeOptions life;

  @Option(names = "--json", description = "Print a JSON object with what was made.")
  private boolean json;

  @Mixin private RemoteFilterAndLines arguments;

  private long lines;
  private long generation;

  @Override
  public Integer call() throws Failure, IOException {
    RemoteFilter remote = arguments.filter();
    Promise promise = remote.connected(life.options(), (filters, name) -> rebuild(filters, remote));
    return remote.report(
        session(),
        json,
        promise,
        new Members().with("lines", lines).with("generation", generation),
        "%,d lines are in generation %,d, which serves now",
        lines,
        generation);
  }

  private Promise rebuild(RedisFilters filters, RemoteFilter remote) throws Failure, IOException {
    Optional<FilterHeader> old = filters.info(remote.name()).flatMap(RedisFilterInfo::header);
    InputFormat format = arguments.format(session(), remote, old.map(FilterHeader::spec));
    Inputs inputs = arguments.lines(session(), format);
    FilterPlan plan = plan(old, format, inputs);
    remote.sayMemory(session(), filters.memory(remote.name(), plan));
    try (RedisRebuild rebuild = filters.rebuild(remote.name(), plan)) {
      inputs.forEachBatch(
          batch -> {
            rebuild.putAll(batch.hashes(), 0, batch.size());
            lines += batch.size();
          });
      rebuild.commit();
      generation = rebuild.generation();
    }
    RedisFilter filter = filters.open(remote.name());
    return new Promise(filter.spec(), filter.stats(), 0);
  }

  private FilterPlan plan(Optional<FilterHeader> old, InputFormat format, Inputs inputs)
      throws Failure {
    String pipe = expected == null ? inputs.firstPipe() : null;
    if (pipe != null) {
      throw Failure.usage(
          "how many lines to expect must be known beforehand, and those of "
              + pipe
              + " cannot be counted first; say it, as in --expected 1000000");
    }
    return Failure.usageIfRefused(
        () -> {
          FilterSpec spec =
              FilterSpec.of(
                      expected == null ? Math.max(1, inputs.countLines()) : expected,
                      rate == null
                          ? old.map(header -> header.spec().falsePositiveRate())
                              .orElse(FilterBuilder.DEFAULT_FPP)
                          : rate,
                      format.hash().id())
                  .withAttributes(
                      old.map(RemoteRebuildCommand::attributes).orElse(format.attributes()));
          String named = variant == null ? old.map(FilterHeader::variant).orElse(VARIANT) : variant;
          return session().bloomery().providers().get(named).plan(spec);
        });
  }

  /** Returns the attributes to keep: what is built from lines is no intersection any more. */
  private static SortedMap<String, String> attributes(FilterHeader old) {
    SortedMap<String, String> attributes = new TreeMap<>(old.spec().attributes());
    attributes.remove(FilterSpec.INTERSECTION);
    return attributes;
  }
}
