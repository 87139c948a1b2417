package io.bloomery.redis;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * A rebuild of a filter: its next generation, filled beside the current one. Put all its keys, then
 * {@link #commit}. Keys put into the filter meanwhile go into both.
 *
 * <p>Begin the rebuild, then wait until every write that began before has ended, and only then read
 * the keys from the source: a key put before and written to the source after that would be missing
 * from the next generation.
 *
 * <p>Any number of threads may put. A rebuild closed before it is committed is dropped. If this
 * process ends, its data remains until the next rebuild replaces it.
 */
public final class RedisRebuild implements AutoCloseable {

  private static final byte[] TRY = Script.ascii("try");

  private final Name name;
  private final Calls calls;
  private final Generation next;
  private boolean open = true;

  RedisRebuild(Name name, Calls calls, Generation next) {
    this.name = name;
    this.calls = calls;
    this.next = next;
  }

  /** Returns the number of the next generation. */
  public long generation() {
    return next.sequence();
  }

  /**
   * Puts {@code hashes[from]} to {@code hashes[to - 1]}.
   *
   * @throws FilterUnavailableException if the next generation is gone, or another rebuild has
   *     replaced it
   */
  public void putAll(long[] hashes, int from, int to) {
    Objects.checkFromToIndex(from, to, hashes.length);
    int[][] byChunk = new int[next.chunks().count()][0];
    int[] sizes = new int[byChunk.length];
    for (int i = from; i < to; i++) {
      int chunk = next.chunks().chunk(hashes[i]);
      if (sizes[chunk] == byChunk[chunk].length) {
        byChunk[chunk] = Arrays.copyOf(byChunk[chunk], Math.max(16, 2 * sizes[chunk]));
      }
      byChunk[chunk][sizes[chunk]++] = i;
    }
    List<Calls.Call> asked = new ArrayList<>();
    List<Integer> chunks = new ArrayList<>();
    for (int chunk = 0; chunk < byChunk.length; chunk++) {
      for (int at = 0; at < sizes[chunk]; at += Batch.MAX_PART) {
        int[] part =
            Arrays.copyOfRange(byChunk[chunk], at, Math.min(at + Batch.MAX_PART, sizes[chunk]));
        List<byte[]> arguments = Served.fence(next, chunk);
        arguments.add(Script.ascii(next.chunks().kind()));
        arguments.add(Batch.records(next, chunk, hashes, part));
        asked.add(new Calls.Call(Script.PUT, List.of(name.nextKey(chunk)), arguments));
        chunks.add(chunk);
      }
    }
    check(chunks, calls.run(asked, Calls.Wait.NONE));
  }

  private void check(List<Integer> chunks, List<Object> replies) {
    for (int i = 0; i < replies.size(); i++) {
      if (replies.get(i) instanceof List<?>) {
        throw new GenerationWords(name, calls, next, Name.Role.NEXT)
            .changed(chunks.get(i), replies.get(i));
      }
    }
  }

  /**
   * Adds the content of a filter with the same layout. Concurrent puts are kept.
   *
   * @throws IllegalArgumentException if the layout differs
   * @throws FilterUnavailableException as for {@link #putAll}
   * @throws IOException if the content cannot be read
   */
  public void load(Filter content) throws IOException {
    if (!content.variant().equals(next.header().variant())
        || !content.layout().equals(next.header().layout())) {
      throw new IllegalArgumentException(
          "content must have the layout of "
              + next.header()
              + ", but is of "
              + content.variant()
              + content.layout());
    }
    // To separate keys first: overwriting words would lose bits put since they were read.
    GenerationWords loaded = new GenerationWords(name, calls, next, Name.Role.LOAD);
    loaded.makeChunks();
    content.writePayload(loaded.output());
    new GenerationWords(name, calls, next, Name.Role.NEXT).add(Name.Role.LOAD);
  }

  /**
   * Replaces the current generation by the next one: chunk by chunk, each atomically, so that every
   * query reads one or the other. Other processes with the filter open detect it in their next
   * call.
   *
   * @throws FilterUnavailableException if the next generation is incomplete, since a key of it was
   *     lost or another rebuild has replaced it; the filter keeps its current generation, but after
   *     a loss during this call, some chunks may be of the new one, each as correct as before
   */
  public void commit() {
    if (!open) {
      throw new IllegalStateException("a rebuild must be open to be committed, but was closed");
    }
    List<Calls.Call> probes = new ArrayList<>();
    List<Calls.Call> swaps = new ArrayList<>();
    List<Integer> chunks = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      List<byte[]> keys = List.of(name.chunkKey(chunk), name.nextKey(chunk));
      List<byte[]> fence = Served.fence(next, chunk);
      swaps.add(new Calls.Call(Script.SWAP, keys, fence));
      List<byte[]> trial = Served.fence(next, chunk);
      trial.add(TRY);
      probes.add(new Calls.Call(Script.SWAP, keys, trial));
      chunks.add(chunk);
    }
    check(chunks, calls.run(probes, Calls.Wait.NONE));
    check(chunks, calls.run(swaps, Calls.Wait.NONE));
    open = false;
    calls.run(
        new Calls.Call(
            Script.FINISH,
            List.of(name.recordKey()),
            List.of(Script.ascii(Long.toString(next.sequence())))));
  }

  /** Drops the next generation if it was not committed. */
  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    List<Calls.Call> drops = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      for (Name.Role role : List.of(Name.Role.NEXT, Name.Role.LOAD)) {
        drops.add(
            new Calls.Call(
                Script.DROP_NEXT,
                List.of(name.chunkKey(chunk, role)),
                List.of(next.prefix(chunk))));
      }
    }
    calls.run(drops, Calls.Wait.NONE);
    calls.run(
        new Calls.Call(
            Script.CANCEL,
            List.of(name.recordKey()),
            List.of(Script.ascii(Long.toString(next.sequence())))));
  }
}
