package io.bloomery.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * The Redis keys that the chunks of a filter have on the servers, by their sizes, whether or not
 * there is a record of it.
 */
final class StoredKeys {
  // decisions.md#chunks-of-a-lost-filter-are-looked-for-by-all-of-their-16384-names-not-by-scan

  /**
   * The sizes of a chunk and of the one that is to follow it; 0 for what is not there.
   *
   * @param isEnded whether the chunk is of a filter whose life has ended, if its record is missing
   */
  record Sizes(long current, long next, boolean isEnded) {
    long both() {
      return current + next;
    }
  }

  /** How many chunks are asked for in one round trip. */
  private static final int PART = 4096;

  private final Name name;
  private final Calls calls;
  private final SortedMap<Integer, Sizes> sizes = new TreeMap<>();

  private StoredKeys(Name name, Calls calls) {
    this.name = name;
    this.calls = calls;
  }

  /**
   * Looks for all keys that a filter of this name can have: those of {@link Chunks#MAX_COUNT}
   * chunks. A record that is lost does not say how many they were.
   */
  static StoredKeys ofAny(Name name, Calls calls) {
    return new Primaries(calls).areEmpty()
        ? new StoredKeys(name, calls)
        : of(name, calls, Chunks.MAX_COUNT);
  }

  /** Looks for the keys of the first chunks. */
  static StoredKeys of(Name name, Calls calls, int count) {
    StoredKeys found = new StoredKeys(name, calls);
    for (int from = 0; from < count; from += PART) {
      found.add(IntStream.range(from, Math.min(count, from + PART)).boxed().toList());
    }
    return found;
  }

  private void add(List<Integer> chunks) {
    List<Object> replies = run(Script.EXISTS, chunks, chunk -> List.of());
    List<Integer> there =
        IntStream.range(0, chunks.size())
            .filter(i -> !Long.valueOf(0).equals(replies.get(i)))
            .mapToObj(chunks::get)
            .toList();
    List<Object> found = run(Script.SIZES, there, chunk -> List.of());
    for (int i = 0; i < there.size(); i++) {
      List<?> both = (List<?>) found.get(i);
      Sizes ofBoth = new Sizes((Long) both.get(0), (Long) both.get(1), isEnded((Long) both.get(2)));
      if (ofBoth.both() > 0) {
        sizes.put(there.get(i), ofBoth);
      }
    }
  }

  private List<Object> run(
      Script script, List<Integer> chunks, Function<Integer, List<byte[]>> arguments) {
    List<Calls.Call> asked = new ArrayList<>();
    for (int chunk : chunks) {
      asked.add(
          new Calls.Call(
              script, List.of(name.chunkKey(chunk), name.nextKey(chunk)), arguments.apply(chunk)));
    }
    return calls.run(asked, Calls.Wait.NONE);
  }

  Sizes of(int chunk) {
    return sizes.getOrDefault(chunk, new Sizes(0, 0, false));
  }

  /** Returns the sizes of the chunks of which something is there. */
  Map<Integer, Sizes> sizes() {
    return sizes;
  }

  private static boolean isEnded(long leftMillis) {
    return leftMillis >= 0 && leftMillis <= Life.GRACE_MILLIS;
  }

  /** Returns the chunks that have served, or could have, but not those whose life has ended. */
  List<Integer> served() {
    return sizes.keySet().stream()
        .filter(chunk -> of(chunk).current() > 0 && !of(chunk).isEnded())
        .toList();
  }

  /** Returns whether nothing is there but chunks whose life has ended. */
  boolean areEnded() {
    return sizes.values().stream().allMatch(each -> each.isEnded() && each.next() == 0);
  }

  /** Removes the keys, but none of a generation or of those that follow it. */
  void sweep(Generation generation) {
    run(Script.SWEEP, List.copyOf(sizes.keySet()), chunk -> List.of(generation.prefix(0)));
  }

  /** Removes the keys. */
  void delete() {
    run(Script.DELETE, List.copyOf(sizes.keySet()), chunk -> List.of());
  }
}
