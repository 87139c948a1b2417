package io.bloomery.interop;

import io.bloomery.BloomFilterView;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;

/**
 * A filter in the format of another system: its bits, the positions of an item, and the
 * serialization of that system.
 *
 * <p>Any number of threads may query it concurrently. A put must not run concurrently with anything
 * else.
 */
public final class ForeignFilter {

  private final ForeignFormat format;
  private final ForeignTable table;

  ForeignFilter(ForeignFormat format, ForeignTable table) {
    this.format = format;
    this.table = table;
  }

  /** Returns the format of this filter as it was read or created. */
  public ForeignFormat format() {
    return format;
  }

  /**
   * Returns a view for queries by key, which reflects later puts. A query allocates nothing, except
   * in the function of the encoding.
   *
   * @throws IllegalArgumentException if the format has no items of this encoding
   */
  public <K> BloomFilterView<K> view(ItemEncoding<K> encoding) {
    check(encoding);
    return new ForeignView<>(this, encoding);
  }

  /**
   * Puts a key, and returns true if it was certainly not contained before.
   *
   * @throws IllegalArgumentException if the format has no items of this encoding
   * @throws io.bloomery.filter.FilterFullException if the filter must not grow, and is full
   */
  public <K> boolean put(K key, ItemEncoding<K> encoding) {
    check(encoding);
    Item item = encoding.item(key);
    return !item.isIgnored && table.put(item);
  }

  /**
   * Puts keys, and returns the number of those that were certainly not contained before.
   *
   * @throws IllegalArgumentException if the format has no items of this encoding
   */
  public <K> long putAll(Iterable<? extends K> keys, ItemEncoding<K> encoding) {
    long added = 0;
    for (K key : keys) {
      added += put(key, encoding) ? 1 : 0;
    }
    return added;
  }

  /**
   * Puts all keys of another filter of the same layout, whose keys have the same encoding. The
   * other is unchanged, and this keeps its header, and data that is attached to it. Counters are
   * added, and the rows of {@code hadoop-dynamic} become those of both. What counts keys counts
   * those of both, even if they are the same.
   *
   * @throws IllegalArgumentException if the other puts a key at different bits, since its format,
   *     size, hash functions or seed differ; if the system itself compares more, and that differs;
   *     or if the filters are RedisBloom's or valkey-bloom's, and are not one table each, with room
   *     for the items of both. Nothing is changed then
   */
  public void putAll(ForeignFilter other) {
    requireLikeness(other.format, "merged");
    String layout = table.layout();
    String others = other.table.layout();
    if (!layout.equals(others)) {
      throw new IllegalArgumentException(
          "filters must have one layout to be merged, but one has "
              + layout
              + ", and the other "
              + others
              + "; make one again from its keys");
    }
    table.putAll(other.table);
  }

  /**
   * Checks that the filter contains all of these keys, which are known to be members: the only
   * protection against the wrong format or encoding.
   *
   * @throws IllegalArgumentException if a key is not contained, or there are no keys
   */
  public <K> void requireMembers(Collection<? extends K> members, ItemEncoding<K> encoding) {
    if (members.isEmpty()) {
      throw new IllegalArgumentException("members must be at least one, but there are none");
    }
    int found = view(encoding).select(new ArrayList<K>(members)).size();
    if (found < members.size()) {
      throw new IllegalArgumentException(
          "all members must be found, but only "
              + found
              + " of "
              + members.size()
              + " are, as "
              + encoding
              + " in "
              + format
              + "; another version of the format or another encoding finds them all");
    }
  }

  /** Writes the filter as its system does. The stream stays open. */
  public void write(OutputStream out) throws IOException {
    table.write(new ForeignOutput(out), format);
  }

  /**
   * Writes the filter to a file as its system does, atomically: after a failure the file is either
   * unchanged or has the whole filter, which is durable on the disk when this returns. A link
   * remains a link, and permissions are kept.
   *
   * @throws IOException if the file cannot be written, or is neither a regular file nor absent; it
   *     is then unchanged
   */
  public void write(Path file) throws IOException {
    FileReplacement.replace(file, this::write);
  }

