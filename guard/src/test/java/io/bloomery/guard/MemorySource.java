package io.bloomery.guard;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** A source in memory, which counts what it is asked and can be made to fail. */
final class MemorySource implements GuardSource<String, String> {

  /** What happens when the source is used. */
  interface Trouble {

    void strike() throws Exception;
  }

  /** What happens when the source is asked for something. */
  interface TroubleWith<T> {

    void strike(T asked) throws Exception;
  }

  static Trouble failing(Exception failure) {
    return () -> {
      throw failure;
    };
  }

  final Map<String, String> rows = new ConcurrentHashMap<>();
  final LongAdder loads = new LongAdder();
  final AtomicInteger batches = new AtomicInteger();
  final AtomicInteger scans = new AtomicInteger();
  volatile Trouble onKeys = () -> {};
  volatile Trouble onEachKey = () -> {};
  volatile Trouble onLoad = () -> {};
  volatile TroubleWith<Collection<String>> onLoadOf = keys -> {};

  static MemorySource of(String... keys) {
    MemorySource table = new MemorySource();
    Stream.of(keys).forEach(table::insert);
    return table;
  }

  /** Returns a table of keys made of a prefix and the numbers below {@code count}. */
  static MemorySource of(String prefix, int count) {
    MemorySource table = new MemorySource();
    for (int i = 0; i < count; i++) {
      table.insert(prefix + i);
    }
    return table;
  }

  void insert(String key) {
    rows.put(key, "value of " + key);
  }

  boolean delete(String key) {
    return rows.remove(key) != null;
  }

  /** As a database gives them: what is written after this call is not among them. */
  @Override
  public Stream<String> keys() throws Exception {
    scans.incrementAndGet();
    List<String> snapshot = new ArrayList<>(rows.keySet());
    onKeys.strike();
    return snapshot.stream()
        .peek(
            key -> {
              try {
                onEachKey.strike();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
  }

  /** Looked up before the trouble, so that the answer may be out of date when it arrives. */
  @Override
  public Optional<String> load(String key) throws Exception {
    loads.increment();
    Optional<String> value = Optional.ofNullable(rows.get(key));
    onLoadOf.strike(List.of(key));
    onLoad.strike();
    return value;
  }

  @Override
  public Map<String, String> loadAll(Collection<String> keys) throws Exception {
    batches.incrementAndGet();
    Map<String, String> loaded = new HashMap<>();
    for (String key : keys) {
      Optional.ofNullable(rows.get(key)).ifPresent(value -> loaded.put(key, value));
    }
    onLoadOf.strike(keys);
    onLoad.strike();
    return loaded;
  }
}
