package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the record of a window says that never changes, except for the servers that are accepted.
 *
 * @param id 8 bytes that no other window of its name has
 * @param header the header of the filter of each generation
 * @param spec the number of keys and the rate of the whole window
 * @param time the time for which keys are remembered; empty if keys are counted
 * @param life how long it is kept after the last call
 * @param cells the parts
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record WindowRecord(
    WindowName name,
    byte[] id,
    FilterHeader header,
    FilterSpec spec,
    Optional<Duration> time,
    Duration life,
    Cells cells,
    String primaries) {

  static final int ID_SIZE = 8;
  private static final String VERSION = "2";

  /**
   * Reads the record of a window.
   *
   * @return null if there is none
   * @throws FilterUnavailableException if the server does not answer, or what is there is no record
   */
  static @Nullable WindowRecord find(WindowName name, Calls calls) {
    List<?> reply =
        (List<?>)
            calls.run(new Calls.Call(Script.READ_RECORD, List.of(name.recordKey()), List.of()));
    return reply.isEmpty() ? null : of(name, reply);
  }

  private static WindowRecord of(WindowName name, List<?> reply) {
    RecordFields fields = new RecordFields(reply);
    try {
      fields.requireFormat(VERSION);
      byte[] id = fields.bytes("id", ID_SIZE);
      FilterHeader header = fields.header("header");
      FilterSpec each = header.spec();
      long micros = fields.number("time");
      return new WindowRecord(
          name,
          id,
          header,
          FilterSpec.of(
                  fields.number("keys"),
                  fields.parsed("rate", "a number", Double::parseDouble),
                  each.hashId())
              .withAttributes(each.attributes()),
          micros == 0 ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS)),
          Duration.ofMillis(fields.number("life")),
          fields.parsed(
              "parts",
              "a number of parts of such a window",
              parts -> cells(header, Integer.parseInt(parts))),
          fields.text("primaries"));
    } catch (IllegalArgumentException e) {
      FilterUnavailableException damaged = damaged(name, String.valueOf(e.getMessage()));
      damaged.initCause(e);
      throw damaged;
    }
  }

  static Cells cells(FilterHeader header, int parts) {
    return new Cells(new Chunks(header.variant(), header.layout(), header.payloadSize(), parts));
  }

  /** Returns the number of parts. */
  int parts() {
    return cells.parts();
  }

  static FilterUnavailableException damaged(WindowName name, String reason) {
    return new FilterUnavailableException(
        "cannot answer: Redis key "
            + name.recordKeyText()
            + " is no record of a window: "
            + reason
            + "; delete the window, and create it");
  }

  static FilterUnavailableException none(WindowName name) {
    return new FilterUnavailableException(
        "there is no window '"
            + name
            + "': Redis key "
            + name.recordKeyText()
            + " is missing: there never was one, nobody has used it for as long as it is kept, or"
            + " it was deleted or evicted; create it, which remembers nothing");
  }

  long micros() {
    return time.map(WindowRecord::micros).orElse(0L);
  }

  static long micros(Duration time) {
    return Math.addExact(
        Math.multiplyExact(time.toSeconds(), 1_000_000L), time.toNanosPart() / 1000);
  }

  /** Returns the fields of a window that has no keys yet, without those of the server's clock. */
  List<byte[]> fields() {
    List<byte[]> fields = new ArrayList<>();
    add(fields, "format", VERSION);
    add(fields, "id", id);
    add(fields, "header", header.toBytes());
    add(fields, "keys", Long.toString(spec.expectedKeys()));
    add(fields, "rate", Double.toString(spec.falsePositiveRate()));
    add(fields, "time", Long.toString(micros()));
    add(fields, "life", Long.toString(life.toMillis()));
    add(fields, "parts", Integer.toString(cells.chunks().count()));
    add(fields, "primaries", primaries);
    add(fields, "newest", "1");
    add(fields, "present", "0".repeat(parts()));
    for (int slot = 0; slot < WindowName.GENERATIONS; slot++) {
      add(fields, "taken:" + slot, "0");
      add(fields, "new:" + slot, "0");
    }
    return fields;
  }

  private static void add(List<byte[]> fields, String name, String value) {
    add(fields, name, Script.ascii(value));
  }

  private static void add(List<byte[]> fields, String name, byte[] value) {
    fields.add(Script.ascii(name));
    fields.add(value);
  }
}
