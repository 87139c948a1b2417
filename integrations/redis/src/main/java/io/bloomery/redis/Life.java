package io.bloomery.redis;

import java.time.Duration;

/**
 * How long a generation of a filter lives after it has begun to serve. The record expires first: it
 * alone decides whether there is a filter. The chunks expire {@link #GRACE_MILLIS} later.
 *
 * @param millis the time; 0 if it does not end
 * @param isRenewed whether puts begin it anew
 */
record Life(long millis, boolean isRenewed) {
  // decisions.md#the-record-of-a-filter-expires-a-minute-before-its-chunks

  static final Life ENDLESS = new Life(0, false);

  /**
   * How long a chunk lives after its record at most: one that has more left has lost it. The life
   * of the chunks begins first, and that of the record less than half of this later.
   */
  static final long GRACE_MILLIS = 60_000;

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofDays(36_500);
  private static final String RENEWED = " renewed";

  /**
   * Returns the life of a duration.
   *
   * @throws IllegalArgumentException if that is less than a second or more than 36,500 days
   */
  static Life of(Duration life, boolean isRenewed) {
    if (life.compareTo(SHORTEST) < 0 || life.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException("a life must be from 1 s to 36500 days, but was " + life);
    }
    return new Life(life.toMillis(), isRenewed);
  }

  /** Parses what a record has of it. */
  static Life parse(String text) {
    boolean isRenewed = text.endsWith(RENEWED);
    long millis =
        Long.parseLong(isRenewed ? text.substring(0, text.length() - RENEWED.length()) : text);
    return of(Duration.ofMillis(millis), isRenewed);
  }

  boolean isEndless() {
    return millis == 0;
  }

  /** Returns the time, which has an end. */
  Duration duration() {
    return Duration.ofMillis(millis);
  }

  /** Returns the time in milliseconds after which a chunk expires, for scripts; 0 for never. */
  String ofChunk() {
    return Long.toString(isEndless() ? 0 : millis + GRACE_MILLIS);
  }

  /** Returns what a record has of it. */
  String text() {
    return millis + (isRenewed ? RENEWED : "");
  }

  @Override
  public String toString() {
    return isEndless() ? "no end" : duration() + (isRenewed ? " since the last put" : "");
  }
}
