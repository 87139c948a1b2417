package io.bloomery.redis;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The refusals in the course of one batch that the known record of the filter does not explain.
 * After each the record is read and the script repeated. Only the same refusal once more is final:
 * another one is of a later change, of which there may be several while a batch is under way.
 */
final class Refusals {

  private record Refusal(int chunk, ByteBuffer code, ByteBuffer found) {}

  private final Set<Refusal> beforeReading = new HashSet<>();
  private final Set<Refusal> sinceReading = new HashSet<>();

  /** Adds a refusal, and returns false if the record was read since the same one: it is final. */
  boolean add(int chunk, List<?> refusal) {
    Refusal added =
        new Refusal(
            chunk,
            ByteBuffer.wrap((byte[]) refusal.get(0)),
            ByteBuffer.wrap((byte[]) refusal.get(1)));
    sinceReading.add(added);
    return !beforeReading.contains(added);
  }

  /** Returns a chunk whose key is missing, or -1. */
  int missing() {
    return sinceReading.stream()
        .filter(refusal -> !refusal.found().hasRemaining())
        .mapToInt(Refusal::chunk)
        .findFirst()
        .orElse(-1);
  }

  /** Returns whether the record must be read before scripts are repeated. */
  boolean needRecord() {
    return !sinceReading.isEmpty();
  }

  /** Is called when the record was read. */
  void recordIsRead() {
    beforeReading.addAll(sinceReading);
    sinceReading.clear();
  }
}
