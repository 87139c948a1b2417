package io.bloomery.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterFullException;
import io.bloomery.FilterProvider;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.RemovableFilter;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/**
 * A filter whose keys are lines. They are hashed as bytes, so that a program which opens the file
 * for strings agrees about every key that is UTF-8, or, if they are integers, as longs.
 */
final class LineFilter {

  private final Path path;
  private final Filter filter;
  private final InputFormat format;
  private long lines;
  private long added;

  private LineFilter(Path path, Filter filter, InputFormat format) {
    this.path = path;
    this.filter = filter;
    this.format = format;
  }

  /** Takes a new filter that is to be saved, for keys that are read like this. */
  static LineFilter created(Path path, Filter filter, InputFormat format) {
    return new LineFilter(path, filter, format);
  }

  /**
   * Opens a saved filter.
   *
   * @param secret the hash functions of the secret that was given, if one was
   * @throws Failure if the file cannot be read, is damaged, or holds keys other than lines, or was
   *     made of lines in another way than options or secret say
   */
  static LineFilter open(
      Session session, Path path, InputOptions options, Optional<KeyHashes> secret) throws Failure {
    return open(session, path, options, secret, (spec, provider) -> {});
  }

  /**
   * Opens a saved filter from which lines can be removed.
   *
   * @throws Failure as for {@link #open}, or if they cannot
   */
  static LineFilter openRemovable(
      Session session, Path path, InputOptions options, Optional<KeyHashes> secret) throws Failure {
    return open(session, path, options, secret, (spec, provider) -> checkRemovable(path, provider));
  }

  private static LineFilter open(
      Session session,
      Path path,
      InputOptions options,
      Optional<KeyHashes> secret,
      CheckedProvider.Check check)
      throws Failure {
    Filter filter =
        CheckedProvider.open(
            session.bloomery(),
            path,
            (spec, provider) -> {
              new Recipe(path, spec).with(options, secret);
              check.accept(spec, provider);
            });
    return new LineFilter(path, filter, new Recipe(path, filter.spec()).with(options, secret));
  }

  private static void checkRemovable(Path path, FilterProvider provider) throws Failure {
    if (!RemovableFilter.class.isAssignableFrom(provider.filterType())) {
      throw Failure.usage(
          path
              + " must be of a variant that can remove, but is '"
              + provider.variant()
              + "'; make it with 'bloomery create --variant "
              + DefaultVariants.REMOVABLE
              + "'");
    }
  }

  /** Returns how its keys are read. */
  InputFormat format() {
    return format;
  }

  /**
   * Adds every line of a batch.
   *
   * @throws Failure if there is no room; the file stays as it is
   */
  void add(LineBatch batch) throws Failure {
    try {
      added += filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterFullException e) {
      // A batch says how far it came, but what is not saved has not begun.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw Failure.usage(path + " was not saved: " + reason.getMessage());
    }
    lines += batch.size();
  }

  /** Removes every line of a batch, and returns how many were there. */
  int remove(LineBatch batch) {
    RemovableFilter removable = (RemovableFilter) filter;
    int removed = 0;
    for (int i = 0; i < batch.size(); i++) {
      removed += removable.remove(batch.hashes()[i]) ? 1 : 0;
    }
    return removed;
  }

  /** Finds the lines of a batch that might be contained, as {@link Filter#select} does. */
  int select(LineBatch batch, int[] hits) {
    return filter.select(batch.hashes(), 0, batch.size(), hits);
  }

  /** Replaces the file as a whole. */
  void save() throws Failure {
    try {
      Interruption.reaches(() -> Bloomery.save(filter, path));
    } catch (ClosedByInterruptException e) {
      throw Failure.interrupted();
    } catch (IOException e) {
      throw Failure.saving(path, e);
    }
  }

  /**
   * Says how many lines were added, as JSON or in words with {@code more} about the filter, and
   * whether they fit.
   */
  void report(Session session, boolean json, String more) throws IOException {
    FilterStats stats = filter.stats();
    if (json) {
      Json.print(session, out -> write(out, stats));
    } else {
      session.say("%s: %,d lines added, at least %,d new%s", path, lines, added, more);
    }
    warnIfOverfull(session, stats);
  }

  private void write(JsonGenerator out, FilterStats stats) throws IOException {
    out.writeStartObject();
    out.writeStringField("file", path.toString());
    out.writeStringField("variant", filter.variant());
    out.writeNumberField("lines", lines);
    out.writeNumberField("new", added);
    out.writeNumberField("expectedKeys", filter.spec().expectedKeys());
    out.writeNumberField("targetRate", filter.spec().falsePositiveRate());
    out.writeNumberField("estimatedRate", stats.falsePositiveRate());
    out.writeNumberField("sizeInBytes", Bloomery.serializedSize(filter));
    out.writeEndObject();
  }

  private void warnIfOverfull(Session session, FilterStats stats) {
    FilterSpec spec = filter.spec();
    if (stats.falsePositiveRate() > spec.falsePositiveRate() && holdsMoreThan(spec, stats)) {
      session.warn(
          "%s expects %,d keys but holds %s, so its false-positive rate is now %.3g"
              + " instead of %s; create a larger one",
          path,
          spec.expectedKeys(),
          stats.approximateKeys().isEmpty()
              ? "more than can be told"
              : String.format(Locale.ROOT, "about %,d", stats.approximateKeys().getAsLong()),
          stats.falsePositiveRate(),
          spec.falsePositiveRate());
    }
  }

  /**
   * Returns whether there are certainly more keys than expected. The estimate for just as many is
   * above them every other time, but hardly ever by four times the root of their number.
   */
  static boolean holdsMoreThan(FilterSpec spec, FilterStats stats) {
    double expected = spec.expectedKeys();
    double estimate = stats.approximateKeys().orElse(Long.MAX_VALUE);
    return estimate > expected + 4 * Math.sqrt(expected);
  }
}
