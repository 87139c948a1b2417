package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/** A window as it is on a server, and what is asked of it: each answer is that of one script. */
final class ServedWindow {

  /** What is done with keys. */
  enum Mode {
    QUERY,
    PUT,
    ABSENT,
    STATE;

    private byte[] word() {
      return Script.ascii(name().toLowerCase(Locale.ROOT));
    }
  }

  /**
   * What a server has of a window, by generations, the youngest first.
   *
   * @param millisLeft how long the window is kept
   * @param taken the distinct keys put into each
   * @param unknown those of them that no generation remembered
   * @param setBits the bits that are set in those parts that were asked for
   */
  record State(long millisLeft, List<Long> taken, List<Long> unknown, List<Long> setBits) {}

  private static final byte YES = '1';

  private final WindowRecord record;
  private final Calls calls;
  private final Calls.Wait wait;
  private final List<byte[]> keys;
  private final byte[] parts;
  private final byte[] lengths;
  private final byte[] kind;

  ServedWindow(WindowRecord record, Calls calls, Calls.Wait wait) {
    Chunks chunks = record.chunks();
    this.record = record;
    this.calls = calls;
    this.wait = wait;
    this.keys = record.name().keys(chunks.count());
    this.parts = Script.ascii(Integer.toString(chunks.count()));
    ByteBuffer packed =
        ByteBuffer.allocate(chunks.count() * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int part = 0; part < chunks.count(); part++) {
      packed.putInt((int) chunks.bytes(part));
    }
    this.lengths = packed.array();
    this.kind = Script.ascii(chunks.kind());
  }

  WindowRecord record() {
    return record;
  }

  private Calls.Call call(Mode mode, int size, byte[] records) {
    return new Calls.Call(
        Script.WINDOW,
        keys,
        List.of(
            record.id(),
            parts,
            lengths,
            mode.word(),
            kind,
            Script.ascii(Integer.toString(size)),
            records));
  }

  /**
   * Puts or queries hashes, in this order, in one round trip.
   *
   * @return for each hash whether it was new, or might be remembered
   */
  CompletableFuture<boolean[]> start(Mode mode, long[] hashes, boolean async) {
    if (hashes.length == 0) {
      return CompletableFuture.completedFuture(new boolean[0]);
    }
    Chunks chunks = record.chunks();
    int size = Integer.BYTES + chunks.recordSize();
    List<Calls.Call> scripts = new ArrayList<>();
    for (int from = 0; from < hashes.length; from += Batch.MAX_PART) {
      int to = Math.min(from + Batch.MAX_PART, hashes.length);
      ByteBuffer records = ByteBuffer.allocate((to - from) * size).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = from; i < to; i++) {
        int part = chunks.chunk(hashes[i]);
        records.putInt(part);
        chunks.putRecord(hashes[i], part, records);
      }
      scripts.add(call(mode, size, records.array()));
    }
    return calls
        .start(scripts, mode == Mode.QUERY ? Calls.Wait.NONE : wait, async)
        .thenApply(replies -> answers(replies, hashes.length));
  }

  private boolean[] answers(List<Object> replies, int count) {
    boolean[] answers = new boolean[count];
    int at = 0;
    for (Object reply : replies) {
      int size = Math.min(Batch.MAX_PART, count - at);
      if (!(reply instanceof byte[] found) || found.length != size) {
        throw refused(reply);
      }
      for (byte answer : found) {
        answers[at++] = answer == YES;
      }
    }
    return answers;
  }

  /** Checks all parts, and returns the state. */
  State state() {
    return state(IntStream.range(0, record.chunks().count()).toArray());
  }

  /** Returns the state, with the bits that are set in all parts. */
  State measured() {
    List<State> states =
        IntStream.range(0, record.chunks().count()).mapToObj(part -> state(part)).toList();
    State last = states.get(states.size() - 1);
    return new State(
        last.millisLeft(),
        last.taken(),
        last.unknown(),
        IntStream.range(0, WindowName.SLOTS)
            .mapToObj(age -> states.stream().mapToLong(state -> state.setBits().get(age)).sum())
            .toList());
  }

  private State state(int... asked) {
    ByteBuffer records =
        ByteBuffer.allocate(asked.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int part : asked) {
      records.putInt(part);
    }
    Object reply = calls.run(call(Mode.STATE, Integer.BYTES, records.array()));
    if (!(reply instanceof List<?> numbers) || numbers.size() != 1 + 3 * WindowName.SLOTS) {
      throw refused(reply);
    }
    return new State((Long) numbers.get(0), each(numbers, 1), each(numbers, 2), each(numbers, 3));
  }

  private static List<Long> each(List<?> numbers, int from) {
    return IntStream.range(0, WindowName.SLOTS)
        .mapToObj(age -> (Long) numbers.get(from + 3 * age))
        .toList();
  }

  private FilterUnavailableException refused(Object reply) {
    List<?> refusal = reply instanceof List<?> list && !list.isEmpty() ? list : List.of("");
    String found = refusal.size() > 1 ? text(refusal.get(1)) : "";
    WindowName name = record.name();
    return switch (text(refusal.get(0))) {
      case "M" -> WindowRecord.none(name);
      case "D" -> WindowRecord.damaged(name, found);
      case "I" ->
          new FilterUnavailableException(
              "cannot answer: window '"
                  + name
                  + "' was deleted and made anew, as Redis key "
                  + name.recordKeyText()
                  + " says; open it again");
      case "P" -> otherPrimary(found);
      case "L" -> unusable(found, "is missing: it was deleted or evicted");
      case "X" -> unusable(found, "is there, but by the record it must not be: one of both is old");
      case "O" -> unusable(found, "is of a later generation than the record has, which is old");
      case "G" -> unusable(found, "is none of this generation of the window");
      case "S" ->
          unusable(found, "must be as long as its window says, but has " + text(refusal.get(2)));
      default ->
          new FilterUnavailableException(
              "cannot answer: Redis must answer for each key of window '"
                  + name
                  + "', but did not; use servers and clients of one version");
    };
  }

  private FilterUnavailableException unusable(String key, String problem) {
    return new FilterUnavailableException(
        "cannot answer: Redis key "
            + key
            + " "
            + problem
            + "; delete window '"
            + record.name()
            + "' and create it, which then remembers nothing");
  }

  private FilterUnavailableException otherPrimary(String found) {
    WindowName name = record.name();
    if (found.startsWith("slave")) {
      return Faults.replica(calls.link().node(name.recordKey()));
    }
    return new FilterUnavailableException(
        "cannot answer: the Redis server that has key "
            + name.recordKeyText()
            + " is none that window '"
            + name
            + "' was accepted on, but a "
            + found
            + ": it was restarted or promoted, and may lack what was put last; accept it if that"
            + " may be forgotten, or delete the window and create it");
  }

  private static String text(Object reply) {
    return reply instanceof byte[] bytes
        ? new String(bytes, StandardCharsets.US_ASCII)
        : String.valueOf(reply);
  }
}
