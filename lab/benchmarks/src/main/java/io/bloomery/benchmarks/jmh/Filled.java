package io.bloomery.benchmarks.jmh;

import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.Contender;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.KeyStream;
import io.bloomery.benchmarks.paired.Operation.Share;
import io.bloomery.benchmarks.paired.Subject;

/** A filter that is filled up to its expected keys or less, and keys to query or put. */
final class Filled {

  /** The number of keys per invocation. */
  static final int KEYS = 1_000;

  /** The requested false-positive rate. */
  static final double RATE = 0.01;

  private final Contender contender;
  private final long keys;
  private final KeyStream stream;

  private Filled(Contender contender, KeyKind kind, long keys) {
    this.contender = contender;
    this.keys = keys;
    this.stream = new KeyStream(kind);
    empty();
  }

  /**
   * Creates and fills a filter of one of the subjects that {@code lab/benchmarks/run list} prints.
   */
  static Filled of(String variant, KeyKind kind, long keys) {
    Filled filled = emptyOf(variant, kind, keys);
    while (!filled.isFull()) {
      filled.run(Action.PUT_BATCH, filled.next(Share.NEW));
    }
    return filled;
  }

  /** Creates one without keys. */
  static Filled emptyOf(String variant, KeyKind kind, long keys) {
    Contender contender =
        Subject.all().stream()
            .filter(subject -> subject.name().equals(variant) && subject.takes(kind))
            .findFirst()
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        "variant must be in lab/benchmarks/run list with %s keys, but was '%s'"
                            .formatted(kind.label(), variant)))
            .load(kind);
    return new Filled(contender, kind, keys);
  }

  boolean isFull() {
    return stream.put() >= keys;
  }

  /** Replaces the filter by an empty one; compiled code is kept. */
  void empty() {
    contender.create(keys, RATE);
    stream.restart();
  }

  /** Returns keys that were not returned before, unless they are to be present. */
  synchronized Object next(Share share) {
    return stream.next(share, KEYS);
  }

  int run(Action action, Object keys) {
    return contender.run(action, keys, 0, KEYS);
  }
}
