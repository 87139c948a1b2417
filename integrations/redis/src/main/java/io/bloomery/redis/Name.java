package io.bloomery.redis;

import java.util.regex.Pattern;

/**
 * The name of a filter, and those of its keys. What stands in braces picks the slot: each chunk has
 * one of its own, and shares it with the chunk that is to take its place.
 */
record Name(String text) {

  private static final Pattern ALLOWED = Pattern.compile("[!-z|~]{1,200}");

  Name {
    if (!ALLOWED.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a name must be 1 to 200 printable ASCII characters without braces and blanks, but was '"
              + text
              + "'");
    }
  }

  String recordKeyText() {
    return "bloomery:{" + text + "}";
  }

  byte[] recordKey() {
    return Script.ascii(recordKeyText());
  }

  /** What lies in a slot of a chunk. */
  enum Role {
    /** What is asked. */
    CURRENT(""),
    /** What is to take its place. */
    NEXT(":next"),
    /** What is to be added to that. */
    LOAD(":load");

    private final String suffix;

    Role(String suffix) {
      this.suffix = suffix;
    }
  }

  String chunkKeyText(int chunk, Role role) {
    return "bloomery:{" + text + "/" + chunk + "}" + role.suffix;
  }

  String chunkKeyText(int chunk) {
    return chunkKeyText(chunk, Role.CURRENT);
  }

  byte[] chunkKey(int chunk, Role role) {
    return Script.ascii(chunkKeyText(chunk, role));
  }

  byte[] chunkKey(int chunk) {
    return chunkKey(chunk, Role.CURRENT);
  }

  byte[] nextKey(int chunk) {
    return chunkKey(chunk, Role.NEXT);
  }

  @Override
  public String toString() {
    return text;
  }
}
