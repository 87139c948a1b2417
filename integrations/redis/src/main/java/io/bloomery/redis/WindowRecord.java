package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
    Map<String, byte[]> fields = new HashMap<>();
    for (int i = 0; i + 1 < reply.size(); i += 2) {
      fields.put(text(reply.get(i)), bytes(reply.get(i + 1)));
    }
    try {
      if (!VERSION.equals(text(fields, "format"))) {
        throw new IllegalArgumentException(
            "its format must be " + VERSION + ", but is " + text(fields, "format"));
      }
      byte[] id = field(fields, "id");
      if (id.length != ID_SIZE) {
        throw new IllegalArgumentException("its id must have 8 bytes, but has " + id.length);
      }
      FilterHeader header = FilterHeader.ofBytes(field(fields, "header"));
      FilterSpec each = header.spec();
      long micros = Long.parseLong(text(fields, "time"));
      return new WindowRecord(
          name,
          id,
          header,
          FilterSpec.of(
                  Long.parseLong(text(fields, "keys")),
                  Double.parseDouble(text(fields, "rate")),
                  each.hashId())
              .withAttributes(each.attributes()),
          micros == 0 ? Optional.empty() : Optional.of(Duration.of(micros, ChronoUnit.MICROS)),
          Duration.ofMillis(Long.parseLong(text(fields, "life"))),
          cells(header, Integer.parseInt(text(fields, "parts"))),
          text(fields, "primaries"));
    } catch (IllegalArgumentException | FilterFormatException e) {
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

  private static byte[] field(Map<String, byte[]> fields, String name) {
    byte[] field = fields.get(name);
    if (field == null) {
      throw new IllegalArgumentException("it must have a field '" + name + "', but has none");
    }
    return field;
  }

  private static String text(Map<String, byte[]> fields, String name) {
    return text(field(fields, name));
  }

  private static String text(Object reply) {
    return new String(bytes(reply), StandardCharsets.US_ASCII);
  }

  private static byte[] bytes(Object reply) {
    return reply instanceof byte[] bytes ? bytes : Script.ascii(String.valueOf(reply));
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
