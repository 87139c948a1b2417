package io.bloomery.guard;

import io.bloomery.filter.FilterUnavailableException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** The steps of a query: the filter, then the caches for keys that pass it, then the source. */
final class Lookup<K, V> {

  private final String name;
  private final Generations<K> generations;
  private final ValueSource<K, V> source;
  private final SourceCalls calls;
  private final Absences<K> absences;
  private final Answers<K, V> answers;
  private final Counts counts = new Counts();
  private volatile boolean closed;

  Lookup(
      String name,
      Generations<K> generations,
      ValueSource<K, V> source,
      AnswerLimits limits,
      KeyIdentity<K> identity) {
    this.name = name;
    this.generations = generations;
    this.source = source;
    this.calls = new SourceCalls(name, limits);
    this.absences = new Absences<>(identity, limits.absenceCache());
    this.answers = new Answers<>(identity, limits.valueCache());
  }

  String name() {
    return name;
  }

  Counts counts() {
    return counts;
  }

  long knownAbsences() {
    return absences.count();
  }

  boolean isClosed() {
    return closed;
  }

  /** Returns false only if the key is absent. Does not query the source. */
  boolean mightContain(K key) {
    Generation<K> serving = checked(key);
    return verdict(serving, key, false) != Verdict.ABSENT && !isKnownAbsent(key, number(serving));
  }

  /** Counts a key that passed, and that a caller did not find in the source. */
  void notFound(K key) {
    Generation<K> serving = checked(key);
    if (serving != null) {
      serving.notFound(key);
    }
  }

  Optional<V> get(K key) {
    Generation<K> serving = checked(key);
    Verdict verdict = verdict(serving, key, true);
    if (verdict == Verdict.ABSENT) {
      return Optional.empty();
    }
    Optional<V> cached = answers.cached(key);
    if (cached.isPresent()) {
      counts.cached.increment();
      return cached;
    }
    long number = number(serving);
    if (isKnownAbsent(key, number)) {
      return Optional.empty();
    }
    Map<K, V> loaded =
        answers.load(
            List.of(key),
            number,
            (keys, load) ->
                // Looked up again: another thread may just have confirmed the absence.
                isKnownAbsent(key, number)
                    ? Map.of()
                    : ask(key, number, verdict == Verdict.MAYBE ? serving : null, source, load)
                        .map(value -> Map.of(key, value))
                        .orElse(Map.of()));
    return Optional.ofNullable(loaded.get(key));
  }

  <R> Optional<R> get(K key, ValueSource<? super K, R> other) {
    Objects.requireNonNull(other, "source must not be null");
    Generation<K> serving = checked(key);
    Verdict verdict = verdict(serving, key, true);
    long number = number(serving);
    return verdict == Verdict.ABSENT || isKnownAbsent(key, number)
        ? Optional.empty()
        : ask(key, number, verdict == Verdict.MAYBE ? serving : null, other, Loading.current());
  }

  Map<K, V> getAll(Collection<? extends K> keys) {
    checkOpen();
    List<K> distinct = distinct(keys);
    Generation<K> serving = generations.serving();
    long number = number(serving);
    Optional<List<K>> selected = select(serving, distinct);
    List<K> maybe = selected.orElse(distinct);
    Generation<K> passed = selected.isPresent() ? serving : null;
    Map<K, V> found = new HashMap<>();
    List<K> unknown = new ArrayList<>();
    for (K key : maybe) {
      Optional<V> cached = answers.cached(key);
      if (cached.isPresent()) {
        counts.cached.increment();
        found.put(key, cached.get());
      } else if (!isKnownAbsent(key, number)) {
        unknown.add(key);
      }
    }
    found.putAll(
        answers.load(unknown, number, (loaded, load) -> askAll(loaded, number, passed, load)));
    Map<K, V> inOrder = new LinkedHashMap<>();
    maybe.stream().filter(found::containsKey).forEach(key -> inOrder.put(key, found.get(key)));
    return inOrder;
  }

  /** Drops the cached answers for a key, including loads in progress. */
  void withdraw(K key) {
    answers.withdraw(key);
    absences.withdraw(key);
  }

  void close() {
    closed = true;
    generations.close();
    calls.close();
  }

  void checkOpen() {
    if (closed) {
      throw closed(name);
    }
  }

  static IllegalStateException closed(String guard) {
    return new IllegalStateException(
        "guard " + guard + " must be open, but was closed; close it after its last use");
  }

  private static <K> List<K> distinct(Collection<? extends K> keys) {
    Set<K> distinct = new LinkedHashSet<>();
    for (K key : Objects.requireNonNull(keys, "keys must not be null")) {
      check(Objects.requireNonNull(key, "keys must not be null, but one was; leave it out"));
      distinct.add(key);
    }
    return List.copyOf(distinct);
  }

