package io.bloomery.redis;

import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a filter, and the names of its keys. The hash tag in braces selects the slot: each
 * chunk has one of its own, and shares it with the chunk that will replace it.
 */
record Name(String text) {
  // decisions.md#a-name-must-not-end-with-a-slash-and-a-number

  private static final Pattern ALLOWED = Pattern.compile("[!-z|~]{1,200}");

  /** What is between the braces in the name of a chunk's key. */
  private static final Pattern CHUNK = Pattern.compile("(.+)/(0|[1-9][0-9]{0,4})");

  private static final Pattern KEY = Pattern.compile("bloomery:\\{([^{}]+)}.*");

  Name {
    Objects.requireNonNull(text, "name");
    if (!ALLOWED.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "a name must be 1 to 200 printable ASCII characters without braces and blanks, but was '"
              + text
              + "'");
    }
    if (!ofChunk(text).equals(text)) {
      throw new IllegalArgumentException(
          "a name must not end with a slash and a number below "
              + Chunks.MAX_COUNT
              + ", since Redis keys of filter '"
              + ofChunk(text)
              + "' are called so, but was '"
              + text
              + "'");
    }
  }

  /** Returns the name of the filter whose chunk, or which itself, has this between its braces. */
  private static String ofChunk(String tag) {
    Matcher chunk = CHUNK.matcher(tag);
    return chunk.matches() && Integer.parseInt(chunk.group(2)) < Chunks.MAX_COUNT
        ? chunk.group(1)
        : tag;
  }

  /** Returns the name of the filter that has a Redis key, if it is one of a filter. */
  static Optional<Name> ofKey(String key) {
    Matcher found = KEY.matcher(key);
    String text = found.matches() ? ofChunk(found.group(1)) : "";
    return ALLOWED.matcher(text).matches() && ofChunk(text).equals(text)
        ? Optional.of(new Name(text))
        : Optional.empty();
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
    /** Words to be added to a chunk; in the midst of a script only. */
    ADDED(":added"),
    /** Words that were there before; in the midst of a script only. */
    BEFORE(":before");

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
