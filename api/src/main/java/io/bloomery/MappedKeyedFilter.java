package io.bloomery;

import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/**
 * A saved set of keys that answers from its file: a {@link MappedFilter}, which says what that
 * promises, together with the {@link KeyHasher} whose hashes it holds. Keys are as for {@link
 * KeyedFilter}.
 *
 * <p>As a {@link Predicate} it fits where one is wanted, until it is closed.
 *
 * @param <K> the type of keys
 */
public final class MappedKeyedFilter<K> implements Predicate<K>, AutoCloseable {

  private final MappedFilter filter;
  private final KeyHasher<? super K> hasher;

  private MappedKeyedFilter(MappedFilter filter, KeyHasher<? super K> hasher) {
    this.filter = filter;
    this.hasher = hasher;
  }

  /**
   * Joins a filter and a hasher.
   *
   * @throws IllegalArgumentException if the filter holds hashes of another hasher
   */
  public static <K> MappedKeyedFilter<K> of(MappedFilter filter, KeyHasher<? super K> hasher) {
    KeyedFilter.checkHasher(filter.spec(), hasher);
    return new MappedKeyedFilter<>(filter, hasher);
  }

  /**
   * Returns false only if the key is certainly absent.
   *
   * @throws IllegalStateException if this was closed
   */
  public boolean mightContain(K key) {
    return filter.mightContain(hasher.hash(Objects.requireNonNull(key, "key")));
  }

  /** Does what {@link #mightContain} does. */
  @Override
  public boolean test(K key) {
    return mightContain(key);
  }

  /**
   * Returns those keys that might be contained, in their order, as {@link KeyedFilter#select} does.
   *
   * @throws NullPointerException if a key is null
   * @throws IllegalStateException if this was closed
   */
  public List<K> select(Collection<? extends K> keys) {
    return KeyedFilter.select(filter, hasher, keys);
  }

  /** Returns what was asked for when the filter was created. */
  public FilterSpec spec() {
    return filter.spec();
  }

  /**
   * Measures the filter; reads all that queries look at.
   *
   * @throws IllegalStateException if this was closed
   */
  public FilterStats stats() {
    return filter.stats();
  }

  /**
   * Reads the whole content and compares it with its checksums.
   *
   * @throws FilterFormatException if one does not match; the message names the damaged region
   * @throws IllegalStateException if this was closed
   */
  public void verify() throws IOException {
    filter.verify();
  }

  /** Returns the filter of hashes behind this one. */
  public MappedFilter filter() {
    return filter;
  }

  /** Lets go of the file; every later query throws. Does nothing if this was closed before. */
  @Override
  public void close() {
    filter.close();
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
