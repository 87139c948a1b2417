package io.bloomery.golden;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.StringJoiner;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** The golden files of a system, of the keys in KEYS.md, and their manifest. */
final class Folder {

  private static final int PROBES = 10_000;
  private static final int FEW_PROBES = 500; // for filters that are nearly full

  private final Path folder;
  private final String peer;
  private final List<String> files = new ArrayList<>();

  Folder(String name, String peer) throws IOException {
    folder = Files.createDirectories(Path.of("interop/src/test/resources/golden", name));
    this.peer = peer;
  }

  /** The filter of a system: how it takes a key, whether it has one, and its bytes. */
  record Filter<K>(Consumer<K> put, Predicate<K> contains, Bytes bytes) {}

  /** Writes the bytes of a filter. */
  interface Bytes {
    byte[] get() throws IOException;
  }

  /** Puts keys of a kind into a filter, and writes its file. */
  <K> void add(String file, String kind, int count, Filter<K> filter) throws IOException {
    add(file, kind, count, "", filter);
  }

  /** Does so for a filter whose size the system computes of its keys and a rate. */
  <K> void add(String file, String kind, int count, int expected, String rate, Filter<K> filter)
      throws IOException {
    add(file, kind, count, "\"expected\": %d, \"rate\": %s".formatted(expected, rate), filter);
  }

  @SuppressWarnings("unchecked")
  private <K> void add(String file, String kind, int count, String params, Filter<K> filter)
      throws IOException {
    for (int i = 0; i < count; i++) {
      filter.put.accept((K) key(kind, i, count, true));
    }
    for (int i = 0; i < count; i++) {
      if (!filter.contains.test((K) key(kind, i, count, true))) {
        throw new IllegalStateException(file + ": the library misses member " + i);
      }
    }
    int few = 0;
    for (int i = 0; i < FEW_PROBES; i++) {
      few += filter.contains.test((K) key(kind, i, count, false)) ? 1 : 0;
    }
    int probes = few > FEW_PROBES / 10 ? FEW_PROBES : PROBES;
    StringJoiner positives = new StringJoiner(", ", "[", "]");
    for (int i = 0; i < probes; i++) {
      if (filter.contains.test((K) key(kind, i, count, false))) {
        positives.add("" + i);
      }
    }
    Files.write(folder.resolve(file), filter.bytes.get());
    files.add(
        "{\"file\": \"%s\", \"params\": {%s}, \"key\": {\"kind\": \"%s\", \"count\": %d}, \"probe\": {\"kind\": \"%s\", \"count\": %d, \"positives\": %s}}"
            .formatted(file, params, kind, count, kind, probes, positives));
  }

  byte[] bytes(String file) throws IOException {
    return Files.readAllBytes(folder.resolve(file));
  }

  /** Writes a file that is not a filter of the format, and in no manifest. */
  void writeUnlisted(String file, byte[] bytes) throws IOException {
    Files.write(folder.resolve(file), bytes);
  }

  void finish() throws IOException {
    Files.writeString(
        folder.resolve("manifest.json"),
        "{\n\"peer\": \"%s\",\n\"files\": [\n%s\n]}\n".formatted(peer, String.join(",\n", files)));
  }

  static Object key(String kind, int i, int count, boolean member) {
    String text = (member ? "key-" : "absent-") + i;
    long number = member ? i - count / 2 : 1_000_000L + i;
    return switch (kind) {
      case "string" -> text;
      case "text-of-any-length" -> text(member ? "key-" : "absent-", i);
      case "bytes-sha512" -> Arrays.copyOf(sha512(text), 4 + i % 37);
      case "long" -> member ? (long) i : number;
      case "long-mixed" -> number * 0x9E3779B97F4A7C15L;
      case "int-mixed" -> (int) number * 0x9E3779B9;
      default -> throw new IllegalArgumentException(kind);
    };
  }

  /** Returns a text of up to {@code i} letters, of more than one byte each; the next is greater. */
  static String text(String prefix, int i) {
    return prefix + (100_000 + i) + "\u00e9".repeat(i % 200);
  }

  private static byte[] sha512(String text) {
    try {
      return MessageDigest.getInstance("SHA-512").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
