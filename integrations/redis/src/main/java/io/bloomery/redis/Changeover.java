package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.util.ArrayList;
import java.util.List;

/**
 * The change of a filter to its next generation, or to its first: chunk by chunk, each in one step,
 * and then the record. Once it has begun, anybody may complete it: no chunk is changed before all
 * of the next generation were seen to be there.
 */
final class Changeover {
  // decisions.md#anybody-completes-a-change-of-generations-that-was-broken-off

  private static final byte[] TRY = Script.ascii("try");

  private final Name name;
  private final Calls calls;
  private final Generation next;

  Changeover(Name name, Calls calls, Generation next) {
    this.name = name;
    this.calls = calls;
    this.next = next;
  }

  /**
   * Checks that the next generation is complete, and still to be.
   *
   * @throws FilterUnavailableException if it is not
   */
  void check() {
    List<Calls.Call> asked = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      asked.add(swap(chunk, List.of(TRY)));
    }
    asked.add(FilterRecord.readCall(name));
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    List<?> fields = (List<?>) replies.remove(replies.size() - 1);
    checkChunks(replies);
    if (fields.isEmpty()) {
      throw superseded();
    }
    FilterRecord record = FilterRecord.of(name, fields);
    boolean isNext = record.next() != null && record.next().is(next);
    boolean isServing = record.serving() != null && record.serving().is(next);
    if (!isNext && !isServing) {
      throw superseded();
    }
  }

  private void checkChunks(List<Object> replies) {
    GenerationWords words = new GenerationWords(name, calls, next, Name.Role.NEXT);
    for (int chunk = 0; chunk < replies.size(); chunk++) {
      words.check(chunk, replies.get(chunk));
    }
  }

  private Calls.Call swap(int chunk, List<byte[]> more) {
    List<byte[]> arguments = Served.fence(next, chunk);
    arguments.addAll(more);
    return new Calls.Call(
        Script.SWAP, List.of(name.chunkKey(chunk), name.nextKey(chunk)), arguments);
  }

  /**
   * Does it, which {@link #check} has allowed; what is done already stays so.
   *
   * @throws FilterUnavailableException if a chunk was lost since, or the server does not answer
   */
  void run() {
    List<Calls.Call> swaps = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      swaps.add(swap(chunk, List.of()));
    }
    checkChunks(calls.run(swaps, Calls.Wait.NONE));
    Object done =
        calls.run(
            new Calls.Call(
                Script.FINISH,
                List.of(name.recordKey()),
                List.of(Script.ascii(Long.toString(next.sequence())), next.id())));
    if (!Long.valueOf(1).equals(done)) {
      throw superseded();
    }
  }

  private FilterUnavailableException superseded() {
    return new FilterUnavailableException(
        "generation "
            + next.sequence()
            + " of filter '"
            + name
            + "' is no longer to be, as Redis key "
            + name.recordKeyText()
            + " says: another load or rebuild took its place, or the filter was deleted or lost;"
            + " begin again");
  }

  /**
   * Completes a change that whoever began it did not.
   *
   * @return false if none was begun
   * @throws FilterUnavailableException as for {@link #run}
   */
  boolean complete() {
    List<Calls.Call> asked = new ArrayList<>();
    for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
      asked.add(
          new Calls.Call(Script.PROBE, List.of(name.chunkKey(chunk)), Served.fence(next, chunk)));
    }
    if (!calls.run(asked, Calls.Wait.NONE).contains(1L)) {
      return false;
    }
    run();
    return true;
  }
}
