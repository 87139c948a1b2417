package io.bloomery.spark;

import io.bloomery.file.ShardEntry;
import io.bloomery.file.ShardedFilterFiles;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.Sharding;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.Partitioner;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * A build of a sharded filter: hashes are sent to the task of their shard, in arrays of some
 * thousands, and the task writes the shard under a unique name. The driver renames the files of
 * successful tasks, so that a second attempt or a speculative copy changes nothing.
 */
final class ShardBuild {
  // decisions.md#shards-exchange-hashes-not-keys

  private static final int MAX_CHUNK = 1 << 12;
  private static final int CHUNKS_BYTES = 1 << 25;

  private final BloomerySpark.Keys keys;
  private final int shards;
  private final String name;

  ShardBuild(BloomerySpark.Keys keys, int shards, String folder) {
    this.keys = keys;
    this.shards = shards;
    this.name = folder;
  }

  /**
   * The result of a task that has written a shard. Not a record, because Kryo 4 does not support
   * records.
   */
  private static final class Written implements Serializable {

    private static final long serialVersionUID = 1;

    private final int shard;
    private final String file;
    private final long length;
    private final int headerChecksum;
    private final int trailerChecksum;
    private final long bits;
    private final long setBits;
    private final double rate;
    private final boolean areKeysKnown;
    private final long approximateKeys;
    private final long keys;
    private final long nulls;

    Written(int shard, String file, ShardEntry entry, FilterStats stats, long keys, long nulls) {
      this.shard = shard;
      this.file = file;
      this.length = entry.length();
      this.headerChecksum = entry.headerChecksum();
      this.trailerChecksum = entry.trailerChecksum();
      this.bits = stats.sizeInBits();
      this.setBits = stats.setBits();
      this.rate = stats.falsePositiveRate();
      this.areKeysKnown = stats.approximateKeys().isPresent();
      this.approximateKeys = stats.approximateKeys().orElse(0);
      this.keys = keys;
      this.nulls = nulls;
    }

    ShardEntry entry() {
      return new ShardEntry(length, headerChecksum, trailerChecksum);
    }
  }

  BuiltShards run() throws IOException {
    BuildPlan plan = keys.plan();
    Sharding sharding = Sharding.of(plan.spec(), shards);
    Configuration configuration = keys.spark().sparkContext().hadoopConfiguration();
    Path given = new Path(name);
    FileSystem files = HadoopFiles.fileSystem(given, configuration);
    Path folder = files.makeQualified(given);
    Path manifest = new Path(folder, ShardedFilterFiles.MANIFEST);
    if (files.exists(manifest)) {
      throw new FileAlreadyExistsException(
          folder + " must be a new folder, but is a finished filter; name another one");
    }
    Path unfinished = new Path(folder, "_unfinished-" + UUID.randomUUID());
    files.mkdirs(unfinished);
    try {
      return build(plan, sharding, files, folder, unfinished, configuration);
    } finally {
      files.delete(unfinished, true);
    }
  }

  private BuiltShards build(
      BuildPlan plan,
      Sharding sharding,
      FileSystem files,
      Path folder,
      Path unfinished,
      Configuration configuration)
      throws IOException {
    SparkKeyHash hash = keys.hash();
    DataType type = keys.type();
    int count = shards;
    int chunk = Math.max(16, Math.min(MAX_CHUNK, CHUNKS_BYTES / Long.BYTES / count));
    JavaPairRDD<Integer, long[]> hashes =
        keys.rows()
            .mapPartitionsToPair(rows -> new Chunks(rows, hash, type, plan, count, chunk))
            .partitionBy(new ByShard(count));
    String target = unfinished.toString();
    SerializableConfiguration sent = new SerializableConfiguration(configuration);
    List<Written> written =
        new ArrayList<>(
            hashes.mapPartitions(chunks -> write(chunks, plan, count, target, sent)).collect());
    written.sort(Comparator.comparingInt(shard -> shard.shard));
    return finish(written, sharding, files, folder, configuration);
  }

  private static Iterator<Written> write(
      Iterator<Tuple2<Integer, long[]>> chunks,
      BuildPlan plan,
      int shards,
      String folder,
      SerializableConfiguration configuration)
      throws IOException {
    int shard = TaskContext.getPartitionId();
    Filter filter = plan.create(Sharding.of(plan.spec(), shards).spec(shard));
    long keys = 0;
    long nulls = 0;
    while (chunks.hasNext()) {
      Tuple2<Integer, long[]> chunk = chunks.next();
      if (chunk._1() < 0) {
        nulls += chunk._2()[0];
      } else {
        filter.putAll(chunk._2(), 0, chunk._2().length);
        keys += chunk._2().length;
      }
    }
    Path file =
        new Path(
            folder, ShardedFilterFiles.fileName(shard) + "." + TaskContext.get().taskAttemptId());
    FileSystem files = HadoopFiles.fileSystem(file, configuration.value());
    ShardEntry[] entry = new ShardEntry[1];
    HadoopFiles.write(files, file, out -> entry[0] = ShardedFilterFiles.write(filter, out));
    return List.of(new Written(shard, file.toString(), entry[0], filter.stats(), keys, nulls))
        .iterator();
  }

