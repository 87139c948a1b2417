package io.bloomery.redis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * What was asked of one filter or window by those who share it, and what each was answered; {@link
 * #check} finds the answers that its promises do not allow.
 *
 * <p>Of a call it is known when it began and when it returned; it took effect at some moment in
 * between. A call that threw may never take effect, or at any moment after it began.
 */
final class History {

  /** A call. */
  enum Call {
    PUT,
    PUT_IF_ABSENT,
    QUERY
  }

  /** Whether a key was there: a put that returns false says so too. */
  enum Answer {
    FOUND,
    ABSENT,
    NONE
  }

  /** One key of a call, with the nanoseconds at which it began and returned. */
  record Event(Call call, long key, long begun, long returned, Answer answer) {

    /** Returns a call that threw. */
    static Event thrown(Call call, long key, long begun) {
      return new Event(call, key, begun, Long.MAX_VALUE, Answer.NONE);
    }

    /** Returns whether this may have made the key the youngest. */
    private boolean mayPut() {
      return call != Call.QUERY && !(call == Call.PUT_IF_ABSENT && answer == Answer.FOUND);
    }

    private boolean hasPut() {
      return mayPut() && answer != Answer.NONE;
    }

    private boolean overlaps(Event other) {
      return begun <= other.returned && other.begun <= returned;
    }
  }

  /**
   * What is remembered.
   *
   * @param keys the last so many distinct keys; {@link Long#MAX_VALUE} for all of them
   * @param nanos the keys of the last so many nanoseconds, whatever {@code keys} says; 0 if it
   *     alone counts
   */
  record Promise(long keys, long nanos) {

    static final Promise ALL = new Promise(Long.MAX_VALUE, 0);
  }

  /**
   * A time during which the clock of the server may have stood still.
   *
   * @param isSetRight whether it was set forward in the end: what was put meanwhile is as old as
   *     the last put before
   */
  record Standstill(long from, long to, boolean isSetRight) {}

  /**
   * What was wrong.
   *
   * @param lost the keys whose put had returned and which were forgotten too early
   * @param absent the answers that said so
   * @param twice the pairs of concurrent puts of one key that were both told that it was new
   * @param late the answers that found a key that must have been forgotten
   * @param unknown the answers that found a key that nobody had put: false positives
   * @param checked the answers about keys that had to be found, right or wrong
   */
  record Findings(int lost, int absent, int twice, int late, int unknown, int checked) {

    Findings plus(Findings other) {
      return new Findings(
          lost + other.lost,
          absent + other.absent,
          twice + other.twice,
          late + other.late,
          unknown + other.unknown,
          checked + other.checked);
    }
  }

  private final Promise promise;
  private final List<Event> events; // by their beginning
  private final List<Standstill> standstills;
  private final Map<Long, List<Event>> byKey = new HashMap<>();
  private final List<Event> threw = new ArrayList<>();
  private long longest; // the duration of a call that returned

  private History(Promise promise, List<Event> events, List<Standstill> standstills) {
    this.promise = promise;
    this.events = new ArrayList<>(events);
    this.events.sort(Comparator.comparingLong(Event::begun));
    this.standstills = standstills;
    for (Event event : this.events) {
      byKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
      if (event.answer() == Answer.NONE) {
        threw.add(event);
      } else {
        longest = Math.max(longest, event.returned() - event.begun());
      }
    }
  }

  /** Checks each answer. */
  static Findings check(Promise promise, List<Event> events, List<Standstill> standstills) {
    return check(promise, events, standstills, (wrong, ofItsKey) -> {});
  }

  /**
   * Checks each answer.
   *
   * @param wrong is told each wrong absence, with all that was done with its key
   */
  static Findings check(
      Promise promise,
      List<Event> events,
      List<Standstill> standstills,
      BiConsumer<Event, List<Event>> wrong) {
    return new History(promise, events, standstills).findings(wrong);
  }

  private Findings findings(BiConsumer<Event, List<Event>> wrong) {
    Set<Long> lost = new HashSet<>();
    int absent = 0;
    int twice = 0;
    int late = 0;
    int unknown = 0;
    int checked = 0;
    for (List<Event> ofKey : byKey.values()) {
      for (int i = 0; i < ofKey.size(); i++) {
        Event event = ofKey.get(i);
        if (event.answer() == Answer.ABSENT) {
          twice += twins(ofKey, i);
        }
        if (event.answer() != Answer.NONE && mustBeFound(ofKey, event)) {
          checked++;
          if (event.answer() == Answer.ABSENT) {
            lost.add(event.key());
            absent++;
            wrong.accept(event, ofKey);
          }
        }
        if (event.answer() == Answer.FOUND) {
          switch (age(ofKey, event)) {
            case NEVER_PUT -> unknown++;
            case FORGOTTEN -> late++;
            case POSSIBLE -> {}
          }
        }
      }
    }
    return new Findings(lost.size(), absent, twice, late, unknown, checked);
  }

  private static boolean isFirst(Event event) {
    return event.hasPut() && event.answer() == Answer.ABSENT;
  }

  /** Counts the earlier puts that were first, as this one was, though one of both was second. */
  private int twins(List<Event> ofKey, int at) {
    Event event = ofKey.get(at);
    int twins = 0;
    for (int i = at - 1; isFirst(event) && i >= 0; i--) {
      Event other = ofKey.get(i);
      if (other.begun() < event.begun() - longest) {
        break;
      }
      if (isFirst(other)
          && other.overlaps(event)
          && isKept(other, event.returned())
          && isKept(event, other.returned())) {
        twins++;
      }
    }
    return twins;
  }

  /** Returns whether the last put that had returned must still be remembered. */
  private boolean mustBeFound(List<Event> ofKey, Event event) {
    Event last = null;
    for (Event other : ofKey) {
      if (other.begun() >= event.begun()) {
        break;
      }
      if (other.hasPut() && other.returned() < event.begun()) {
        last = other;
      }
    }
    return last != null && isKept(last, event.returned());
  }

  /** Returns whether the key of a put must be remembered up to a time. */
  private boolean isKept(Event put, long to) {
    if (promise.nanos() > 0) {
      return to - asOf(put) < promise.nanos();
    }
    return promise.keys() == Long.MAX_VALUE || mayBePut(put, to) < promise.keys();
  }

  /** Returns the earliest time that a put may have by the clock of the server. */
  private long asOf(Event put) {
    long time = put.begun();
    for (Standstill standstill : standstills) {
      if (standstill.isSetRight()
          && put.begun() <= standstill.to()
          && put.returned() >= standstill.from()) {
        time = Math.min(time, lastPutBefore(standstill.from()));
      }
    }
    return time;
  }

  private long lastPutBefore(long time) {
    for (int i = before(time) - 1; i >= 0; i--) {
      Event event = events.get(i);
      if (event.call() == Call.PUT && event.answer() != Answer.NONE && event.returned() < time) {
        return event.begun();
      }
    }
    return Long.MIN_VALUE / 2; // as if it were forgotten
  }

  /** Counts the other distinct keys that may have been put after a put, up to a time. */
  private long mayBePut(Event put, long to) {
    Set<Long> others = new HashSet<>();
    for (Event event : threw) {
      if (event.begun() <= to && event.mayPut() && event.key() != put.key()) {
        others.add(event.key());
      }
    }
    for (int i = before(to + 1) - 1; i >= 0 && others.size() < promise.keys(); i--) {
      Event event = events.get(i);
      if (event.begun() < put.begun() - longest) {
        break;
      }
      if (event.hasPut() && event.returned() >= put.begun() && event.key() != put.key()) {
        others.add(event.key());
      }
    }
    return others.size();
  }

  /** Returns how many events began before a time. */
  private int before(long time) {
    int from = 0;
    int to = events.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      if (events.get(middle).begun() < time) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return from;
  }

  private enum Age {
    NEVER_PUT,
    POSSIBLE,
    FORGOTTEN
  }

  /** Returns whether a key that was found could have been. */
  @SuppressWarnings("ReferenceEquality") // two calls may be equal
  private Age age(List<Event> ofKey, Event event) {
    long last = Long.MIN_VALUE;
    for (Event other : ofKey) {
      if (other != event && other.begun() <= event.returned() && other.mayPut()) {
        last = Math.max(last, other.returned());
      }
    }
    if (last == Long.MIN_VALUE) {
      return Age.NEVER_PUT;
    }
    if (last >= event.begun()) {
      return Age.POSSIBLE;
    }
    if (promise.nanos() > 0) {
      long since = last;
      boolean isSteady =
          standstills.stream().noneMatch(s -> s.from() <= event.returned() && s.to() >= since);
      long half = promise.nanos() - promise.nanos() / 2;
      return isSteady && event.begun() - last > 3 * half ? Age.FORGOTTEN : Age.POSSIBLE;
    }
    return promise.keys() < Long.MAX_VALUE
            && newKeys(last, event.begun()) >= 3 * (promise.keys() - promise.keys() / 2)
        ? Age.FORGOTTEN
        : Age.POSSIBLE;
  }

  /** Counts the keys that were surely put, and were new, between two times. */
  private long newKeys(long from, long to) {
    long count = 0;
    for (int i = before(from + 1); i < events.size() && events.get(i).begun() < to; i++) {
      count += isFirst(events.get(i)) && events.get(i).returned() < to ? 1 : 0;
    }
    return count;
  }
}
