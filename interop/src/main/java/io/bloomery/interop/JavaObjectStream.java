package io.bloomery.interop;

import static java.nio.ByteOrder.BIG_ENDIAN;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The bytes that {@code ObjectOutputStream} writes for a BloomFilter of Guava, by the grammar of
 * the Java Object Serialization Stream Protocol. No class is loaded and no object made of them:
 * only the table is kept as numbers, and what is before and after it, with a funnel of any class,
 * as bytes.
 */
final class JavaObjectStream {

  /** What a stream has before and after the table, and the class of its funnel. */
  @SuppressWarnings("ArrayRecordComponent") // nobody compares two
  record Frame(byte[] before, byte[] after, String funnel) {}

  private static final String GUAVA = "com.google.common.hash.";
  private static final String FORM = GUAVA + "BloomFilter$SerialForm";
  private static final String STRATEGY = GUAVA + "BloomFilterStrategies.MURMUR128_MITZ_";
  private static final long LONGS_UID = 0x782004b512b17593L;

  private static final int MOST_BYTES = 1 << 20; // besides the table
  private static final int MOST_DEPTH = 100;
  private static final int FIRST_HANDLE = 0x7e0000;

  private static final int NULL = 0x70;
  private static final int REFERENCE = 0x71;
  private static final int CLASS_DESCRIPTION = 0x72;
  private static final int OBJECT = 0x73;
  private static final int STRING = 0x74;
  private static final int ARRAY = 0x75;
  private static final int CLASS = 0x76;
  private static final int BLOCK = 0x77;
  private static final int END = 0x78;
  private static final int LONG_BLOCK = 0x7a;
  private static final int PROXY_DESCRIPTION = 0x7d;
  private static final int ENUM = 0x7e;

  private static final int WRITES_MORE = 1;
  private static final int SERIALIZABLE = 2;
  private static final int EXTERNALIZABLE = 4;
  private static final int IN_BLOCKS = 8;

  /** A field of a class: its type, as in the name of a class file, and its name. */
  private record Field(int type, String name) {}

  /** A class and its fields. */
  private static final class Description {
    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private final List<Description> parents = new ArrayList<>(); // none or one
    private int flags = SERIALIZABLE;
    private boolean isWhole;

    Description(String name) {
      this.name = name;
    }

    @Override
    public String toString() {
      return name;
    }
  }

  private final ForeignInput in;
  private final List<Object> handles = new ArrayList<>();
  private ByteArrayOutputStream seen = new ByteArrayOutputStream();
  private int depth;

  private JavaObjectStream(ForeignInput in) {
    this.in = in;
  }

  static GuavaTable read(ForeignInput in) throws IOException {
    return new JavaObjectStream(in).filter();
  }

  private GuavaTable filter() throws IOException {
    if (number(4) != 0xaced0005L) {
      throw in.refusal(0, "must begin with ac ed 00 05, as a stream of Java objects does");
    }
    int tag = u8();
    in.require(tag == OBJECT, 4, "the stream must have an object (tag 115), but the tag", tag);
    Description form = description(u8());
    if (!form.name.equals(FORM) || !form.parents.isEmpty() || form.flags != SERIALIZABLE) {
      throw in.refusal(5, "the object must be a BloomFilter, but is a " + ShownNames.of(form.name));
    }
    handles.add(form.name);
    int probes = 0;
    int strategy = 0;
    long[] words = {};
    byte[] before = {};
    String funnel = "";
    for (Field field : form.fields) {
      long at = in.offset();
      switch (field.name) {
        case "numHashFunctions" -> {
          probes = (int) number(4);
          in.require(probes >= 1 && probes <= 255, at, "hash functions must be 1 to 255", probes);
        }
        case "data" -> {
          if (u8() != ARRAY || !description(u8()).name.equals("[J")) {
            throw in.refusal(at, "the field data must be an array of longs");
          }
          handles.add("");
          long count = number(4);
          before = seen.toByteArray();
          seen = new ByteArrayOutputStream();
          words = in.words(count, BIG_ENDIAN, in.offset() - 4);
        }
        case "funnel" -> funnel = content(u8());
        case "strategy" -> {
          String name = content(u8());
          strategy = name.equals(STRATEGY + "64") ? 1 : 0;
          if (strategy == 0 && !name.equals(STRATEGY + "32")) {
            throw in.refusal(
                at, "strategy must be MURMUR128_MITZ_32 or _64, but is " + ShownNames.of(name));
          }
        }
        default -> throw in.refusal(at, "has an unknown field, " + ShownNames.of(field.name));
      }
    }
    in.require(
        form.fields.size() == 4 && probes > 0 && words.length > 0,
        in.offset(),
        "a BloomFilter must have four fields",
        form.fields.size());
    return GuavaTable.of(strategy, probes, words, new Frame(before, seen.toByteArray(), funnel));
  }

