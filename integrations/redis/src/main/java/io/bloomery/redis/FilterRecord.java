package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterUnavailableException;
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
    if (reply.isEmpty()) {
      throw none(name);
    }
    RecordFields fields = new RecordFields(reply);
    try {
      fields.requireFormat(VERSION);
      Map<Long, Generation> generations = new HashMap<>();
      for (String field : fields.names()) {
        if (field.startsWith(HEADER)) {
          long sequence = sequence(field);
          generations.put(sequence, generation(fields, sequence));
        }
      }
      long number = fields.number(GENERATION);
      Generation serving = generations.get(number);
      Generation next = fields.has(NEXT) ? generations.get(fields.number(NEXT)) : null;
      if (serving == null && (next == null || number != 0)) {
        throw new IllegalArgumentException(
            "it must have a header of its generation, but has none of " + number);
      }
      boolean isMadeEmpty = serving == null && next != null && fields.has(EMPTY + next.sequence());
      return new FilterRecord(
          name,
          generations,
          serving,
          next,
          isMadeEmpty,
          fields.number("left"),
          fields.number("now"));
    } catch (IllegalArgumentException e) {
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

  private static long sequence(String field) {
    try {
      return Long.parseLong(field.substring(HEADER.length()));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "each of its fields '" + HEADER + "' must be of a number, but one is '" + field + "'", e);
    }
  }

  private static Generation generation(RecordFields fields, long sequence) {
    String name = HEADER + sequence;
    FilterHeader header = fields.header(name);
    return new Generation(
        sequence,
        fields.bytes(ID + sequence, Generation.ID_SIZE),
        fields.bytes(name),
        header,
        fields.parsed(
            CHUNKS,
            "a number of chunks of such a filter",
            chunks ->
                new Chunks(
                    header.variant(),
                    header.layout(),
                    header.payloadSize(),
                    Integer.parseInt(chunks))),
        fields.text(PRIMARIES + sequence),
        fields.has(LIFE + sequence)
            ? fields.parsed(LIFE + sequence, "a life", Life::parse)
            : Life.ENDLESS,
        false);
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
