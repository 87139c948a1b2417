package io.bloomery.internal;

import java.util.Optional;

/**
 * A parsed hash id of this library: {@code xxh3-64/utf8/seed=7} or {@code
 * siphash-2-4/(utf8,i64)/secret=0123456789abcdef}.
 *
 * @param function the hash function, such as {@code xxh3-64}
 * @param encoding the encoding of keys as bytes, such as {@code utf8}
 * @param key the key of the hash function, such as {@code seed=7}; empty if it has none
 */
public record HashId(String function, String encoding, String key) {

  private static final String SEED = "seed=";
  private static final String SECRET = "secret=";
  private static final String LONGS = "i64";
  private static final int MAX_LENGTH = 255;

  public static HashId parse(String id) {
    String[] parts = id.split("/", 3);
    return new HashId(parts[0], parts.length > 1 ? parts[1] : "", parts.length > 2 ? parts[2] : "");
  }

  public static String seed(long seed) {
    return SEED + seed;
  }

  public static String secret(String fingerprint) {
    return SECRET + fingerprint;
  }

  public boolean hasSeed() {
    return key.startsWith(SEED);
  }

  public boolean hasSecret() {
    return key.startsWith(SECRET);
  }

  public String fingerprint() {
    return key.substring(SECRET.length());
  }

  /**
   * Returns the text of the id.
   *
   * @throws IllegalArgumentException if it is longer than the file format allows
   */
  public String text() {
    String id = function + "/" + encoding + (key.isEmpty() ? "" : "/" + key);
    if (id.length() > MAX_LENGTH) {
      throw new IllegalArgumentException(
          "hash id must have at most "
              + MAX_LENGTH
              + " characters, but "
              + id
              + " has "
              + id.length()
              + "; take fewer fields, or nest them less");
    }
    return id;
  }

  /** Returns whether two ids have the same encoding and differ in the secret, or in having one. */
  public static boolean differBySecret(String filter, String hasher) {
    HashId held = parse(filter);
    HashId given = parse(hasher);
    return held.encoding.equals(given.encoding) && (held.hasSecret() || given.hasSecret());
  }

  /**
   * Returns the reason why a hasher of one id does not match a filter of another, and the remedy.
   */
  public static String mismatch(String filter, String hasher) {
    HashId held = parse(filter);
    HashId given = parse(hasher);
    if (held.encoding.equals(given.encoding) && held.hasSecret() && given.hasSecret()) {
      return "secret must be the one the filter was built with, of fingerprint "
          + held.fingerprint()
          + ", but is one of fingerprint "
          + given.fingerprint()
          + "; give the other one";
    }
    if (held.encoding.equals(given.encoding) && held.hasSecret() && !given.hasSecret()) {
      return "the filter was built with a secret, of fingerprint "
          + held.fingerprint()
          + ", but is to be opened without one, by "
          + hasher
          + "; give that secret, by secret(...)";
    }
    if (held.encoding.equals(given.encoding) && !held.hasSecret() && given.hasSecret()) {
      return "the filter was built without a secret, by "
          + filter
          + ", but is to be opened with one, of fingerprint "
          + given.fingerprint()
          + "; leave the secret out";
    }
    return "keys must be those the filter was built for, "
        + held.inParentheses(filter)
        + ", but are "
        + given.inParentheses(hasher)
        + "; open it with "
        + held.opening().orElse("of(hasher), by a hasher with the id " + filter);
  }

  private String inParentheses(String id) {
    return opening().map(methods -> methods + " (" + id + ")").orElse("keys hashed as " + id);
  }

  /**
   * Returns the methods of Bloomery for such keys, or empty if they are not hashed by this library.
   */
  private Optional<String> opening() {
    Optional<String> plain = methods();
    return switch (function) {
      case "splitmix64" -> plain.filter(methods -> encoding.equals(LONGS) && key.isEmpty());
      case "siphash-2-4" ->
          plain.filter(methods -> hasSecret()).map(methods -> methods + " with secret(...)");
      case "xxh3-64" -> hasSeed() ? seeded() : plain.filter(methods -> isUnseededXxh3());
      default -> Optional.empty();
    };
  }

  private boolean isUnseededXxh3() {
    return key.isEmpty() && !encoding.equals(LONGS);
  }

  private Optional<String> seeded() {
    String seed = ".withSeed(" + key.substring(SEED.length()) + ")";
    return hasher().map(hasher -> "of(KeyHasher." + hasher + seed + ")");
  }

  private Optional<String> methods() {
    return switch (encoding) {
      case "utf8" -> Optional.of("strings() or utf8Bytes()");
      case "bytes" -> Optional.of("byteArrays() or byteBuffers()");
      case LONGS -> Optional.of("longs() or ints()");
      default -> hasher().map(hasher -> isOfFields() ? "of(KeyHasher." + hasher + ")" : hasher);
    };
  }

  private Optional<String> hasher() {
    return switch (encoding) {
      case "utf8" -> Optional.of("strings()");
      case "bytes" -> Optional.of("byteArrays()");
      case LONGS -> Optional.of("longs()");
      case "uuid" -> Optional.of("uuids()");
      default -> isOfFields() ? Optional.of("fields(...)") : Optional.empty();
    };
  }

  private boolean isOfFields() {
    return encoding.startsWith("(");
  }
}
