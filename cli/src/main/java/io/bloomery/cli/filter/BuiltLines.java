package io.bloomery.cli.filter;

import io.bloomery.cli.foreign.LineAdditions;
import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.option.FilterOutput;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.StoredFilter;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The lines of a filter that is built once, of which the hashes are kept until it is saved. */
final class BuiltLines extends LineAdditions {

  private final Build build;

  private BuiltLines(Session session, FilterOutput output, Build build) {
    super(output.file(), () -> output.save(session, build.filter()), () -> {});
    this.build = build;
  }

  /** Returns no lines yet of a filter that {@code provider} builds. */
  static BuiltLines of(
      Session session, FilterOutput output, StaticFilterProvider provider, Specs specs) {
    return new BuiltLines(session, output, new Build(provider, specs));
  }

  /** The specs of filters. */
  interface Specs {

    /** Returns that for a number of different keys. */
    FilterSpec of(long keys) throws Failure;
  }

  private static final class Build {

    private final StaticFilterProvider provider;
    private final Specs specs;
    private long[] hashes = new long[4 * LineBatch.MAX_LINES];
    private int size;
    private @Nullable StoredFilter built; // null until then

    Build(StaticFilterProvider provider, Specs specs) {
      this.provider = provider;
      this.specs = specs;
    }

    void add(LineBatch batch) throws Failure {
      if (batch.size() > hashes.length - size) {
        grow();
      }
      System.arraycopy(batch.hashes(), 0, hashes, size, batch.size());
      size += batch.size();
    }

    /** Makes room for a batch: that of hashes that came more than once, or as much again. */
    private void grow() throws Failure {
      keepDifferent();
      if (size > hashes.length / 2) {
        long length = Math.min(2L * hashes.length, Integer.MAX_VALUE - 15);
        if (length - size < LineBatch.MAX_LINES) {
          throw Failure.usage("one filter is built of at most " + length + " different lines");
        }
        hashes = Arrays.copyOf(hashes, (int) length);
      }
    }

    private void keepDifferent() {
      Arrays.sort(hashes, 0, size);
      int different = 0;
      for (int i = 0; i < size; i++) {
        if (i == 0 || hashes[i] != hashes[i - 1]) {
          hashes[different++] = hashes[i];
        }
      }
      size = different;
    }

    StoredFilter filter() throws Failure {
      keepDifferent();
      FilterSpec spec = specs.of(Math.max(1, size));
      built =
          Failure.usageIfRefused(
              () -> provider.build(spec, Arrays.stream(hashes, 0, size), FilterLimits.HEAP));
      return built;
    }
  }

  @Override
  protected long put(LineBatch batch) throws Failure {
    build.add(batch);
    return 0; // known when all lines are there
  }

  @Override
  protected long added() {
    return build.size;
  }

  @Override
  public int report(Session session, boolean json, String more) throws IOException {
    StoredFilter filter = Objects.requireNonNull(build.built, "saved first");
    Promise promise = new Promise(filter.spec(), filter.stats(), added());
    report(session, json, more, LineFilter.members(filter, promise));
    return promise.report(session, path());
  }
}
