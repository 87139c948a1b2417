package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.DistinctHashes;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lines of a filter that is built once, of which the hashes are kept until it is saved. */
final class BuiltLines extends LineAdditions {

  private final Build build;

  private BuiltLines(Session session, FilterOutput output, Build build) {
    super(output.file(), () -> output.save(session, build.filter()), build.hashes::close);
    this.build = build;
  }

  /**
   * Returns no lines yet of a filter that {@code provider} builds.
   *
   * @param folder takes the hashes that are too many for a share of the heap
   */
  static BuiltLines of(
      Session session,
      FilterOutput output,
      StaticFilterProvider provider,
      Specs specs,
      Path folder) {
    return new BuiltLines(session, output, new Build(provider, specs, folder));
  }

  /** The specs of filters. */
  interface Specs {

    /** Returns that for a number of different keys. */
    FilterSpec of(long keys) throws Failure;
  }

  private static final class Build {

    private final StaticFilterProvider provider;
    private final Specs specs;
    private final Path folder;
    private final long allowed = Runtime.getRuntime().maxMemory() / 2;
    private final DistinctHashes hashes;
    private long count;
    private @Nullable StoredFilter built; // null until then

    Build(StaticFilterProvider provider, Specs specs, Path folder) {
      this.provider = provider;
      this.specs = specs;
      this.folder = folder;
      this.hashes = DistinctHashes.within(allowed, folder);
    }

    void add(LineBatch batch) throws Failure {
      try {
        hashes.add(batch.hashes(), 0, batch.size());
      } catch (UncheckedIOException e) {
        throw failed(e);
      }
    }

    StoredFilter filter() throws Failure {
      try {
        count = hashes.count();
        FilterSpec spec = specs.of(Math.max(1, count));
        checkFits(hashes.bytesToBuild(provider, spec));
        built = Failure.usageIfRefused(() -> hashes.build(provider, spec, FilterLimits.HEAP));
        return built;
      } catch (UncheckedIOException e) {
        throw failed(e);
      }
    }

    private void checkFits(long needed) throws Failure {
      if (needed > allowed) {
        throw Failure.usage(
            "a build for "
                + count
                + " lines needs "
                + needed
                + " bytes of memory beside the filter, but half of Java's is allowed for it, "
                + allowed
                + "; give Java more, as in JAVA_OPTS=-Xmx"
                + ((needed >> 20) * 9 / 4 + 8) // some JVMs leave out a part of what they are given
                + "m bloomery ...");
      }
    }

    private Failure failed(UncheckedIOException e) {
      return Failure.input(
          folder.toString(),
          e.getCause(),
          e.getMessage() + ", as in --temporary-directory /var/tmp");
    }
  }

  @Override
  protected long put(LineBatch batch) throws Failure {
    build.add(batch);
    return 0; // known when all lines are there
  }

  @Override
  protected long added() {
    return build.count;
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    StoredFilter filter = Objects.requireNonNull(build.built, "saved first");
    Promise promise = new Promise(filter.spec(), filter.stats(), added());
    report(session, json, more, LineFilter.members(filter, promise));
    return promise.report(session, path());
  }
}
