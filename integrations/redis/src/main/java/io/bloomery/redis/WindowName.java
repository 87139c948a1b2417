package io.bloomery.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The name of a window, and the names of its Redis keys: all have one hash tag, and so are in one
 * slot.
 */
record WindowName(Name name) {
  // decisions.md#a-window-on-redis-is-in-one-slot

  /** The number of generations that are remembered. */
  static final int GENERATIONS = 3;

  /** The largest number of parts. */
  static final int MAX_PARTS = 64;

  static final String KEYS = "bloomery:window:{*";
  private static final Pattern KEY = Pattern.compile("bloomery:window:\\{([^{}]+)}.*");

  WindowName(String text) {
    this(new Name(text));
  }

  /** Returns the name of the window that has a Redis key, if it is one of a window. */
  static Optional<WindowName> ofKey(String key) {
    Matcher found = KEY.matcher(key);
    try {
      return found.matches() ? Optional.of(new WindowName(found.group(1))) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  String recordKeyText() {
    return "bloomery:window:{" + name + "}";
  }

  byte[] recordKey() {
    return Script.ascii(recordKeyText());
  }

  /** Returns the keys of the record and of a number of parts. */
  List<byte[]> keys(int parts) {
    List<byte[]> keys = new ArrayList<>();
    keys.add(recordKey());
    for (int part = 0; part < parts; part++) {
      keys.add(Script.ascii(recordKeyText() + ":" + part));
    }
    return keys;
  }

  @Override
  public String toString() {
    return name.text();
  }
}
