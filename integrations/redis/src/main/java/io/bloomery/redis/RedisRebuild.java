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
 * from the next generation. While there is no current generation, since the filter is new or has
 * lost its record, puts into the filter throw until this is committed, and must be repeated then.
 *
 * <p>Any number of threads may put. A rebuild closed before {@link #commit} has begun is dropped.
 * If this process ends before, its data remains on the server, unused, until the next rebuild, load
 * or deletion of the filter; if it ends during the commit, whoever opens or rebuilds the filter
 * next completes that.
 */
public final class RedisRebuild implements AutoCloseable {

  private final Name name;
  private final Calls calls;
  private final Generation next;
  private boolean committing;
  private boolean closed;

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
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    for (int i = 0; i < replies.size(); i++) {
      words().check(chunks.get(i), replies.get(i));
    }
  }

  private GenerationWords words() {
    return new GenerationWords(name, calls, next, Name.Role.NEXT);
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
    content.writePayload(words().output());
  }

  /**
   * Replaces the current generation by the next one: chunk by chunk, each atomically, so that every
   * query reads one or the other. Other processes with the filter open detect it in their next
   * call. If there is no current generation, all of the next one begins to serve in one step.
   *
   * @throws FilterUnavailableException if the next generation is incomplete, since a key of it was
   *     lost or another rebuild has replaced it: the filter keeps its current generation. If the
   *     server does not answer, or loses a key during this call, some chunks may be of the new
   *     generation, each as correct as before, and this may be called again
   */
  public void commit() {
    if (closed) {
      throw new IllegalStateException("a rebuild must be open to be committed, but was closed");
    }
    Changeover changeover = new Changeover(name, calls, next);
    long now = changeover.check();
    committing = true;
    changeover.run(now);
    closed = true;
  }

  /**
   * Drops the next generation, unless {@link #commit} has begun to make it current; that is not
   * undone.
   */
  @Override
  public void close() {
    if (closed || committing) {
      return;
    }
    closed = true;
    List<Calls.Call> drops = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      drops.add(
          new Calls.Call(
              Script.DROP_NEXT, List.of(name.nextKey(chunk)), List.of(next.prefix(chunk))));
    }
    calls.run(drops, Calls.Wait.NONE);
    calls.run(
        new Calls.Call(
            Script.CANCEL,
            List.of(name.recordKey()),
            List.of(Script.ascii(Long.toString(next.sequence())), next.id())));
  }
}
