package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A batch of puts or queries: one script for the hashes of a chunk, one round trip for all scripts
 * of a node.
 */
final class Batch {

  /** The largest number of hashes in one script, which limits the time that other clients wait. */
  static final int MAX_PART = 1000;

  private static final byte YES = '1';

  /** The hashes of one chunk, as indices. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(int chunk, int[] indices) {}

  private final Served served;
  private final Calls.Wait wait;
  private final boolean put;
  private final boolean async;
  private final long[] hashes;
  private final byte[] answers;
  private final Refusals unexplained = new Refusals();

  /**
   * Creates a batch of hashes, which must not be changed until it is complete.
   *
   * @param put true for puts, false for queries
   * @param async whether no thread waits for the result
   */
  Batch(Served served, Calls.Wait wait, boolean put, boolean async, long[] hashes) {
    this.served = served;
    this.wait = put ? wait : Calls.Wait.NONE;
    this.put = put;
    this.async = async;
    this.hashes = hashes;
    this.answers = new byte[hashes.length];
  }

  /** Runs the batch: the result has for each hash whether it was new, or might be contained. */
  CompletableFuture<boolean[]> start() {
    return served
        .alive(async)
        .thenCompose(alive -> round(parts(), 0))
        .thenCompose(done -> put ? served.renewed(async) : CompletableFuture.completedFuture(null))
        .thenApply(
            done -> {
              boolean[] result = new boolean[answers.length];
              for (int i = 0; i < result.length; i++) {
                result[i] = answers[i] == YES;
              }
              return result;
            });
  }

  private List<Part> parts() {
    Chunks chunks = served.chunk(0).current().chunks();
    int[] chunkOf = new int[hashes.length];
    int[] sizes = new int[served.count()];
    for (int i = 0; i < hashes.length; i++) {
      chunkOf[i] = chunks.chunk(hashes[i]);
      sizes[chunkOf[i]]++;
    }
    int[][] byChunk = new int[sizes.length][];
    int[] filled = new int[sizes.length];
    for (int i = 0; i < hashes.length; i++) {
      int chunk = chunkOf[i];
      if (byChunk[chunk] == null) {
        byChunk[chunk] = new int[sizes[chunk]];
      }
      byChunk[chunk][filled[chunk]++] = i;
    }
    List<Part> parts = new ArrayList<>();
    for (int chunk = 0; chunk < byChunk.length; chunk++) {
      for (int from = 0; from < sizes[chunk]; from += MAX_PART) {
        int to = Math.min(from + MAX_PART, sizes[chunk]);
        parts.add(new Part(chunk, java.util.Arrays.copyOfRange(byChunk[chunk], from, to)));
      }
    }
    return parts;
  }

  private CompletableFuture<Void> round(List<Part> parts, int attempt) {
    if (parts.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    List<Calls.Call> calls;
    try {
      served.checkAttempt(attempt);
      calls = parts.stream().map(this::call).toList();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
    return served
        .calls()
        .start(calls, wait, async)
        .thenCompose(replies -> receive(parts, replies, attempt));
  }

  private Calls.Call call(Part part) {
    Served.Chunk chunk = served.chunk(part.chunk());
    Generation current = chunk.current();
    List<byte[]> keys = new ArrayList<>();
    keys.add(served.name().chunkKey(part.chunk()));
    List<byte[]> arguments = new ArrayList<>();
    addTarget(current, part, arguments);
    if (!put) {
      return new Calls.Call(Script.QUERY, keys, arguments);
    }
    if (current.sealed()) {
      throw new IllegalStateException(
          "filter '"
              + served.name()
              + "' is sealed, so that nothing can be put into it; rebuild it with the keys to add");
    }
    keys.add(served.name().nextKey(part.chunk()));
    if (chunk.next() == null) {
      arguments.add(new byte[0]);
      arguments.add(new byte[0]);
    } else {
      addTarget(chunk.next(), part, arguments);
    }
    return new Calls.Call(Script.PUT, keys, arguments);
  }

  private void addTarget(Generation generation, Part part, List<byte[]> arguments) {
    arguments.addAll(Served.fence(generation, part.chunk()));
    arguments.add(Script.ascii(generation.chunks().kind()));
    arguments.add(records(generation, part.chunk(), hashes, part.indices()));
  }

  static byte[] records(Generation generation, int chunk, long[] hashes, int[] indices) {
    Chunks chunks = generation.chunks();
    ByteBuffer records =
        ByteBuffer.allocate(indices.length * chunks.recordSize()).order(ByteOrder.LITTLE_ENDIAN);
    for (int index : indices) {
      chunks.putRecord(hashes[index], chunk, records);
    }
    return records.array();
  }

  private CompletableFuture<Void> receive(List<Part> parts, List<Object> replies, int attempt) {
    List<Part> again = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (replies.get(i) instanceof byte[] found && found.length == part.indices().length) {
        for (int j = 0; j < found.length; j++) {
          answers[part.indices()[j]] = found[j];
        }
      } else if (replies.get(i) instanceof List<?> refusal) {
        // "O": they were put into the next generation, and it is not known whether they are new.
        if (refusal.get(0) instanceof byte[] code && code.length == 1 && code[0] == 'O') {
          continue;
        }
        served.learn(part.chunk(), refusal, unexplained);
        again.add(part);
      } else {
        throw new FilterUnavailableException(
            "cannot answer: Redis must answer for "
                + part.indices().length
                + " hashes, but did not, of key "
                + served.name().chunkKeyText(part.chunk()));
      }
    }
    if (!unexplained.needRecord()) {
      return round(again, attempt + 1);
    }
    return served
        .refresh(async, unexplained.missing())
        .thenCompose(
            done -> {
              unexplained.recordIsRead();
              return round(again, attempt + 1);
            });
  }
}
