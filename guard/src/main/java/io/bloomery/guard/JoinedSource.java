package io.bloomery.guard;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/** A source of two functions. */
record JoinedSource<K, V>(GuardSource.KeyStream<K> keyStream, ValueSource<K, V> values)
    implements GuardSource<K, V> {

  JoinedSource {
    Objects.requireNonNull(keyStream, "keys must not be null");
    Objects.requireNonNull(values, "values must not be null");
  }

  @Override
  public Stream<? extends K> keys() throws Exception {
    return keyStream.keys();
  }

  @Override
  public Optional<V> load(K key) throws Exception {
    return values.load(key);
  }

  @Override
  public Map<K, V> loadAll(Collection<K> keys) throws Exception {
    return values.loadAll(keys);
  }
}
