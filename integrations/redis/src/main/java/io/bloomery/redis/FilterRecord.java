package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterUnavailableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The record of a filter, stored beside its chunks: its generations, and which of them is serving,
 * if any is, and which is next.
 *
 * @param isMadeEmpty whether the next generation is the first and gets no content before it serves
 * @param leftMillis the time until it expires; -1 if it does not
 * @param now when that was, by the clock of the server; 0 if no generation has a life
 */
record FilterRecord(
    Name name,
    Map<Long, Generation> generations,
    @Nullable Generation serving,
    @Nullable Generation next,
    boolean isMadeEmpty,
    long leftMillis,
    long now) {

  static final String FORMAT = "format";
  static final String VERSION = "1";
  static final String CHUNKS = "chunks";
  static final String GENERATION = "generation";

  /** The number of a generation in place of that which serves, while the first is being filled. */
  static final String NONE = "0";

  static final String SEQUENCE = "sequence";
  static final String NEXT = "next";
  static final String HEADER = "header:";
  static final String ID = "id:";
  static final String PRIMARIES = "primaries:";
  static final String EMPTY = "empty:";
  static final String LIFE = "life:";

  /** The value in place of the primaries if every write is synced. */
  static final String ANY_PRIMARY = "*";

  static Calls.Call readCall(Name name) {
    return new Calls.Call(Script.READ_RECORD, List.of(name.recordKey()), List.of());
  }

  /**
   * Reads the record of a filter.
   *
   * @return null if there is none
   * @throws FilterUnavailableException if the server does not answer, or what is there is no record
   */
  static @Nullable FilterRecord find(Name name, Calls calls) {
    List<?> reply = (List<?>) calls.run(readCall(name));
    return reply.isEmpty() ? null : of(name, reply);
  }

  /**
   * Parses what a server has.
   *
   * @throws FilterUnavailableException if it has nothing, or it is no record
   */
  static FilterRecord of(Name name, List<?> reply) {
    Map<String, byte[]> fields = new HashMap<>();
    for (int i = 0; i + 1 < reply.size(); i += 2) {
      fields.put(text((byte[]) reply.get(i)), (byte[]) reply.get(i + 1));
    }
    if (fields.isEmpty()) {
      throw none(name);
    }
    try {
      if (!VERSION.equals(text(field(fields, FORMAT)))) {
        throw new IllegalArgumentException(
            "its format must be " + VERSION + ", but is " + text(field(fields, FORMAT)));
      }
      int chunks = Integer.parseInt(text(field(fields, CHUNKS)));
      Map<Long, Generation> generations = new HashMap<>();
      for (String field : fields.keySet()) {
        if (field.startsWith(HEADER)) {
          long sequence = Long.parseLong(field.substring(HEADER.length()));
          generations.put(sequence, generation(fields, sequence, chunks));
        }
      }
      String number = text(field(fields, GENERATION));
      Generation serving = generations.get(Long.parseLong(number));
      byte[] nextNumber = fields.get(NEXT);
      Generation next =
          nextNumber == null ? null : generations.get(Long.parseLong(text(nextNumber)));
      if (serving == null && (next == null || !number.equals(NONE))) {
        throw new IllegalArgumentException("it says nothing of its generation");
      }
      boolean isMadeEmpty =
          serving == null && next != null && fields.containsKey(EMPTY + next.sequence());
      return new FilterRecord(
          name,
          generations,
          serving,
          next,
          isMadeEmpty,
          Long.parseLong(text(field(fields, "left"))),
          Long.parseLong(text(field(fields, "now"))));
    } catch (IllegalArgumentException | FilterFormatException e) {
      throw new FilterUnavailableException(
          "Redis key "
              + name.recordKeyText()
              + " is no record of a filter: "
              + e.getMessage()
              + "; delete the filter, then rebuild it from its source",
          e);
    }
  }

  static FilterUnavailableException none(Name name) {
    return new FilterUnavailableException(
        "there is no filter '"
            + name
            + "': Redis key "
            + name.recordKeyText()
            + " is missing; create it if there never was one or its life has ended, or rebuild it"
            + " from its source if it was lost, since an empty one would call its keys absent");
  }

  /** Returns whether the first generation is being filled, or its making was broken off. */
  boolean isFirst() {
    return serving == null;
  }

  /**
   * Returns the generation that serves.
   *
   * @throws FilterUnavailableException if the first is being filled
   */
  Generation current() {
    if (serving == null) {
      throw new FilterUnavailableException(
          "filter '"
              + name
              + "' is not there yet: Redis key "
              + name.recordKeyText()
              + " says that its first content is being loaded; try again when that is complete, or"
              + " load or rebuild it again if that was broken off");
    }
    return serving;
  }

  /** Returns whether both say of the same generations that they serve and are next. */
  boolean hasGenerationsOf(FilterRecord other) {
    return current().is(other.current())
        && (next == null ? other.next == null : other.next != null && next.is(other.next));
  }

  private static Generation generation(Map<String, byte[]> fields, long sequence, int chunks)
      throws FilterFormatException {
    byte[] headerBytes = field(fields, HEADER + sequence);
    FilterHeader header = FilterHeader.ofBytes(headerBytes);
    byte[] id = field(fields, ID + sequence);
    if (id.length != Generation.ID_SIZE) {
      throw new IllegalArgumentException("an id must have 16 bytes, but has " + id.length);
    }
    return new Generation(
        sequence,
        id,
        headerBytes,
        header,
        new Chunks(header.variant(), header.layout(), header.payloadSize(), chunks),
        text(field(fields, PRIMARIES + sequence)),
        fields.containsKey(LIFE + sequence)
            ? Life.parse(text(field(fields, LIFE + sequence)))
            : Life.ENDLESS,
        false);
  }

  private static byte[] field(Map<String, byte[]> fields, String name) {
    byte[] field = fields.get(name);
    if (field == null) {
      throw new IllegalArgumentException("it must have a field '" + name + "', but has none");
    }
    return field;
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.US_ASCII);
  }

  /**
   * Returns the fields of a new filter whose first generation is to be filled.
   *
   * @param isMadeEmpty whether it gets no content before it serves
   */
  static List<byte[]> fields(Generation first, boolean isMadeEmpty) {
    List<byte[]> fields = new ArrayList<>();
    String sequence = Long.toString(first.sequence());
    add(fields, FORMAT, VERSION);
    add(fields, CHUNKS, Integer.toString(first.chunks().count()));
    add(fields, GENERATION, NONE);
    add(fields, NEXT, sequence);
    add(fields, SEQUENCE, sequence);
    fields.add(Script.ascii(HEADER + sequence));
    fields.add(first.headerBytes());
    fields.add(Script.ascii(ID + sequence));
    fields.add(first.id());
    add(fields, PRIMARIES + sequence, first.primaries());
    if (!first.life().isEndless()) {
      add(fields, LIFE + sequence, first.life().text());
    }
    if (isMadeEmpty) {
      add(fields, EMPTY + sequence, "1");
    }
    return fields;
  }

  private static void add(List<byte[]> fields, String name, String value) {
    fields.add(Script.ascii(name));
    fields.add(Script.ascii(value));
  }
}