  /**
   * Reads the rest of anything that begins with a tag.
   *
   * @return the text of a string, the name of a class of an object, or of a constant of an enum
   */
  private String content(int tag) throws IOException {
    long at = in.offset() - 1;
    in.require(++depth <= MOST_DEPTH, at, "objects must be at most 100 deep in others", depth);
    String name =
        switch (tag) {
          case NULL -> "null";
          case REFERENCE -> referenced().toString();
          case CLASS_DESCRIPTION, PROXY_DESCRIPTION -> description(tag).name;
          case OBJECT -> object(description(u8()));
          case STRING -> {
            int index = handles.size();
            handles.add("");
            String text = text();
            handles.set(index, text);
            yield text;
          }
          case ARRAY -> array(description(u8()), at);
          case CLASS -> named(description(u8()));
          case ENUM -> {
            Description type = description(u8());
            int index = handles.size();
            handles.add("");
            String constant = type.name + "." + content(u8());
            handles.set(index, constant);
            yield constant;
          }
          case BLOCK -> {
            skip(u8());
            yield "";
          }
          case LONG_BLOCK -> {
            skip(number(4));
            yield "";
          }
          default -> throw in.refusal(at, "has an unknown tag, " + tag);
        };
    depth--;
    return name;
  }

  private Object referenced() throws IOException {
    long at = in.offset();
    long index = number(4) - FIRST_HANDLE;
    in.require(
        index >= 0 && index < handles.size(), at, "a reference must be to what came before", index);
    return handles.get((int) index);
  }

  private String named(Description type) {
    handles.add(type.name);
    return type.name;
  }

  private String array(Description type, long at) throws IOException {
    named(type);
    if (type.name.length() < 2) {
      throw in.refusal(
          at, "an array must have a type of elements, but has '" + ShownNames.of(type.name) + "'");
    }
    for (long left = number(4); left > 0; left--) {
      value(type.name.charAt(1));
    }
    return type.name;
  }

  private String object(Description type) throws IOException {
    named(type);
    data(type);
    return type.name;
  }

  private void data(Description type) throws IOException {
    for (Description parent : type.parents) {
      data(parent);
    }
    if ((type.flags & EXTERNALIZABLE) != 0) {
      in.require(
          (type.flags & IN_BLOCKS) != 0,
          in.offset(),
          "an externalizable object must have blocks (8), its flags",
          type.flags);
    } else {
      for (Field field : type.fields) {
        value(field.type);
      }
    }
    if ((type.flags & (EXTERNALIZABLE | WRITES_MORE)) != 0) {
      annotation();
    }
  }

  private void annotation() throws IOException {
    for (int tag = u8(); tag != END; tag = u8()) {
      content(tag);
    }
  }

  private void value(int type) throws IOException {
    switch (type) {
      case 'B', 'Z' -> skip(1);
      case 'C', 'S' -> skip(2);
      case 'I', 'F' -> skip(4);
      case 'J', 'D' -> skip(8);
      case 'L', '[' -> content(u8());
      default -> throw in.refusal(in.offset(), "has an unknown type of field, " + type);
    }
  }

