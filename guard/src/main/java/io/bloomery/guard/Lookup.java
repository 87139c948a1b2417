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

  Lookup(String name, Generations<K> generations, ValueSource<K, V> source, AnswerLimits limits) {
    this.name = name;
    this.generations = generations;
    this.source = source;
    this.calls = new SourceCalls(name, limits.loadTimeout());
    this.absences = new Absences<>(limits.absenceCache());
    this.answers = new Answers<>(limits.valueCache());
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
    return !isFiltered(serving, key) && !isKnownAbsent(key, number(serving));
  }

  Optional<V> get(K key) {
    Generation<K> serving = checked(key);
    if (isFiltered(serving, key)) {
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
                    : ask(key, serving, source, load)
                        .map(value -> Map.of(key, value))
                        .orElse(Map.of()));
    return Optional.ofNullable(loaded.get(key));
  }

  <R> Optional<R> get(K key, ValueSource<? super K, R> other) {
    Generation<K> serving = checked(key);
    return isFiltered(serving, key) || isKnownAbsent(key, number(serving))
        ? Optional.empty()
        : ask(key, serving, other, Loading.current());
  }

  Map<K, V> getAll(Collection<? extends K> keys) {
    checkOpen();
    List<K> distinct = distinct(keys);
    Generation<K> serving = generations.serving();
    long number = number(serving);
    List<K> maybe = select(serving, distinct);
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
    found.putAll(answers.load(unknown, number, (loaded, load) -> askAll(loaded, serving, load)));
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

  private boolean isFiltered(@Nullable Generation<K> serving, K key) {
    if (serving == null) {
      counts.withoutFilter.increment();
      return false;
    }
    try {
      if (!serving.mightContain(key, serving.hash(key))) {
        counts.absent.increment();
        return true;
      }
    } catch (FilterUnavailableException e) {
      counts.withoutFilter.increment();
      return false;
    }
    counts.maybe.increment();
    return false;
  }

  private List<K> select(@Nullable Generation<K> serving, List<K> keys) {
    if (serving != null) {
      try {
        List<K> maybe = serving.select(keys);
        counts.absent.add(keys.size() - maybe.size());
        counts.maybe.add(maybe.size());
        return maybe;
      } catch (FilterUnavailableException e) {
        // As if no filter served.
      }
    }
    counts.withoutFilter.add(keys.size());
    return keys;
  }

  private boolean isKnownAbsent(K key, long generation) {
    boolean known = absences.contains(key, generation);
    if (known) {
      counts.knownAbsent.increment();
    }
    return known;
  }

  private <R> Optional<R> ask(
      K key,
      @Nullable Generation<K> serving,
      ValueSource<? super K, R> values,
      @Nullable Loading load) {
    long number = number(serving);
    long ticket = absences.ticket(key);
    Optional<R> value =
        counted(load, () -> SourceException.checked(values.load(key), SourceException.NO_VALUE));
    if (value.isEmpty()) {
      confirm(key, ticket, number, serving);
    }
    return value;
  }

  private Map<K, V> askAll(Collection<K> keys, @Nullable Generation<K> serving, Loading load) {
    long number = number(serving);
    Map<K, Long> tickets = new HashMap<>();
    keys.forEach(key -> tickets.put(key, absences.ticket(key)));
    Map<K, V> loaded =
        counted(
            load,
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
            confirm(key, ticket, number, serving);
          }
        });
    return values;
  }

  private <T> T counted(@Nullable Loading load, Callable<T> call) {
    counts.loads.increment();
    try {
      return calls.call(load, call);
    } catch (RuntimeException | Error e) {
      counts.loadFailures.increment();
      throw e;
    }
  }

  private void confirm(K key, long ticket, long number, @Nullable Generation<K> serving) {
    if (absences.confirm(key, ticket, number) && serving != null) {
      serving.countAbsent(key);
    }
  }
}
