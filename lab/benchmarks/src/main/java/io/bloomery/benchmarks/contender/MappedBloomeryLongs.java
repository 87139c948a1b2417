package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.benchmarks.paired.Action;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.Filter;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;

/**
 * A variant of Bloomery that is filled on the heap, saved, and queried in its memory-mapped file.
 */
final class MappedBloomeryLongs extends LongContender {

  private static final LongKeyHasher HASHER = KeyHasher.longs();

  private final Variant variant;
  private final HashBatch batch = new HashBatch();
  private Filter filter; // null after mapping
  private MappedFilter mapped; // null before mapping
  private long sizeInBits;

  MappedBloomeryLongs(String variant) {
    this.variant = new Variant(variant);
  }

  @Override
  public void create(long keys, double rate) {
    filter = variant.create(Bloomery.longs(), keys, rate).filter();
    mapped = null;
  }

  @Override
  boolean put(long key) {
    return filter.put(HASHER.hash(key));
  }

  @Override
  int putBatch(long[] keys, int from, int to) {
    int changed = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      changed += batch.putAll(filter, batch.hash(HASHER, keys, i, to));
    }
    return changed;
  }

  // Called before queries, so that no query needs to check.
  @Override
  void settle() {
    if (mapped != null) {
      return;
    }
    try {
      Path file = Files.createTempFile("benchmark", ".bloom");
      FilterFiles.save(filter, file);
      mapped = Bloomery.installed().files().map(file);
      mapped.verify();
      Files.delete(file);
      sizeInBits = Variant.sizeInBits(filter);
      filter = null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  boolean mightContain(long key) {
    return mapped.mightContain(HASHER.hash(key));
  }

  @Override
  int select(long[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      int size = batch.hash(HASHER, keys, i, to);
      found += mapped.select(batch.hashes(), 0, size, batch.hits());
    }
    return found;
  }

  @Override
  public Set<Action> actions() {
    return EnumSet.complementOf(EnumSet.of(Action.PUT_AND_REMOVE));
  }

  @Override
  public long sizeInBits() {
    settle();
    return sizeInBits;
  }
}
