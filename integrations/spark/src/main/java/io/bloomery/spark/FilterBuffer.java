package io.bloomery.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.KryoSerializable;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.MergeableFilter;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * The part of a filter that one task builds: confined to the task, merged into another one without
 * a copy, and written as the bytes of a file by both Java serialization and Kryo. The table is
 * allocated with the first key.
 */
final class FilterBuffer implements Serializable, KryoSerializable {
  // decisions.md#a-buffer-travels-as-the-bytes-of-a-file

  private static final long serialVersionUID = 1;
  private static final int BATCH = 512;
  private static final int NO_FILTER = -1;

  // Not final, because deserialisation assigns the fields.
  private transient BuildPlan plan;
  private transient @Nullable Filter filter; // null before the first key
  private transient long @Nullable [] hashes; // null if nothing is put
  private transient int waiting;
  private transient long rows;
  private transient long nulls;

  FilterBuffer(BuildPlan plan) {
    this.plan = plan;
  }

  BuildPlan plan() {
    return plan;
  }

  void put(long hash) {
    long[] batch = hashes;
    if (batch == null) {
      hashes = batch = new long[BATCH];
    }
    batch[waiting++] = hash;
    rows++;
    if (waiting == BATCH) {
      flush();
    }
  }

  void putNull() {
    rows++;
    nulls++;
  }

  private void flush() {
    if (waiting > 0 && hashes != null) {
      made().putAll(hashes, 0, waiting);
      waiting = 0;
    }
  }

  private Filter made() {
    Filter made = filter;
    if (made == null) {
      filter = made = plan.create();
    }
    return made;
  }

  /** Merges another buffer, which must not be used afterwards. */
  FilterBuffer merge(FilterBuffer other) {
    flush();
    other.flush();
    Filter more = other.filter;
    if (filter == null) {
      filter = more;
    } else if (more != null) {
      ((MergeableFilter) filter).putAll(more);
    }
    rows += other.rows;
    nulls += other.nulls;
    return this;
  }

  /** Returns the filter of all keys that were put. */
  Filter filter() {
    flush();
    return made();
  }

  long rows() {
    return rows;
  }

  long nulls() {
    return nulls;
  }

  void writeTo(OutputStream out) throws IOException {
    flush();
    writeHead(out);
    if (filter != null) {
      FilterFiles.write(filter, out);
    }
  }

  private void writeHead(OutputStream out) throws IOException {
    DataOutputStream data = new DataOutputStream(out);
    plan.writeTo(data);
    data.writeLong(rows);
    data.writeLong(nulls);
    data.writeLong(filter == null ? NO_FILTER : FilterFiles.serializedSize(filter));
    data.flush();
  }

  /** Returns what {@link #writeTo} writes, without taking more memory than that. */
  byte[] toBytes() throws IOException {
    flush();
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    writeHead(head);
    long content = filter == null ? 0 : FilterFiles.serializedSize(filter);
    SizedOutput out = new SizedOutput(head.size() + content);
    writeTo(out);
    return out.toByteArray();
  }

  static FilterBuffer readFrom(InputStream in) throws IOException {
    DataInputStream data = new DataInputStream(in);
    FilterBuffer read = new FilterBuffer(BuildPlan.readFrom(data));
    read.rows = data.readLong();
    read.nulls = data.readLong();
    long length = data.readLong();
    if (length != NO_FILTER) {
      read.filter = FilterFiles.installed().read(in, length, OpenOptions.confined());
    }
    return read;
  }

  private void become(FilterBuffer read) {
    plan = read.plan;
    filter = read.filter;
    rows = read.rows;
    nulls = read.nulls;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    writeTo(out);
  }

  private void readObject(ObjectInputStream in) throws IOException {
    become(readFrom(in));
  }

  @Override
  public void write(Kryo kryo, Output out) {
    try {
      writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void read(Kryo kryo, Input in) {
    try {
      become(readFrom(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
