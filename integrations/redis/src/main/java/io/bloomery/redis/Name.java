package io.bloomery.redis;

import java.util.regex.Pattern;

/**
 * The name of a filter, and the names of its keys. The hash tag in braces selects the slot: each
 * chunk has one of its own, and shares it with the chunk that will replace it.
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

  /** The role of a key in the slot of a chunk. */
  enum Role {
    /** The chunk of the current generation. */
    CURRENT(""),
    /** The chunk of the next generation. */
    NEXT(":next"),
    /** Words to be added to the next generation. */
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