  private Description description(int tag) throws IOException {
    long at = in.offset() - 1;
    in.require(++depth <= MOST_DEPTH, at, "classes must be at most 100 deep in others", depth);
    Description type;
    switch (tag) {
      case REFERENCE -> {
        Object found = referenced();
        if (!(found instanceof Description known)) {
          throw in.refusal(
              at, "must refer to a class, but refers to " + ShownNames.of(found.toString()));
        }
        type = known;
      }
      case CLASS_DESCRIPTION -> {
        type = new Description(text());
        skip(8);
        handles.add(type);
        type.flags = u8();
        for (long left = number(2); left > 0; left--) {
          int kind = u8();
          type.fields.add(new Field(kind, text()));
          if (kind == 'L' || kind == '[') {
            content(u8());
          }
        }
        endOf(type);
      }
      case PROXY_DESCRIPTION -> {
        type = new Description("proxy");
        handles.add(type);
        for (long left = number(4); left > 0; left--) {
          text();
        }
        endOf(type);
      }
      default -> throw in.refusal(at, "must have a class here, but has the tag " + tag);
    }
    depth--;
    return type;
  }

  private void endOf(Description type) throws IOException {
    annotation();
    int tag = u8();
    if (tag != NULL) {
      Description parent = description(tag);
      if (!parent.isWhole) { // its description is not over: it could be the class itself
        throw in.refusal(
            in.offset(), "a class must not be its own parent: " + ShownNames.of(parent.name));
      }
      type.parents.add(parent);
    }
    type.isWhole = true;
  }

  private String text() throws IOException {
    int size = (int) number(2);
    byte[] bytes = new byte[size];
    for (int i = 0; i < size; i++) {
      bytes[i] = (byte) u8();
    }
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void skip(long bytes) throws IOException {
    in.require(
        bytes >= 0 && bytes <= MOST_BYTES, in.offset(), "a block must be at most 1 MiB", bytes);
    for (long i = 0; i < bytes; i++) {
      u8();
    }
  }

  private int u8() throws IOException {
    in.require(
        seen.size() < MOST_BYTES, in.offset(), "a funnel must be at most 1 MiB", seen.size());
    int b = in.u8();
    seen.write(b);
    return b;
  }

  private long number(int bytes) throws IOException {
    long number = 0;
    for (int i = 0; i < bytes; i++) {
      number = number << 8 | u8();
    }
    return number;
  }

  /** Returns what Guava writes around the table of a filter of {@code stringFunnel(UTF_8)}. */
  static Frame ofTexts(int strategy, int probes, int words) throws IOException {
    ByteArrayOutputStream before = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(before);
    out.writeInt(0xaced0005);
    out.write(OBJECT);
    describe(out, FORM, 1, SERIALIZABLE, 4);
    out.write('I');
    out.writeUTF("numHashFunctions");
    field(out, '[', "data", "[J");
    field(out, 'L', "funnel", "L" + GUAVA.replace('.', '/') + "Funnel;");
    field(out, 'L', "strategy", "L" + GUAVA.replace('.', '/') + "BloomFilter$Strategy;");
    out.write(END);
    out.write(NULL);
    out.writeInt(probes);
    out.write(ARRAY);
    describe(out, "[J", LONGS_UID, SERIALIZABLE, 0);
    out.write(END);
    out.write(NULL);
    out.writeInt(words);

    ByteArrayOutputStream after = new ByteArrayOutputStream();
    out = new DataOutputStream(after);
    out.write(OBJECT);
    String funnel = GUAVA + "Funnels$StringCharsetFunnel$SerializedForm";
    describe(out, funnel, 0, SERIALIZABLE, 1);
    field(out, 'L', "charsetCanonicalName", "Ljava/lang/String;");
    out.write(END);
    out.write(NULL);
    out.write(STRING);
    out.writeUTF("UTF-8");
    out.write(ENUM);
    describe(out, GUAVA + "BloomFilterStrategies", 0, SERIALIZABLE | 16, 0);
    out.write(END);
    describe(out, "java.lang.Enum", 0, SERIALIZABLE | 16, 0);
    out.write(END);
    out.write(NULL);
    out.write(STRING);
    out.writeUTF("MURMUR128_MITZ_" + (strategy == 1 ? "64" : "32"));
    return new Frame(before.toByteArray(), after.toByteArray(), funnel);
  }

  private static void describe(DataOutputStream out, String name, long uid, int flags, int fields)
      throws IOException {
    out.write(CLASS_DESCRIPTION);
    out.writeUTF(name);
    out.writeLong(uid);
    out.write(flags);
    out.writeShort(fields);
  }

  private static void field(DataOutputStream out, char kind, String name, String type)
      throws IOException {
    out.write(kind);
    out.writeUTF(name);
    out.write(STRING);
    out.writeUTF(type);
  }
}
