package io.bloomery.benchmarks.contender;

import io.bloomery.Bloomery;
import io.bloomery.StoredBloomFilter;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.StoredFilter;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A variant of Bloomery that is built once, and queried on the heap, by {@code vector}, or {@code
 * mapped}.
 */
final class BloomeryBuiltLongs extends BuiltLongs {

  private static final LongKeyHasher HASHER = KeyHasher.longs();

  private final String variant;
  private final boolean isMapped;
  private boolean tried;
  private final HashBatch batch = new HashBatch();
  private FilterView filter;
  private long sizeInBits;

  BloomeryBuiltLongs(String text) {
    this.variant = text.split(" ", -1)[0];
    this.isMapped = text.endsWith(" mapped");
    this.tried = !text.endsWith(" vector");
  }

  @Override
  void build(long[] keys, double rate) {
    StoredBloomFilter<Long> built =
        Bloomery.longs().fpp(rate).variant(variant).build(Arrays.stream(keys).boxed());
    StoredFilter stored = built.filter();
    sizeInBits = stored.payloadSize() * Byte.SIZE;
    filter = isMapped ? map(stored) : stored;
    if (!tried) {
      long[] hashes = VectorTrial.hashes();
      for (int i = 0; i < hashes.length / 2; i++) {
        hashes[i] = HASHER.hash(keys[i % keys.length]);
      }
      VectorTrial.pass(filter, hashes);
      tried = true;
    }
  }

  private static MappedFilter map(StoredFilter stored) {
    try {
      Path file = Files.createTempFile("benchmark", ".bloom");
      FilterFiles.save(stored, file);
      MappedFilter mapped = Bloomery.installed().files().map(file);
      mapped.verify();
      Files.delete(file);
      return mapped;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  boolean mightContain(long key) {
    return filter.mightContain(HASHER.hash(key));
  }

  // The filter is in a local variable, as in the loop of a caller.
  @Override
  int queryEach(long[] keys, int from, int to) {
    FilterView filter = this.filter;
    int found = 0;
    for (int i = from; i < to; i++) {
      found += filter.mightContain(HASHER.hash(keys[i])) ? 1 : 0;
    }
    return found;
  }

  @Override
  int select(long[] keys, int from, int to) {
    int found = 0;
    for (int i = from; i < to; i += HashBatch.SIZE) {
      int size = batch.hash(HASHER, keys, i, to);
      found += filter.select(batch.hashes(), 0, size, batch.hits());
    }
    return found;
  }

  @Override
  public long sizeInBits() {
    settle();
    return sizeInBits;
  }
}
