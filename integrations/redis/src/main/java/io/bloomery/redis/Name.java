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

  String chunkKeyText(int chunk) {
    return "bloomery:{" + text + "/" + chunk + "}";
  }

  byte[] recordKey() {
    return Script.ascii(recordKeyText());
  }

  byte[] chunkKey(int chunk) {
    return Script.ascii(chunkKeyText(chunk));
  }

  byte[] nextKey(int chunk) {
    return Script.ascii(chunkKeyText(chunk) + ":next");
  }

  @Override
  public String toString() {
    return text;
  }
}
