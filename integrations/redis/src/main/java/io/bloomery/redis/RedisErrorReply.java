package io.bloomery.redis;

import java.util.Objects;

/**
 * An error that a Redis server sent in place of a reply.
 *
 * @param message what it says, beginning with a code such as {@code MOVED} or {@code NOSCRIPT}
 */
public record RedisErrorReply(String message) {

  /** Checks that there is a message. */
  public RedisErrorReply {
    Objects.requireNonNull(message, "message");
  }

  boolean is(String code) {
    return message.startsWith(code);
  }

  /** Returns the word of the message with this number, such as the address of a redirection. */
  String word(int number) {
    String[] words = message.split(" ", -1);
    return number < words.length ? words[number] : "";
  }
}