  /**
   * Writes the filter to a new file, as {@link #write(Path)} does.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is a file when the content is
   *     complete, also if another has just made it; it is unchanged
   * @throws IOException as for {@link #write(Path)}
   */
  public void writeNew(Path file) throws IOException {
    FileReplacement.create(file, this::write);
  }

  /** Returns the bytes of the filter as its system writes them. */
  public byte[] toBytes() {
    try {
      return ForeignOutput.written(out -> table.write(out, format));
    } catch (IOException e) {
      throw new IllegalStateException("writing to memory must not fail", e);
    }
  }

  /**
   * Returns a copy in another format with the same hashes and positions.
   *
   * @throws IllegalArgumentException if the filter would have to be rebuilt from its keys
   */
  public ForeignFilter as(ForeignFormat other) {
    requireLikeness(other, "converted");
    table.checkWritable(other);
    return new ForeignFilter(table.labelled(other), table.copy());
  }

  /** Returns a description of the header. */
  public String layout() {
    return format + ": " + table.words();
  }

  /**
   * Returns the current statistics. If the format does not state the expected keys and the rate,
   * those that set half of the bits of such a table are assumed, and the filter is never reported
   * as overfull. The rate is that of {@link #rate}.
   */
  public FilterStats stats() {
    double bits = table.bits();
    boolean known = table.capacity() >= 1 && table.promisedRate() > 0 && table.promisedRate() < 1;
    double keys = known ? table.capacity() : bits * Math.log(2) / table.probes;
    double rate = known ? table.promisedRate() : Math.pow(0.5, table.probes);
    long expected = Math.max(1, (long) Math.min(keys, 0x1p40));
    double lowest = FilterSpec.lowestRate(expected);
    FilterStats.Builder stats =
        FilterStats.of(
                FilterSpec.of(expected, Math.min(Math.max(rate, lowest), Math.nextDown(1.0))))
            .sizeInBits(table.bits())
            .setBits(table.setBits())
            .falsePositiveRate(rate().rate());
    if (!known || table.grows()) {
      stats.grows();
    }
    double found = table.keys();
    return Double.isFinite(found)
        ? stats.approximateKeys(Math.round(found)).build()
        : stats.build();
  }

  /**
   * Returns the current false-positive rate with its interval: of small tables measured by drawn
   * keys, as many as are needed for 1,000 that are found: some milliseconds above a rate of 10^-3,
   * and up to a fifth of a second below.
   */
  public ForeignRate rate() {
    return ForeignRate.of(table);
  }

  ForeignTable table() {
    return table;
  }

  private void requireLikeness(ForeignFormat other, String purpose) {
    if (other.likeness() != format.likeness()) {
      throw new IllegalArgumentException(
          format
              + " and "
              + other
              + " must put a key at the same bits to be "
              + purpose
              + ", but do not; make the filter again from its keys");
    }
  }

  private boolean contains(Item item) {
    return !item.isIgnored && table.visit(item, false);
  }

  private void check(ItemEncoding<?> encoding) {
    Objects.requireNonNull(encoding, "encoding");
    if (!format.takes(encoding)) {
      throw new IllegalArgumentException(
          format
              + " must have items of bytes, but "
              + encoding
              + " is of longs that are hashed as such; take longsLittleEndian or longsBigEndian");
    }
  }

  @Override
  public String toString() {
    return layout();
  }

  /** A view of a foreign filter with the encoding of its keys. */
  private record ForeignView<K>(ForeignFilter filter, ItemEncoding<K> encoding)
      implements BloomFilterView<K> {

    @Override
    public boolean mightContain(K key) {
      return filter.contains(encoding.item(key));
    }

    @Override
    public List<K> select(Collection<? extends K> keys) {
      List<K> found = new ArrayList<>();
      Item item = Item.own();
      int index = 0;
      for (K key : keys) {
        if (key == null) {
          throw new NullPointerException("keys must not be null, but key " + index + " is");
        }
        encoding.fill(item, key);
        if (filter.contains(item)) {
          found.add(key);
        }
        index++;
      }
      return found;
    }

    @Override
    public FilterStats stats() {
      return filter.stats();
    }
  }
}
