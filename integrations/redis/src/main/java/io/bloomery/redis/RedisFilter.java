package io.bloomery.redis;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import io.bloomery.internal.Batches;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * A filter whose bits are stored on a Redis server or Cluster and shared by any number of
 * processes. {@link RedisFilters} creates and opens it; {@link io.bloomery.BloomFilter#of} makes it
 * a filter of keys.
 *
 * <p>The guarantees of {@link Filter} hold for the threads of all processes: of concurrent puts of
 * one hash at most one returns true, exactly one if the hash is not a false positive of others, and
 * a put that has returned is visible to every later query. A put whose connection fails may or may
 * not have been applied.
 *
 * <p>It never returns false because of lost data. Each answer is given by a script that checks
 * atomically that the key it reads exists, is complete, and belongs to the expected generation, and
 * that the server is a primary that has had it all the time. Otherwise {@link
 * FilterUnavailableException} names the key.
 *
 * <p>{@link #copy} and {@link #writePayload} have the content of a local filter, equal to the byte.
 * If the table is cut into several chunks, the words at their borders are in two of them: for a
 * hash never put, this filter may then return false where its copy returns true, but never the
 * reverse.
 */
public final class RedisFilter implements Filter {

  private final Served served;
  private final Calls.Wait wait;

  RedisFilter(Served served, Calls.Wait wait) {
    this.served = served;
    this.wait = wait;
  }

  Served served() {
    return served;
  }

  /** Returns the name of this filter. */
  public String name() {
    return served.name().text();
  }

  private boolean[] run(boolean put, long[] hashes) {
    return Calls.join(new Batch(served, wait, put, false, hashes).start());
  }

  private CompletableFuture<boolean[]> start(boolean put, long[] hashes) {
    return new Batch(served, wait, put, true, hashes).start();
  }

  /**
   * {@inheritDoc} During a rebuild of a filter that has lost data, the hash is put into the next
   * generation, and the result is false: it is not known whether the hash is new.
   *
   * @throws FilterUnavailableException if there is no answer; the hash may or may not have been put
   * @throws IllegalStateException if the filter is sealed
   */
  @Override
  public boolean put(long hash) {
    return run(true, new long[] {hash})[0];
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if there is no answer
   */
  @Override
  public boolean mightContain(long hash) {
    return run(false, new long[] {hash})[0];
  }

  /**
   * {@inheritDoc} Takes one round trip to each node that has some of the hashes.
   *
   * @throws FilterUnavailableException if there is no answer for one of them; each may or may not
   *     be in
   */
  @Override
  public int putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    return count(run(true, Arrays.copyOfRange(hashes, from, to)));
  }

  /**
   * {@inheritDoc} Takes one round trip to each node that has some of the hashes.
   *
   * @throws FilterUnavailableException if there is no answer for one of them
   */
  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    boolean[] maybe = run(false, Arrays.copyOfRange(hashes, from, to));
    int found = 0;
    for (int i = 0; i < maybe.length; i++) {
      if (maybe[i]) {
        hits[found++] = from + i;
      }
    }
    return found;
  }

  private static int count(boolean[] answers) {
    int count = 0;
    for (boolean answer : answers) {
      count += answer ? 1 : 0;
    }
    return count;
  }

  /**
   * The same as {@link #put}, without waiting for the server; the future fails with what that
   * throws.
   */
  public CompletableFuture<Boolean> putAsync(long hash) {
    return start(true, new long[] {hash}).thenApply(answers -> answers[0]);
  }

  /** The same as {@link #mightContain}, without waiting for the server. */
  public CompletableFuture<Boolean> mightContainAsync(long hash) {
    return start(false, new long[] {hash}).thenApply(answers -> answers[0]);
  }

  /**
   * Puts hashes without waiting for the server.
   *
   * @return for each hash whether it was new
   */
  public CompletableFuture<boolean[]> putAllAsync(long... hashes) {
    return start(true, hashes.clone());
  }

  /**
   * Queries hashes without waiting for the server.
   *
   * @return for each hash whether it might be contained
   */
  public CompletableFuture<boolean[]> mightContainAllAsync(long... hashes) {
    return start(false, hashes.clone());
  }

  /**
   * Returns the number of the current generation, read from the server: it increases with each
   * rebuild.
   *
   * @throws FilterUnavailableException if the filter cannot answer, or a rebuild is just being
   *     committed
   */
  public long generation() {
    return served.verified().sequence();
  }

  /**
   * Rejects puts by all processes from now on, until a rebuild: copies and snapshots of a sealed
   * filter are equivalent to it.
   *
   * @throws FilterUnavailableException if the filter cannot answer
   */
  public void seal() {
    served.onEachChunk(
        Script.SEAL,
        (script, chunk, at) -> {
          List<byte[]> arguments = Served.fence(at.current(), chunk);
          arguments.add(at.current().asSealed().prefix(chunk));
          return new Calls.Call(script, List.of(served.name().chunkKey(chunk)), arguments);
        });
    // Updates the known state of the chunks.
    served.verified();
  }

  /** Returns whether the filter is sealed, read from the server. */
  public boolean isSealed() {
    return served.verified().sealed();
  }

  @Override
  public FilterSpec spec() {
    return served.current().header().spec();
  }

  @Override
  public FilterLimits limits() {
    return FilterLimits.HEAP;
  }

  @Override
  public String variant() {
    return served.current().header().variant();
  }

  /** {@inheritDoc} A rebuild may change it. */
  @Override
  public FilterLayout layout() {
    return served.current().header().layout();
  }

  @Override
  public FilterDescription description() {
    return describe(served.count());
  }

  /** Describes a filter with a number of chunks. */
  static FilterDescription describe(int chunks) {
    return FilterDescription.of("bits on a Redis server", "1 round trip")
        .part("chunks", chunks, "keys that the bits are cut into");
  }

  /** {@inheritDoc} Reads the whole filter from the server into the memory of this process. */
  @Override
  public FilterStats stats() {
    return copy().stats();
  }

  /** {@inheritDoc} The copy is local, in the memory of this process. */
  @Override
  public Filter copy() {
    return copy(served.verified());
  }

  Filter copy(Generation generation) {
    try {
      return FilterProviders.installed()
          .get(generation.header().variant())
          .read(
              generation.header().spec(),
              generation.header().layout(),
              words(generation).input(),
              ThreadMode.SHARED,
              FilterLimits.HEAP);
    } catch (IOException e) {
      throw new UncheckedIOException("filter '" + name() + "' cannot be copied", e);
    }
  }

  private GenerationWords words(Generation generation) {
    return new GenerationWords(served.name(), served.calls(), generation, Name.Role.CURRENT);
  }

  @Override
  public void clear() {
    served.onEachChunk(
        Script.CLEAR,
        (script, chunk, at) ->
            new Calls.Call(
                script,
                List.of(served.name().chunkKey(chunk), served.name().nextKey(chunk)),
                Served.fence(at.current(), chunk)));
  }

  @Override
  public long payloadSize() {
    return served.current().header().payloadSize();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if the filter cannot answer, or another generation replaces
   *     it while it is written
   */
  @Override
  public void writePayload(PayloadOutput out) throws IOException {
    Generation generation = served.verified();
    out.begin(generation.header().payloadSize());
    words(generation).writeTo(out);
  }

  @Override
  public String toString() {
    return variant() + layout() + " for " + spec() + " on Redis as '" + name() + "'";
  }
}
