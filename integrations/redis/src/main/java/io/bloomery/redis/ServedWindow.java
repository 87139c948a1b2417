package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

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
   * @param setBits the bits that are set in those cells that were asked for
   */
  record State(long millisLeft, List<Long> taken, List<Long> unknown, List<Long> setBits) {}

  private static final byte YES = '1';

  /** The most cells whose bits are counted, by as many in a script as a batch has keys. */
  private static final int COUNTED = 16 * 1024;

  private static final int CELL_RECORD = 2 * Integer.BYTES;

  private final WindowRecord record;
  private final Calls calls;
  private final Calls.Wait wait;
  private final List<byte[]> keys;
  private final byte[] lengths;
  private final byte[] kind;

  ServedWindow(WindowRecord record, Calls calls, Calls.Wait wait) {
    Cells cells = record.cells();
    this.record = record;
    this.calls = calls;
    this.wait = wait;
    this.keys = record.name().keys(record.parts());
    this.lengths = packed(IntStream.range(0, record.parts()).map(part -> (int) cells.bytes(part)));
    this.kind = Script.ascii(cells.chunks().kind());
  }

  WindowRecord record() {
    return record;
  }

  private static byte[] packed(IntStream numbers) {
    int[] all = numbers.toArray();
    ByteBuffer packed =
        ByteBuffer.allocate(all.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    packed.asIntBuffer().put(all);
    return packed.array();
  }

  private Calls.Call call(Mode mode, IntStream parts, int size, byte[] records) {
    return new Calls.Call(
        Script.WINDOW,
        keys,
        List.of(
            record.id(),
            lengths,
            mode.word(),
            packed(parts),
            kind,
            Script.ascii(Integer.toString(size)),
            records));
  }

  /**
   * Puts or queries hashes, in this order, in one round trip; puts in one for each script.
   *
   * @return for each hash whether it was new, or might be remembered
   */
  CompletableFuture<boolean[]> start(Mode mode, long[] hashes, boolean async) {
    if (hashes.length == 0) {
      return CompletableFuture.completedFuture(new boolean[0]);
    }
    Cells cells = record.cells();
    int size = cells.recordSize();
    List<Calls.Call> scripts = new ArrayList<>();
    for (int from = 0; from < hashes.length; from += Batch.MAX_PART) {
      int to = Math.min(from + Batch.MAX_PART, hashes.length);
      ByteBuffer records = ByteBuffer.allocate((to - from) * size).order(ByteOrder.LITTLE_ENDIAN);
      BitSet chunks = new BitSet();
      for (int i = from; i < to; i++) {
        int chunk = cells.chunks().chunk(hashes[i]);
        chunks.set(chunk);
        cells.putRecord(hashes[i], chunk, records);
      }
      scripts.add(call(mode, cells.parts(chunks), size, records.array()));
    }
    CompletableFuture<List<Object>> all =
        mode == Mode.QUERY ? calls.start(scripts, Calls.Wait.NONE, async) : inOrder(scripts, async);
    return all.thenApply(replies -> answers(replies, hashes.length));
  }

  /**
   * Runs each script when the one before has replied. Of several that are sent together, one that a
   * server refuses for now, as it does not know it or moves its slot, would come after the later
   * ones, and so would the age of its keys.
   */
  private CompletableFuture<List<Object>> inOrder(List<Calls.Call> scripts, boolean async) {
    List<Object> replies = new ArrayList<>();
    if (!async) {
      scripts.forEach(script -> replies.addAll(calls.run(List.of(script), wait)));
      return CompletableFuture.completedFuture(replies);
    }
    CompletableFuture<Boolean> last = CompletableFuture.completedFuture(true);
    for (Calls.Call script : scripts) {
      last =
          last.thenCompose(
              done -> calls.start(List.of(script), wait, true).thenApply(replies::addAll));
    }
    return last.thenApply(done -> replies);
  }

  /**
   * Makes the parts of a new window, each in a script of its own, since a server answers nobody
   * else until a script ends. Those that cannot be made now, the first put into them makes.
   */
  void makeParts() {
    Cells cells = record.cells();
    int parts = cells.isWhole() ? 0 : record.parts();
    try {
      for (int part = 0; part < parts; part++) {
        calls.run(call(Mode.PUT, IntStream.of(part), cells.recordSize(), new byte[0]));
      }
    } catch (FilterUnavailableException e) {
      // The window is there; whoever uses it is told the reason, if that lasts.
    }
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
    return state(new byte[0]);
  }

  /** Returns the state, with the bits that are set in all parts, estimated if they are large. */
  State measured() {
    Cells cells = record.cells();
    int counted = (int) Math.min(COUNTED, cells.count());
    long[] bits = new long[WindowName.GENERATIONS];
    State state = state();
    for (int from = 0; from < counted; from += Batch.MAX_PART) {
      int to = Math.min(from + Batch.MAX_PART, counted);
      ByteBuffer records =
          ByteBuffer.allocate((to - from) * CELL_RECORD).order(ByteOrder.LITTLE_ENDIAN);
      for (int i = from; i < to; i++) {
        cells.putCell(i * cells.count() / counted, records);
      }
      state = state(records.array());
      for (int age = 0; age < bits.length; age++) {
        bits[age] += state.setBits().get(age);
      }
    }
    double each = (double) cells.count() / counted;
    return new State(
        state.millisLeft(),
        state.taken(),
        state.unknown(),
        LongStream.of(bits).map(sum -> Math.round(sum * each)).boxed().toList());
  }

  private State state(byte[] records) {
    Object reply =
        calls.run(call(Mode.STATE, IntStream.range(0, record.parts()), CELL_RECORD, records));
    if (!(reply instanceof List<?> numbers) || numbers.size() != 1 + 3 * WindowName.GENERATIONS) {
      throw refused(reply);
    }
    return new State((Long) numbers.get(0), each(numbers, 1), each(numbers, 2), each(numbers, 3));
  }

  private static List<Long> each(List<?> numbers, int from) {
    return IntStream.range(0, WindowName.GENERATIONS)
        .mapToObj(age -> (Long) numbers.get(from + 3 * age))
        .toList();
  }

  private FilterUnavailableException refused(Object reply) {
    List<?> refusal = reply instanceof List<?> list && !list.isEmpty() ? list : List.of("");
    String found = refusal.size() > 1 ? text(refusal.get(1)) : "";
    WindowName name = record.name();
    return switch (text(refusal.get(0))) {
      case "M" -> WindowRecord.none(name);
      case "D" ->
          WindowRecord.damaged(
              name,
              refusal.size() > 2 && refusal.get(2) instanceof byte[] value
                  ? found + ", but is " + RecordFields.shown(value)
                  : found);
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
      case "G" ->
          unusable(
              found, "is of another window, or of another generation than its record: one is old");
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
