package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The RBloomFilter of Redisson on a Redis server or Cluster, which is read as it stands, and never
 * changed. {@code bloomery-interop} queries what this writes: {@code ForeignFormat.REDISSON}.
 */
public final class RedissonExport {

  private static final int PART = 1 << 20;

  // What Redis has at most, and Redisson makes.
  private static final long MAX_SIZE = (1L << 32) - 2;

  private static final List<String> FIELDS =
      List.of("size", "hashIterations", "expectedInsertions", "falseProbability");

  private final Calls calls;
  private final String name;
  private final byte[] key;
  private final byte[] configKey;
  private final String config;

  private RedissonExport(RedisLink link, String name) {
    this.calls = new Calls(Objects.requireNonNull(link, "link"));
    this.name = name;
    this.key = name.getBytes(StandardCharsets.UTF_8);
    this.config = (name.contains("{") ? name : "{" + name + "}") + ":config";
    this.configKey = config.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Writes a filter in the format {@code redisson}: a line with the fields of its hash, and its
   * bytes. Keys that programs add meanwhile may be missing.
   *
   * @param name the name of the RBloomFilter, with the prefix of a name mapper if there is one
   * @throws FilterUnavailableException if there is none of this name; if it has no bits, since
   *     nothing was added or they were lost; if it is made anew meanwhile; or if the server does
   *     not answer
   * @throws IOException if it cannot be written
   */
  public static void write(RedisLink link, String name, OutputStream out) throws IOException {
    new RedissonExport(link, name).write(out);
  }

  private void write(OutputStream out) throws IOException {
    Map<String, String> fields = fields();
    long size = size(fields);
    StringBuilder header = new StringBuilder("redisson");
    for (String field : FIELDS) {
      header.append(' ').append(field).append('=').append(field(fields, field));
    }
    out.write(header.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    long bytes = (size + 7) / 8;
    for (long from = 0; from < bytes; from += PART) {
      int count = (int) Math.min(PART, bytes - from);
      byte[] part = part(from, count);
      out.write(part);
      out.write(new byte[count - part.length]); // the string ends with the last bit that was set
    }
    checkExists();
    if (!fields.equals(fields())) {
      throw unavailable("was made anew while it was read; read it again");
    }
  }

  private Map<String, String> fields() {
    List<?> values =
        (List<?>)
            calls.run(
                new Calls.Call(
                    Script.HMGET, List.of(configKey), FIELDS.stream().map(Script::ascii).toList()));
    Map<String, String> fields = new HashMap<>();
    for (int i = 0; i < FIELDS.size(); i++) {
      if (values.get(i) instanceof byte[] value) {
        fields.put(FIELDS.get(i), new String(value, StandardCharsets.UTF_8));
      }
    }
    if (fields.isEmpty()) {
      throw unavailable("is not there: Redis key " + config + " is missing; correct its name");
    }
    return fields;
  }

  private String field(Map<String, String> fields, String field) {
    String value = fields.get(field);
    if (value == null) {
      throw unavailable(
          "must have a field '" + field + "' in Redis key " + config + ", but has none");
    }
    return value;
  }

  private long size(Map<String, String> fields) {
    String size = field(fields, "size");
    if (!size.matches("[1-9][0-9]{0,9}") || Long.parseLong(size) > MAX_SIZE) {
      throw unavailable(
          "must have a size from 1 to "
              + MAX_SIZE
              + " in Redis key "
              + config
              + ", but has "
              + size);
    }
    checkExists();
    return Long.parseLong(size);
  }

  private void checkExists() {
    Object found = calls.run(new Calls.Call(Script.EXISTS, List.of(key), List.of()));
    if (!Long.valueOf(1).equals(found)) {
      throw unavailable(
          "has no bits: either nothing was added to it, or Redis key "
              + name
              + " was deleted, evicted or has expired; make it again from its keys");
    }
  }

  private byte[] part(long from, int count) {
    return (byte[])
        calls.run(
            new Calls.Call(
                Script.GETRANGE,
                List.of(key),
                List.of(
                    Script.ascii(Long.toString(from)),
                    Script.ascii(Long.toString(from + count - 1)))));
  }

  private FilterUnavailableException unavailable(String what) {
    return new FilterUnavailableException("Redisson's filter '" + name + "' " + what);
  }
}
