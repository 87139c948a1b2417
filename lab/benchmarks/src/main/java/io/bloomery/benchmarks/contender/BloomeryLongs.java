package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.benchmarks.paired.Action;
import io.bloomery.benchmarks.paired.FilterOperation;
import io.bloomery.filter.Filter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.IOException;
import java.util.OptionalDouble;
import java.util.Set;

/** A variant of Bloomery with long keys. */
final class BloomeryLongs extends LongContender {

  private static final LongKeyHasher HASHER = KeyHasher.longs();

  private final Variant variant;
  private final HashBatch batch = new HashBatch();
  private Filter filter;

  BloomeryLongs(String variant) {
    this.variant = new Variant(variant);
  }

  @Override
  public void create(long keys, double rate) {
    filter = variant.create(Bloomery.longs(), keys, rate).filter();
  }

  @Override
  boolean put(long key) {
    return filter.put(HASHER.hash(key));
  }

  @Override
  boolean mightContain(long key) {
    return filter.mightContain(HASHER.hash(key));
  }

  // The filter is in a local variable, as in the loop of a caller. The compiled loops of the other
  // libraries have that anyway; ours would read the field for each key, because other threads may
  // have written it.
  @Override
  int putEach(long[] keys, int from, int to) {
    Filter filter = this.filter;
    int changed = 0;
    for (int i = from; i < to; i++) {
      changed += filter.put(HASHER.hash(keys[i])) ? 1 : 0;
    }
    return changed;
  }

  @Override
  int queryEach(long[] keys, int from, int to) {
    Filter filter = this.filter;
    int found = 0;
    for (int i = from; i < to; i++) {
      found += filter.mightContain(HASHER.hash(keys[i])) ? 1 : 0;
    }
    return found;
  }

  @Override
  void remove(long key) {
    ((RemovableFilter) filter).remove(HASHER.hash(key));
  }

  @Override
  int putBatch(long[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      changed += batch.putAll(filter, batch.hash(HASHER, keys, i, to));
    }
    return changed;
  }

  @Override
  int select(long[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      found += batch.select(filter, batch.hash(HASHER, keys, i, to));
    }
    return found;
  }

  @Override
  public Set<Action> actions() {
    return Variant.actions(filter);
  }

  @Override
  public Set<FilterOperation> filterOperations() {
    return Variant.filterOperations(filter);
  }

  @Override
  public void prepare(FilterOperation operation) throws IOException {
    variant.prepare(operation, filter);
  }

  @Override
  public void run(FilterOperation operation) throws IOException {
    variant.run(operation, filter);
  }

  @Override
  public OptionalDouble plannedRate(long keys) {
    return variant.plannedRate(keys);
  }

  @Override
  public long sizeInBits() {
    return Variant.sizeInBits(filter);
  }
}
