package io.bloomery.file;

import io.bloomery.filter.FilterDescription;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.Sharding;
import io.bloomery.internal.Batches;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A read-only view of a sharded filter: a query reads the shard that its hash belongs to, and a
 * batch is grouped by shard.
 *
 * <p>Thread-safe, {@link #close} included: a query that runs concurrently with it returns an answer
 * or throws FilterUnavailableException, and every later query throws. Memory-mapped shards have the
 * properties described at {@link MappedFilter}.
 */
public final class ShardedFilter implements FilterView, AutoCloseable {

  private final Sharding sharding;
  private final FilterHeader first;
  private final long payloadSize;
  private final long serializedSize;
  private final String origin;
  private volatile FilterView @Nullable [] shards; // null when closed

  /**
   * Creates a view of shards of one layout.
   *
   * @param first the header of any of them
   * @param serializedSize the total size of all files in bytes
   */
  ShardedFilter(
      Sharding sharding,
      FilterHeader first,
      long payloadSize,
      long serializedSize,
      String origin,
      List<? extends FilterView> shards) {
    this.sharding = sharding;
    this.first = first;
    this.payloadSize = payloadSize;
    this.serializedSize = serializedSize;
    this.origin = origin;
    this.shards = shards.toArray(new FilterView[0]);
  }

  private FilterView[] opened() {
    FilterView[] opened = shards;
    if (opened == null) {
      throw new FilterUnavailableException(
          "the filter in shards of " + origin + " was closed; open the folder again to ask it");
    }
    return opened;
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public boolean mightContain(long hash) {
    return opened()[sharding.shardOf(hash)].mightContain(hash);
  }

  /**
   * {@inheritDoc} The batch is grouped by shard, which takes about 20 bytes of memory per hash; the
   * larger the batch, the larger the gain.
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public int select(long[] hashes, int from, int to, int[] hits) {
    Batches.checkSelect(hashes, from, to, hits);
    FilterView[] opened = opened();
    int size = to - from;
    int[] shardOf = new int[size];
    int[] ends = new int[opened.length];
    for (int i = 0; i < size; i++) {
      shardOf[i] = sharding.shardOf(hashes[from + i]);
      ends[shardOf[i]]++;
    }
    for (int shard = 1; shard < ends.length; shard++) {
      ends[shard] += ends[shard - 1];
    }
    int[] origins = new int[size];
    long[] ordered = new long[size];
    // A counting sort, backwards to keep it stable; afterwards each end is the beginning of its
    // shard.
    for (int i = size - 1; i >= 0; i--) {
      int at = --ends[shardOf[i]];
      origins[at] = i;
      ordered[at] = hashes[from + i];
    }
    boolean[] isFound = new boolean[size];
    for (int shard = 0; shard < opened.length; shard++) {
      int begin = ends[shard];
      int end = shard + 1 < ends.length ? ends[shard + 1] : size;
      int found = begin == end ? 0 : opened[shard].select(ordered, begin, end, hits);
      for (int i = 0; i < found; i++) {
        isFound[origins[hits[i]]] = true;
      }
    }
    int found = 0;
    for (int i = 0; i < size; i++) {
      if (isFound[i]) {
        hits[found++] = from + i;
      }
    }
    return found;
  }

  /**
   * {@inheritDoc} The rate is the mean over all shards, and the number of keys their sum.
   *
   * @throws FilterUnavailableException if this filter is closed
   */
  @Override
  public FilterStats stats() {
    FilterView[] opened = opened();
    long bits = 0;
    long setBits = 0;
    double rates = 0;
    long keys = 0;
    boolean areKnown = true;
    boolean grows = true;
    for (FilterView shard : opened) {
      FilterStats stats = shard.stats();
      bits += stats.sizeInBits();
      setBits += stats.setBits();
      rates += stats.falsePositiveRate();
      keys += stats.approximateKeys().orElse(0);
      areKnown &= stats.approximateKeys().isPresent();
      grows &= stats.grows();
    }
    FilterStats.Builder whole =
        FilterStats.of(spec())
            .sizeInBits(bits)
            .setBits(setBits)
            .falsePositiveRate(rates / opened.length)
            .approximateKeys(areKnown ? OptionalLong.of(keys) : OptionalLong.empty());
    return (grows ? whole.grows() : whole).build();
  }

  /**
   * {@inheritDoc}
   *
   * @throws FilterUnavailableException if this was closed
   */
  @Override
  public FilterDescription description() {
    FilterDescription shard = opened()[0].description();
    return FilterDescription.of(
        String.format(
            Locale.ROOT,
            "%,d shards, in each: %s",
            sharding.shards(),
            shard.structure().isEmpty() ? "as this variant has it" : shard.structure()),
        shard.queryCost());
  }

  /** Returns the sharding of the filter. */
  public Sharding sharding() {
    return sharding;
  }

  /** Returns the specification of the whole filter, which it was created for. */
  public FilterSpec spec() {
    return sharding.spec();
  }

  /** Returns the name of the variant of every shard, for example {@code "standard"}. */
  public String variant() {
    return first.variant();
  }

  /** Returns the layout of a shard, which is the same for all shards. */
  public FilterLayout layout() {
    return first.layout();
  }

  /** Returns the total size of the content of all shards in bytes. */
  public long payloadSize() {
    return payloadSize;
  }

  /** Returns the total size of all files of the folder in bytes: shards and manifest. */
  public long serializedSize() {
    return serializedSize;
  }

  /**
   * Releases all shards; every later query throws. Has no effect if this filter is closed already.
   */
  @Override
  public void close() {
    FilterView[] opened = shards;
    shards = null;
    if (opened != null) {
      for (FilterView shard : opened) {
        if (shard instanceof MappedFilter mapped) {
          mapped.close();
        }
      }
    }
  }

  @Override
  public String toString() {
    return variant() + layout() + " in " + sharding + ", from " + origin;
  }
}
