package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.util.ArrayList;
import java.util.List;

/**
 * The change of a filter to its next generation, or to its first: chunk by chunk, each in one step,
 * and then the record. Once it has begun, anybody may complete it: no chunk is changed before all
 * of the next generation were seen to be there, and going back could lose what was put since.
 */
final class Changeover {
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
   * @return the time of the server that has the record; 0 if no generation has a life
   * @throws FilterUnavailableException if it is not
   */
  long check() {
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
    return record.now();
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
   * @param now what {@link #check} has returned
   * @throws FilterUnavailableException if a chunk was lost since, or the server does not answer
   */
  void run(long now) {
    if (now > 0) { // the record must not expire before this is done
      onRecord(Script.RENEW, Long.toString(now + Life.GRACE_MILLIS));
    }
    Deadline swapped;
    long end = 0;
    do {
      swapped = Deadline.in(Life.GRACE_MILLIS / 2);
      List<Calls.Call> swaps = new ArrayList<>();
      for (int chunk = 0; chunk < next.chunks().count(); chunk++) {
        swaps.add(swap(chunk, List.of(Script.ascii(next.life().ofChunk()))));
      }
      checkChunks(calls.run(swaps, Calls.Wait.NONE));
      if (!next.life().isEndless()) {
        FilterRecord record = FilterRecord.find(name, calls);
        if (record == null) {
          throw superseded();
        }
        end = record.now() + next.life().millis();
      }
    } while (swapped.left() <= 0); // again, or the record might outlive the chunks
    onRecord(Script.FINISH, Long.toString(end));
  }

  private void onRecord(Script script, String end) {
    Object done =
        calls.run(
            new Calls.Call(
                script,
                List.of(name.recordKey()),
                List.of(
                    Script.ascii(Long.toString(next.sequence())), next.id(), Script.ascii(end))));
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
            + " says: another load or rebuild took its place, or the filter was deleted or lost or its life has"
            + " ended;"
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
    asked.add(FilterRecord.readCall(name));
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    List<?> fields = (List<?>) replies.remove(replies.size() - 1);
    if (!replies.contains(1L)) {
      return false;
    }
    run(FilterRecord.of(name, fields).now());
    return true;
  }
}
