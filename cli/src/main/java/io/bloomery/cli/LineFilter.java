package io.bloomery.cli;

import com.dynatrace.hash4j.hashing.HashStream64;
import com.dynatrace.hash4j.hashing.Hasher64;
import com.dynatrace.hash4j.hashing.Hashing;
import com.fasterxml.jackson.core.JsonGenerator;
import io.bloomery.Bloomery;
import io.bloomery.Filter;
import io.bloomery.FilterBuilder;
import io.bloomery.FilterFullException;
import io.bloomery.FilterSpec;
import io.bloomery.FilterStats;
import io.bloomery.KeyHasher;
import io.bloomery.RemovableFilter;
import io.bloomery.ThreadMode;
import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A filter whose keys are lines. Lines are hashed as the bytes they are, so that a program which
 * opens the file for strings agrees about every line that is UTF-8.
 */
final class LineFilter {

  private static final KeyHasher<byte[]> HASHER = KeyHasher.utf8Bytes();

  /** What that hasher does, for parts of arrays. */
  private static final Hasher64 XXH3 = Hashing.xxh3_64();

  private final Path path;
  private final Filter filter;
  private long lines;
  private long added;

  private LineFilter(Path path, Filter filter) {
    this.path = path;
    this.filter = filter;
  }

  /** Starts a new filter of lines. */
  static FilterBuilder<byte[]> builder(Bloomery bloomery) {
    return bloomery.<byte[]>keys(HASHER).confined();
  }

  static long hash(byte[] key) {
    return HASHER.hash(key);
  }

  /** Hashes a part of an array, without a copy. */
  static long hash(byte[] bytes, int from, int length) {
    return XXH3.hashBytesToLong(bytes, from, length);
  }

  /** Starts the hash of a key that comes in pieces. */
  static HashStream64 hashStream() {
    return XXH3.hashStream();
  }

  /** Takes a new filter that is to be saved. */
  static LineFilter created(Path path, Filter filter) {
    return new LineFilter(path, filter);
  }

  /**
   * Opens a saved filter.
   *
   * @throws Failure if the file cannot be read, is damaged, or holds keys other than lines
   */
  static LineFilter open(Session session, Path path) throws Failure {
    Filter filter;
    try {
      filter = session.bloomery().open(path, ThreadMode.CONFINED);
    } catch (IOException e) {
      throw Failure.reading(path, e);
    }
    String hashId = filter.spec().hashId();
    if (!hashId.equals(HASHER.id())) {
      throw Failure.file(
          path.toString(),
          "must hold lines, hashed as "
              + HASHER.id()
              + ", but holds keys hashed as "
              + hashId
              + "; use it from a program that has such keys");
    }
    return new LineFilter(path, filter);
  }

  /**
   * Opens a saved filter from which lines can be removed.
   *
   * @throws Failure as for {@link #open}, or if they cannot
   */
  static LineFilter openRemovable(Session session, Path path) throws Failure {
    LineFilter opened = open(session, path);
    if (!(opened.filter instanceof RemovableFilter)) {
      throw Failure.usage(
          path
              + " must be of a variant that can remove, but is '"
              + opened.filter.variant()
              + "'; make it with 'bloomery create --variant counting'");
    }
    return opened;
  }

  /**
   * Puts every line of a batch.
   *
   * @throws Failure if there is no room; the file stays as it is
   */
  void put(LineBatch batch) throws Failure {
    try {
      added += filter.putAll(batch.hashes(), 0, batch.size());
    } catch (FilterFullException e) {
      // A batch says how far it came, but what is not saved has not begun.
      Throwable reason = e.getCause() == null ? e : e.getCause();
      throw Failure.usage(path + " was not saved: " + reason.getMessage());
    }
    lines += batch.size();
  }

  /** Takes back one put of every line of a batch, and returns how many were there. */
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
   * Says how many lines were put, as JSON or in words with {@code more} about the filter, and
   * whether they fit.
   */
  void report(Session session, boolean json, String more) throws IOException {
    FilterStats stats = filter.stats();
    if (json) {
      Json.print(session, out -> write(out, stats));
    } else {
      session.say("%s: %,d lines put, %,d or more of them new%s", path, lines, added, more);
    }
    warnIfOverfull(session, stats);
  }

  private void write(JsonGenerator out, FilterStats stats) throws IOException {
    out.writeStartObject();
    out.writeStringField("file", path.toString());
    out.writeStringField("variant", filter.variant());
    out.writeNumberField("lines", lines);
    out.writeNumberField("new", added);
    out.writeNumberField("keysAsked", filter.spec().expectedKeys());
    out.writeNumberField("rateAsked", filter.spec().falsePositiveRate());
    out.writeNumberField("rateNow", stats.falsePositiveRate());
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
