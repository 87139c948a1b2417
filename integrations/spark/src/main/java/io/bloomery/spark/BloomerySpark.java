package io.bloomery.spark;

import io.bloomery.BloomFilter;
import io.bloomery.file.SerializableFilter;
import io.bloomery.filter.Filter;
import java.io.IOException;
import java.util.Objects;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.network.util.JavaUtils;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.expressions.Aggregator;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * Bloom filters built by Spark from the keys in a column or an RDD, and queried in a column.
 *
 * <pre>{@code
 * BuiltFilter seen =
 *     BloomerySpark.build(pages, "url", FilterRequest.expect(1_000_000_000).fpp(0.001));
 * seen.save("hdfs://nodes/filters/seen.bloom", spark.sparkContext().hadoopConfiguration());
 * Dataset<Row> known = links.filter(BloomerySpark.mightContain(spark, seen, col("target")));
 * }</pre>
 *
 * <p>The file is equal to one built from the same keys elsewhere, so that any program can open it;
 * {@link KeyType} describes how. {@link BloomeryExtensions} provides functions for SQL.
 */
public final class BloomerySpark {

  /** The maximum size of a filter, below the limit of Java and Spark for one array. */
  static final long MAX_BYTES = Integer.MAX_VALUE - (1 << 20);

  private static final long MAX_FAN_IN_BYTES = 1L << 31;
  private static final int MAX_DEPTH = 6;
  private static final double DEVIATION = 0.01;

  private BloomerySpark() {}

  /**
   * Builds a filter of the keys in a column. Each task holds one filter, and a second one while
   * filters are merged.
   *
   * @param column a string, binary, integer, decimal, timestamp or date; nulls are omitted and
   *     counted
   * @throws IllegalArgumentException if the column has another type, the variant does not support
   *     merging, or the filter is larger than the driver can receive
   */
  public static BuiltFilter build(Dataset<?> data, String column, FilterRequest request) {
    return build(data, functions.col(column), request);
  }

  /** Builds a filter of the keys in an expression, as the other method does. */
  public static BuiltFilter build(Dataset<?> data, Column column, FilterRequest request) {
    Keys keys = Keys.of(data, column, request);
    FilterBuffer zero = new FilterBuffer(keys.plan());
    return aggregate(keys.rows(), zero, new PutRow(keys.hash(), keys.type()));
  }

  /**
   * Builds a filter of the keys in an RDD, whose type the request must specify.
   *
   * @throws IllegalArgumentException as for a column, or if the request does not specify the type
   */
  public static BuiltFilter build(JavaRDD<?> data, FilterRequest request) {
    KeyType type = request.keys();
    if (type == null) {
      throw new IllegalArgumentException(
          "an RDD does not tell what its keys are: say such as request.keys(KeyType.TEXT)");
    }
    if (request.isCounted()) {
      throw new IllegalArgumentException(
          "keys of an RDD must be counted by its owner: say such as"
              + " FilterRequest.expect(data.countApproxDistinct(0.01) * 103 / 100)");
    }
    SparkKeyHash hash = request.hash(type);
    BuildPlan plan = request.plan(hash);
    return aggregate(data.map(key -> (Object) key), new FilterBuffer(plan), new PutObject(hash));
  }

  private static <T> BuiltFilter aggregate(
      JavaRDD<T> keys, FilterBuffer zero, Function2<FilterBuffer, T, FilterBuffer> put) {
    zero.plan().checkMergeable();
    long bytes = zero.plan().sizeInBytes(zero.plan().spec());
    checkSize(bytes, keys.context().getConf());
    int depth = depth(keys.getNumPartitions(), bytes);
    return new BuiltFilter(
        keys.treeAggregate(zero, put, (one, other) -> one.merge(other), depth, true));
  }

  private static void checkSize(long bytes, SparkConf conf) {
    long result = JavaUtils.byteStringAsBytes(conf.get("spark.driver.maxResultSize", "1g"));
    long allowed = result == 0 ? MAX_BYTES : Math.min(result, MAX_BYTES);
    if (bytes > allowed) {
      throw new IllegalArgumentException(
          "the filter must have at most the "
              + allowed
              + " bytes that the driver takes of a task (spark.driver.maxResultSize), but has "
              + bytes
              + "; build it in shards, by buildShards");
    }
  }

  /**
   * Returns the number of levels in which parts are merged: one if a task then receives at most 2
   * GiB, because each level shuffles full tables again, and otherwise as many as needed.
   */
  static int depth(int partitions, long bytes) {
    int depth = 1;
    while (depth < MAX_DEPTH
        && Math.ceil(Math.pow(partitions, 1.0 / depth)) * bytes > MAX_FAN_IN_BYTES) {
      depth++;
    }
    return depth;
  }

  /**
   * Builds a sharded filter in a folder: as many tasks as shards each build one shard and write it,
   * and nothing is merged, so that the filter may be larger than any machine. A hash of 8 bytes is
   * shuffled for each row. {@code Bloomery.strings().mapShards(folder)} opens the filter, once it
   * is on a disk.
   *
   * <p>The folder becomes a filter atomically, when its manifest is written; a build that fails
   * before that leaves shards that the next build replaces.
   *
   * @param shards from 1 to 65,536
   * @param folder a new folder, on any file system that Hadoop supports
   * @throws IllegalArgumentException as for {@link #build}, or if a shard is larger than a task can
   *     hold
   * @throws IOException if the folder has a manifest, or a file cannot be written
   */
  public static BuiltShards buildShards(
      Dataset<?> data, String column, FilterRequest request, int shards, String folder)
      throws IOException {
    Keys keys = Keys.of(data, functions.col(column), request);
    return new ShardBuild(keys, shards, folder).run();
  }

