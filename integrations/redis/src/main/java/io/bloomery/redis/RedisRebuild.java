package io.bloomery.redis;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * The next generation of a filter, while it is filled beside the one that serves: put all keys that
 * are to be in it, then {@link #commit}. What is put into the filter meanwhile goes into both.
 *
 * <p>Begin, then wait until every write that began before has ended, and only then read the keys of
 * the source: a key that was put before and is written to the source after that would be in
 * neither.
 *
 * <p>Any number of threads may put. One that is closed before it is committed is dropped. If this
 * process ends, what it has made stays until the next rebuild takes its place.
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

  /** Returns the number of the generation that is filled. */
  public long generation() {
    return next.sequence();
  }

  /**
   * Puts {@code hashes[from]} to {@code hashes[to - 1]}.
   *
   * @throws FilterUnavailableException if the next generation is gone, or another rebuild has taken
   *     its place
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
   * Adds the content of a filter of its layout. What others put meanwhile stays.
   *
   * @throws IllegalArgumentException if its layout is another
   * @throws FilterUnavailableException as for {@link #putAll}
   * @throws IOException if it cannot be read
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
    // Beside it first: words that are set would lose what was put since they were read.
    GenerationWords loaded = new GenerationWords(name, calls, next, Name.Role.LOAD);
    loaded.makeChunks();
    content.writePayload(loaded.output());
    new GenerationWords(name, calls, next, Name.Role.NEXT).add(Name.Role.LOAD);
  }

  /**
   * Lets the next generation serve: chunk by chunk, each in one step, so that every question finds
   * the one or the other. Others who have the filter open learn of it by their next call.
   *
   * @throws FilterUnavailableException if it is not whole, since a key of it was lost or another
   *     rebuild has taken its place; what serves goes on, but where the loss came in the midst of
   *     this, some chunks may be of the new generation, each as right as before
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

  /** Drops the next generation, if it was not committed. */
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
