package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.HeapLimit;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamField;
import java.io.OutputStream;
import java.io.SequenceInputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.AbstractCollection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A serializable holder of a filter, for Java serialization and for frameworks that copy an object
 * by its fields, such as Kryo: Spark and Flink send objects in these ways. Filters themselves are
 * not {@link Serializable}: {@link FilterFiles#write} is smaller and faster, and other languages
 * can read its format.
 *
 * <pre>{@code
 * SerializableFilter sent = SerializableFilter.of(seen.filter());      // a field of the function
 * BloomFilter<String> seen = BloomFilter.of(sent.filter(), KeyHasher.strings());    // where it runs
 * }</pre>
 *
 * <p>The holder has a snapshot of the filter, in the bytes of a file, and the filter's limits. The
 * snapshot is read with all checks of a file, by the providers installed in the receiving JVM, into
 * a thread-safe filter: by Java serialization when the object is deserialised, otherwise on the
 * first call of {@link #filter}. Hostile bytes cause an {@link InvalidObjectException}, and reading
 * them takes no more memory than a few times their number. A hostile stream may still contain
 * objects of other classes; to reject them, set an {@link java.io.ObjectInputFilter} that allows
 * this class only.
 */
public final class SerializableFilter implements Serializable {

  private static final long serialVersionUID = 1;

  private static final String FEWER = "send fewer keys";

  // Java serialization writes no fields, and values of fields in a stream are ignored.
  @SuppressWarnings("UnusedVariable")
  private static final ObjectStreamField[] serialPersistentFields = {};

  // Not more than a region of G1's smallest, in which a larger array would waste most of another.
  private static final int PART = (1 << 20) - 64;

  // Not transient: Kryo skips transient fields.
  private byte[] @Nullable [] content; // null if the copying framework skipped it
  private long maxBytes;

  // Null after deserialisation by fields, until the first call of filter().
  private transient volatile @Nullable Kept kept;

  private SerializableFilter(Filter filter, byte[][] content) {
    this.kept = new Kept(filter);
    this.content = content;
    this.maxBytes = filter.limits().maxBytes();
  }

  /**
   * Returns a holder of a filter. It takes as much memory as a file of the filter has bytes, also
   * while it is made.
   *
   * @throws IllegalArgumentException if the heap has no room for that
   */
  public static SerializableFilter of(Filter filter) {
    Objects.requireNonNull(filter, "filter");
    try {
      return new SerializableFilter(filter, bytes(filter));
    } catch (OutOfMemoryError e) {
      // The parts that did fit are unreachable by now.
      throw HeapLimit.tooLowFor("the bytes of a filter", EnvelopeWriter.size(filter));
    }
  }

  private static byte[][] bytes(Filter filter) {
    Parts parts = new Parts(EnvelopeWriter.size(filter));
    try {
      EnvelopeWriter.write(filter, parts);
    } catch (IOException e) {
      throw new UncheckedIOException("a filter cannot be written to memory", e);
    }
    return parts.toArrays();
  }

  /**
   * Returns the filter: the given instance, or after deserialisation a new one with the same
   * content.
   *
   * @throws IllegalStateException if the content is not a filter, or its variant is not installed
   *     here; the cause has the reason
   */
  public Filter filter() {
    Filter found = found();
    return found == null ? readOnce() : found;
  }

  private @Nullable Filter found() {
    Kept now = kept;
    return now == null ? null : now.filter;
  }

  private synchronized Filter readOnce() {
    Filter found = found();
    if (found == null) {
      found = carried();
      kept = new Kept(found);
    }
    return found;
  }

  /**
   * Returns the content.
   *
   * @throws IllegalStateException if the framework that copied this object skipped it
   */
  private byte[][] content() {
    byte[][] parts = content;
    if (parts == null || Arrays.asList(parts).contains(null)) {
      throw new IllegalStateException(
          "the filter was left behind: what carried this object must copy its private fields, as"
              + " Java serialization and Kryo's FieldSerializer do");
    }
    return parts;
  }

  private Filter carried() {
    long length = 0;
    List<InputStream> parts = new ArrayList<>();
    for (byte[] part : content()) {
      length += part.length;
      parts.add(new ByteArrayInputStream(part));
    }
    try {
      InputStream in = new SequenceInputStream(Collections.enumeration(parts));
      return (Filter) EnvelopeReader.read(in, length, opening());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException("the filter that was carried cannot be read", e);
    }
  }

  private Opening opening() {
    return new Opening(
        FilterProviders.installed(),
        OpenOptions.shared().within(FilterLimits.ofBytes(maxBytes)).puttable());
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    byte[][] parts = content();
    out.writeLong(maxBytes);
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  private void readObject(ObjectInputStream in) throws IOException {
    // Fields in the stream are never requested, and so never instantiated.
    Filter filter;
    try {
      maxBytes = in.readLong();
      filter = (Filter) EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening());
    } catch (EOFException e) {
      throw invalid("the object must begin with the limits of the filter, but ends before", e);
    } catch (ContentTooLargeException e) {
      throw e.or(FEWER);
    } catch (FilterFormatException | UnexpectedFilterException | IllegalArgumentException e) {
      throw invalid(e.getMessage(), e);
    }
    if (in.read() >= 0) {
      throw invalid("the filter ends before the object does", null);
    }
    kept = new Kept(filter);
    try {
      content = bytes(filter);
    } catch (OutOfMemoryError e) {
      throw ContentTooLargeException.of(EnvelopeWriter.size(filter)).or(FEWER);
    }
  }

  private static InvalidObjectException invalid(
      @Nullable String message, @Nullable Exception cause) {
    InvalidObjectException e = new InvalidObjectException(message);
    e.initCause(cause);
    return e;
  }

  @Override
  public String toString() {
    return filter().toString();
  }

  /**
   * A reference to the filter in the guise of an empty collection. Kryo's {@code copy} does copy
   * transient fields: it would copy the filter field by field, but copies this as an empty
   * collection, and the copied holder then reads a filter of its own.
   */
  private static final class Kept extends AbstractCollection<Object> {

    private final @Nullable Filter filter; // null in instances created by Kryo

    Kept(Filter filter) {
      this.filter = filter;
    }

    @Override
    public Iterator<Object> iterator() {
      return Collections.emptyIterator();
    }

    @Override
    public int size() {
      return 0;
    }
  }

  /** An output to a list of arrays, which takes no more memory than it is given bytes. */
  private static final class Parts extends OutputStream {

    private final List<byte[]> parts = new ArrayList<>();
    private long left; // of the announced size; a shared filter may have grown since
    private byte[] last = {};
    private int size;

    Parts(long announced) {
      this.left = announced;
    }

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      for (int done = 0; done < length; ) {
        if (size == last.length) {
          last = new byte[(int) Math.min(PART, Math.max(left, length - done))];
          left -= last.length;
          parts.add(last);
          size = 0;
        }
        int step = Math.min(length - done, last.length - size);
        System.arraycopy(bytes, from + done, last, size, step);
        size += step;
        done += step;
      }
    }

    byte[][] toArrays() {
      if (size < last.length) {
        parts.set(parts.size() - 1, Arrays.copyOf(last, size));
      }
      return parts.toArray(new byte[0][]);
    }
  }
}