  /**
   * Returns an aggregator for typed data, whose results are files: {@code
   * words.groupByKey(...).agg(BloomerySpark.<String>aggregator(request).toColumn())}.
   *
   * <p>A file cannot tell that it has more keys than expected, so that the job fails then, with the
   * number to expect, unless the request says {@link FilterRequest#keepOverfull}.
   *
   * @param request must specify the type of keys and the expected number
   * @throws IllegalArgumentException if it does not, or has a secret
   */
  public static <K> Aggregator<K, ?, byte[]> aggregator(FilterRequest request) {
    KeyType type = request.keys();
    if (type == null || request.isCounted()) {
      throw new IllegalArgumentException(
          "an aggregate must be told the type and the number of its keys: say such as"
              + " FilterRequest.expect(1_000_000).keys(KeyType.TEXT)");
    }
    if (request.hasSecret()) {
      throw new IllegalArgumentException(
          "an aggregate is part of a plan, which must not have a secret; use build");
    }
    SparkKeyHash hash = request.hash(type);
    BuildPlan plan = request.plan(hash);
    plan.checkMergeable();
    return new KeyAggregator<>(plan, hash, request.keepsOverfull());
  }

  /**
   * Returns a column with whether each value might be in a filter: false only if it is certainly
   * absent, null for null. The filter is broadcast once, and each executor holds one copy.
   *
   * @throws IllegalArgumentException if the filter has a secret, or keys of another type
   */
  public static Column mightContain(SparkSession spark, BuiltFilter filter, Column keys) {
    return mightContain(spark, filter.filter(), keys);
  }

  /** Returns a column with whether each value might be in an opened filter. */
  public static Column mightContain(SparkSession spark, BloomFilter<?> filter, Column keys) {
    return mightContain(spark, filter.filter(), keys);
  }

  private static Column mightContain(SparkSession spark, Filter filter, Column keys) {
    String hashId = filter.spec().hashId();
    MightContain.checkKnown(hashId);
    Broadcast<SerializableFilter> sent =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .broadcast(SerializableFilter.of(filter));
    return functions
        .udf(new Ask(sent, hashId), DataTypes.BooleanType)
        .withName("bloomery_might_contain")
        .apply(keys);
  }

  /** Queries a broadcast filter. */
  private static final class Ask implements UDF1<Object, @Nullable Boolean> {

    private static final long serialVersionUID = 1;

    private final Broadcast<SerializableFilter> filter;
    private final String hashId;
    private transient @Nullable SparkKeyHash hash; // null before the first key

    Ask(Broadcast<SerializableFilter> filter, String hashId) {
      this.filter = filter;
      this.hashId = hashId;
    }

    @Override
    public @Nullable Boolean call(@Nullable Object key) {
      if (key == null) {
        return null;
      }
      SparkKeyHash made = hash;
      if (made == null) {
        hash = made = new SparkKeyHash(SparkKeyHash.typeOf(key).askedOf(hashId), null);
      }
      return filter.value().filter().mightContain(made.hashOfObject(key));
    }
  }

  /** Puts the first column of a row. */
  private static final class PutRow implements Function2<FilterBuffer, InternalRow, FilterBuffer> {

    private static final long serialVersionUID = 1;

    private final SparkKeyHash hash;

    @SuppressWarnings("serial") // all of Spark's types are, without declaring so
    private final DataType type;

    PutRow(SparkKeyHash hash, DataType type) {
      this.hash = hash;
      this.type = type;
    }

    @Override
    public FilterBuffer call(FilterBuffer buffer, InternalRow row) {
      if (row.isNullAt(0)) {
        buffer.putNull();
      } else {
        buffer.put(hash.hash(row, 0, type));
      }
      return buffer;
    }
  }

  /** Puts an element of an RDD. */
  private static final class PutObject implements Function2<FilterBuffer, Object, FilterBuffer> {

    private static final long serialVersionUID = 1;

    private final SparkKeyHash hash;

    PutObject(SparkKeyHash hash) {
      this.hash = hash;
    }

    @Override
    public FilterBuffer call(FilterBuffer buffer, @Nullable Object key) {
      if (key == null) {
        buffer.putNull();
      } else {
        buffer.put(hash.hashOfObject(key));
      }
      return buffer;
    }
  }

  /**
   * The keys of a column.
   *
   * @param rows rows with the key in the first column, not copied: each is valid until the next one
   *     is read
   */
  record Keys(
      SparkSession spark,
      JavaRDD<InternalRow> rows,
      DataType type,
      SparkKeyHash hash,
      BuildPlan plan) {

    static Keys of(Dataset<?> data, Column column, FilterRequest request) {
      Dataset<Row> keys = data.select(Objects.requireNonNull(column, "column"));
      DataType type = keys.schema().fields()[0].dataType();
      KeyType natural = KeyType.of(type);
      KeyType asked = request.keys();
      SparkKeyHash hash = request.hash(asked == null ? natural : asked.of(natural, type));
      BuildPlan plan = (request.isCounted() ? counted(keys, request) : request).plan(hash);
      plan.checkMergeable();
      return new Keys(
          data.sparkSession(), keys.queryExecution().toRdd().toJavaRDD(), type, hash, plan);
    }

    private static FilterRequest counted(Dataset<Row> keys, FilterRequest request) {
      Column key = functions.col("`" + keys.columns()[0].replace("`", "``") + "`");
      long about = keys.agg(functions.approx_count_distinct(key, DEVIATION)).first().getLong(0);
      return request.counted(Math.max(1, (long) Math.ceil(about * (1 + 3 * DEVIATION))));
    }
  }
}
