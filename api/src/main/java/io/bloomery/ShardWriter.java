package io.bloomery;

import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.Sharding;
import io.bloomery.filter.ThreadMode;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;

/**
 * A writer of a sharded filter, which holds one shard in memory at a time. Shards may be written in
 * any order, and different shards by different threads or processes.
 *
 * <pre>{@code
 * ShardWriter<String> seen = Bloomery.strings().expect(10_000_000_000L).shards(64, folder);
 * for (int i = 0; i < 64; i++) {
 *   seen.write(i, keysOf(i));        // those whose seen.shardOf(key) is i
 * }
 * seen.finish();
 * ShardedBloomFilter<String> again = Bloomery.strings().mapShards(folder);
 * }</pre>
 *
 * @param <K> the type of keys
 */
public final class ShardWriter<K> {

  private final FilterProvider provider;
  private final Sharding sharding;
  private final KeyHasher<? super K> hasher;
  private final FilterLimits limits;
  private final Path folder;

  ShardWriter(
      FilterProvider provider,
      Sharding sharding,
      KeyHasher<? super K> hasher,
      FilterLimits limits,
      Path folder) {
    this.provider = provider;
    this.sharding = sharding;
    this.hasher = hasher;
    this.limits = limits;
    this.folder = Objects.requireNonNull(folder, "folder");
  }

  /** Returns the sharding of the filter. */
  public Sharding sharding() {
    return sharding;
  }

  /** Returns the index of the shard that a key belongs to. */
  public int shardOf(K key) {
    return sharding.shardOf(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
  }

  /**
   * Writes a shard with all its keys, atomically. The bytes of the file do not depend on the order
   * or multiplicity of the keys. A shard may be rewritten until {@link #finish} is called.
   *
   * @param keys all keys of the shard, and no keys of another shard
   * @return the number of keys that were certainly absent when they were added
   * @throws IllegalArgumentException if a key belongs to another shard; nothing is written
   * @throws NullPointerException if a key is null; nothing is written
   * @throws java.nio.file.FileAlreadyExistsException if the folder already has a manifest
   * @throws IOException if the file cannot be written; its previous content is kept
   */
  public long write(int shard, Iterable<? extends K> keys) throws IOException {
    Filter filter = provider.create(sharding.spec(shard), ThreadMode.CONFINED, limits);
    long added =
        new HashBatches<K>(keys, hasher, "not written")
            .sum(
                (hashes, count) -> {
                  for (int i = 0; i < count; i++) {
                    check(shard, hashes[i]);
                  }
                  return filter.putAll(hashes, 0, count);
                });
    ShardedFilterFiles.save(filter, sharding, folder);
    return added;
  }

  private void check(int shard, long hash) {
    int right = sharding.shardOf(hash);
    if (right != shard) {
      throw new IllegalArgumentException(
          "keys must be those of shard "
              + shard
              + ", but one belongs to shard "
              + right
              + "; give each shard the keys for which shardOf(key) is its number");
    }
  }

  /**
   * Writes the manifest, which turns the shards into one filter. Once this method has returned, it
   * survives a loss of power as what {@link io.bloomery.file.FilterFiles#save} has saved, with the
   * names of the folder and of those above that were made for it.
   *
   * @throws java.nio.file.NoSuchFileException if a shard was not written; the message names it
   * @throws UnexpectedFilterException if the file of a shard holds a different filter
   * @throws java.nio.file.FileAlreadyExistsException if the folder already has a manifest
   * @throws IOException if a file cannot be read, or the manifest cannot be written
   */
  public void finish() throws IOException {
    ShardedFilterFiles.complete(sharding, folder);
  }
}
