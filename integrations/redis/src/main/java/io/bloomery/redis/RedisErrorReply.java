package io.bloomery.redis;

import java.util.Objects;

/**
 * An error reply of a Redis server.
 *
 * @param message the message, beginning with a code such as {@code MOVED} or {@code NOSCRIPT}
 */
public record RedisErrorReply(String message) {

  /** Checks that there is a message. */
  public RedisErrorReply {
    Objects.requireNonNull(message, "message");
  }

  boolean is(String code) {
    return message.startsWith(code);
  }

  /** Returns a word of the message by its index, such as the address of a redirection. */
  String word(int number) {
    String[] words = message.split(" ", -1);
    return number < words.length ? words[number] : "";
  }
}
