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
 * Writes a filter in shards, one shard after the other: with one of them in memory, in any order,
 * in several threads or processes that each write other ones.
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

  /** Returns how the filter is cut. */
  public Sharding sharding() {
    return sharding;
  }

  /** Returns which shard a key belongs to. */
  public int shardOf(K key) {
    return sharding.shardOf(hasher.hash(Objects.requireNonNull(key, "key must not be null")));
  }

  /**
   * Writes a shard with all its keys, atomically: its file is then the same, whatever the order of
   * the keys and however often they come. A shard may be written again until all are {@linkplain
   * #finish finished}.
   *
   * @param keys all keys of the shard, and of no other
   * @return how many of them were new
   * @throws IllegalArgumentException if a key belongs to another shard; nothing is written
   * @throws NullPointerException if a key is null; nothing is written
   * @throws java.nio.file.FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if the file cannot be written; it is then what it was
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
   * Writes the manifest, which makes the shards one filter.
   *
   * @throws java.nio.file.NoSuchFileException if a shard was not written; the message names it
   * @throws UnexpectedFilterException if a file is another filter than its shard
   * @throws java.nio.file.FileAlreadyExistsException if the folder has a manifest
   * @throws IOException if a file cannot be read, or the manifest cannot be written
   */
  public void finish() throws IOException {
    ShardedFilterFiles.complete(sharding, folder);
  }
}