  private @Nullable Generation<K> checked(K key) {
    check(key);
    Generation<K> serving = generations.serving();
    if (serving == null) { // also the case once closed
      checkOpen();
    }
    return serving;
  }

  /** Rejects an invalid key, before anything is changed. */
  static void check(Object key) {
    Objects.requireNonNull(key, "key must not be null");
    if (key.getClass().isArray()) {
      throw new IllegalArgumentException(
          "keys of a guard must be equal by equals(), which arrays are not, but a key was of class "
              + key.getClass().getTypeName()
              + "; take text, or a record that compares the content");
    }
  }

  // The serving generation may have changed since the lookup, but only to a newer one.
  private long number(@Nullable Generation<K> serving) {
    return serving == null ? generations.number() : serving.number();
  }

  private enum Verdict {
    ABSENT,
    MAYBE,
    /** There is no filter, or it does not answer. */
    UNKNOWN
  }

  /**
   * Returns what the filter says of a key.
   *
   * @param asksSource whether the guard asks the source if the key passes
   */
  private Verdict verdict(@Nullable Generation<K> serving, K key, boolean asksSource) {
    if (serving != null && serving.breaker().permits()) {
      try {
        long hash = serving.hash(key);
        if (serving.mightContain(key, hash)) {
          counts.maybe.increment();
          return Verdict.MAYBE;
        }
        counts.absent.increment();
        serving.sample().keptBack(hash, asksSource);
        return Verdict.ABSENT;
      } catch (FilterUnavailableException e) {
        // As if no filter served.
      }
    }
    counts.withoutFilter.increment();
    return Verdict.UNKNOWN;
  }

  /** Returns the keys that pass the filter, or empty if it does not answer. */
  private Optional<List<K>> select(@Nullable Generation<K> serving, List<K> keys) {
    if (keys.isEmpty()) {
      return Optional.of(keys); // no question to the filter
    }
    if (serving != null && serving.breaker().permits()) {
      try {
        List<K> maybe = serving.select(keys);
        counts.absent.add(keys.size() - maybe.size());
        counts.maybe.add(maybe.size());
        return Optional.of(maybe);
      } catch (FilterUnavailableException e) {
        // As if no filter served.
      }
    }
    counts.withoutFilter.add(keys.size());
    return Optional.empty();
  }

  private boolean isKnownAbsent(K key, long generation) {
    boolean known = absences.contains(key, generation);
    if (known) {
      counts.knownAbsent.increment();
    }
    return known;
  }

  /**
   * Loads the value of a key.
   *
   * @param number that of the generation that serves
   * @param passed the generation whose filter the key passed, or null if none was asked
   */
  private <R> Optional<R> ask(
      K key,
      long number,
      @Nullable Generation<K> passed,
      ValueSource<? super K, R> values,
      @Nullable Loading load) {
    long ticket = absences.ticket(key);
    Optional<R> value =
        counted(
            load,
            passed,
            () -> SourceException.checked(values.load(key), SourceException.NO_VALUE));
    if (value.isEmpty()) {
      confirm(key, ticket, number, passed);
    }
    return value;
  }

  private Map<K, V> askAll(
      Collection<K> keys, long number, @Nullable Generation<K> passed, Loading load) {
    Map<K, Long> tickets = new HashMap<>();
    keys.forEach(key -> tickets.put(key, absences.ticket(key)));
    Map<K, V> loaded =
        counted(
            load,
            passed,
            () -> SourceException.checked(source.loadAll(List.copyOf(keys)), "a map from loadAll"));
    Map<K, V> values = new HashMap<>();
    tickets.forEach(
        (key, ticket) -> {
          V value = loaded.get(key);
          if (value != null) {
            values.put(key, value);
          } else if (loaded.containsKey(key)) {
            throw SourceException.nullInsteadOf("no null values in the map of loadAll");
          } else {
            confirm(key, ticket, number, passed);
          }
        });
    return values;
  }

  private <T> T counted(@Nullable Loading load, @Nullable Generation<K> passed, Callable<T> call) {
    counts.loads.increment();
    boolean answered = false;
    try {
      T answer = calls.call(load, call);
      answered = true;
      return answer;
    } finally {
      if (!answered) {
        counts.loadFailures.increment();
      }
      if (passed != null) {
        passed.sample().asked(answered);
      }
    }
  }

  private void confirm(K key, long ticket, long number, @Nullable Generation<K> passed) {
    if (absences.confirm(key, ticket, number) && passed != null) {
      passed.sample().letThrough(passed.hash(key));
    }
  }
}