  private BuiltShards finish(
      List<Written> written,
      Sharding sharding,
      FileSystem files,
      Path folder,
      Configuration configuration)
      throws IOException {
    List<ShardEntry> entries = new ArrayList<>();
    long rows = 0;
    long nulls = 0;
    for (Written shard : written) {
      HadoopFiles.rename(
          files,
          new Path(shard.file),
          new Path(folder, ShardedFilterFiles.fileName(shard.shard)),
          configuration);
      entries.add(shard.entry());
      rows += shard.keys + shard.nulls;
      nulls += shard.nulls;
    }
    HadoopFiles.replace(
        new Path(folder, ShardedFilterFiles.MANIFEST).toString(),
        configuration,
        out -> ShardedFilterFiles.writeManifest(sharding, entries, out));
    return new BuiltShards(name, rows, nulls, stats(written, sharding));
  }

  private static FilterStats stats(List<Written> written, Sharding sharding) {
    FilterStats.Builder stats = FilterStats.of(sharding.spec());
    // In order, so that programs that open the folder compute the same sum.
    double rates = 0;
    for (Written shard : written) {
      rates += shard.rate;
    }
    boolean areKnown = written.stream().allMatch(shard -> shard.areKeysKnown);
    long keys = written.stream().mapToLong(shard -> shard.approximateKeys).sum();
    return stats
        .sizeInBits(written.stream().mapToLong(shard -> shard.bits).sum())
        .setBits(written.stream().mapToLong(shard -> shard.setBits).sum())
        .falsePositiveRate(rates / written.size())
        .approximateKeys(areKnown ? OptionalLong.of(keys) : OptionalLong.empty())
        .build();
  }

  /** Assigns each array to the task of its shard. */
  private static final class ByShard extends Partitioner {

    private static final long serialVersionUID = 1;

    private final int shards;

    ByShard(int shards) {
      this.shards = shards;
    }

    @Override
    public int numPartitions() {
      return shards;
    }

    @Override
    public int getPartition(Object shard) {
      return Math.max(0, (Integer) shard);
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof ByShard that && that.shards == shards;
    }

    @Override
    public int hashCode() {
      return shards;
    }
  }

  /**
   * The hashes of rows in arrays of one shard each, and at the end the number of rows without a
   * key, which belong to no shard and are sent to the first.
   */
  private static final class Chunks implements Iterator<Tuple2<Integer, long[]>> {

    private static final int NULLS = -1;

    private final Iterator<InternalRow> rows;
    private final SparkKeyHash hash;
    private final DataType type;
    private final Sharding sharding;
    private final long[][] chunks;
    private final int[] sizes;
    private final int chunk;
    private long nulls;
    private int next; // the next shard to flush when there are no more rows
    private @Nullable Tuple2<Integer, long[]> ready;

    Chunks(
        Iterator<InternalRow> rows,
        SparkKeyHash hash,
        DataType type,
        BuildPlan plan,
        int shards,
        int chunk) {
      this.rows = rows;
      this.hash = hash;
      this.type = type;
      this.sharding = Sharding.of(plan.spec(), shards);
      this.chunks = new long[shards][];
      this.sizes = new int[shards];
      this.chunk = chunk;
    }

    @Override
    public boolean hasNext() {
      if (ready == null) {
        ready = full();
      }
      if (ready == null) {
        ready = rest();
      }
      return ready != null;
    }

    private @Nullable Tuple2<Integer, long[]> full() {
      while (rows.hasNext()) {
        InternalRow row = rows.next();
        if (row.isNullAt(0)) {
          nulls++;
          continue;
        }
        long key = hash.hash(row, 0, type);
        int shard = sharding.shardOf(key);
        long[] hashes = chunks[shard];
        if (hashes == null) {
          chunks[shard] = hashes = new long[chunk];
        }
        hashes[sizes[shard]++] = key;
        if (sizes[shard] == chunk) {
          chunks[shard] = null;
          sizes[shard] = 0;
          return new Tuple2<>(shard, hashes);
        }
      }
      return null;
    }

    private @Nullable Tuple2<Integer, long[]> rest() {
      while (next < chunks.length) {
        int shard = next++;
        if (sizes[shard] > 0) {
          return new Tuple2<>(shard, Arrays.copyOf(chunks[shard], sizes[shard]));
        }
      }
      if (nulls > 0) {
        long[] count = {nulls};
        nulls = 0;
        return new Tuple2<>(NULLS, count);
      }
      return null;
    }

    @Override
    public Tuple2<Integer, long[]> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      Tuple2<Integer, long[]> given = Objects.requireNonNull(ready);
      ready = null;
      return given;
    }
  }
}
