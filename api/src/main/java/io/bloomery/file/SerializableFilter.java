package io.bloomery.file;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProviders;
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
 * Carries a filter through Java serialization, and through frameworks that copy an object by its
 * fields, such as Kryo: for Spark and Flink, which send objects that way. Filters themselves are
 * not {@link Serializable}: {@link FilterFiles#write} is smaller, faster and read by other
 * languages.
 *
 * <pre>{@code
 * SerializableFilter sent = SerializableFilter.of(seen.filter());      // a field of the function
 * BloomFilter<String> seen = BloomFilter.of(sent.filter(), KeyHasher.strings());    // where it runs
 * }</pre>
 *
 * <p>What is carried is the filter as it stands when this is made, in the bytes of a file, and its
 * limits. It is read with all checks of a file, by the providers that are installed there, into a
 * filter for any number of threads: by Java serialization when the object is read, otherwise when
 * the filter is first asked for. Hostile bytes give an {@link InvalidObjectException}, for less
 * memory than a few times the bytes that are there. A stream may hold objects of other classes all
 * the same; against those set an {@link java.io.ObjectInputFilter} that allows this class.
 */
public final class SerializableFilter implements Serializable {

  private static final long serialVersionUID = 1;

  // Java serialization writes no fields: what a stream says of them is not believed.
  @SuppressWarnings("UnusedVariable")
  private static final ObjectStreamField[] serialPersistentFields = {};

  private static final int MAX_PART = 1 << 26;

  // Not transient, since Kryo leaves out what is.
  private byte[] @Nullable [] content; // null where what copied this left it behind
  private long maxBytes;

  // Null until the filter is asked for, where this was read.
  private transient volatile @Nullable Kept kept;

  private SerializableFilter(Filter filter) {
    this.kept = new Kept(filter);
    this.content = bytes(filter);
    this.maxBytes = filter.limits().maxBytes();
  }

  /**
   * Makes what carries a filter, which takes the memory of a file of it.
   *
   * @throws IllegalArgumentException if the heap has no room for that
   */
  public static SerializableFilter of(Filter filter) {
    return new SerializableFilter(Objects.requireNonNull(filter, "filter"));
  }

  private static byte[][] bytes(Filter filter) {
    Parts parts = new Parts();
    try {
      EnvelopeWriter.write(filter, parts);
    } catch (IOException e) {
      throw new UncheckedIOException("a filter cannot be written to memory", e);
    }
    return parts.toArrays();
  }

  /**
   * Returns the filter: the one given, or where this was read, another with the same content.
   *
   * @throws IllegalStateException if what was carried is not a filter, or its variant is not
   *     installed here; the cause says so
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

  /** Returns the content, unless what carried this object has left it behind. */
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
      return EnvelopeReader.read(in, length, opening());
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException("the filter that was carried cannot be read", e);
    }
  }

  private Opening opening() {
    return new Opening(
        FilterProviders.installed(), OpenOptions.shared().within(FilterLimits.ofBytes(maxBytes)));
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    byte[][] parts = content();
    out.writeLong(maxBytes);
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  private void readObject(ObjectInputStream in) throws IOException {
    // Fields that a stream may claim to have are not asked for, and so not made.
    Filter filter;
    try {
      maxBytes = in.readLong();
      filter = EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, opening());
    } catch (EOFException e) {
      throw invalid("the object must begin with the limits of the filter, but ends before", e);
    } catch (FilterFormatException | UnexpectedFilterException | IllegalArgumentException e) {
      throw invalid(e.getMessage(), e);
    }
    if (in.read() >= 0) {
      throw invalid("the filter ends before the object does", null);
    }
    kept = new Kept(filter);
    content = bytes(filter);
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
   * Keeps the filter in an object that passes for a collection without elements. Kryo's {@code
   * copy} takes transient fields along: it would take a filter apart, but makes an empty collection
   * of this one, and the copy reads a filter of its own.
   */
  private static final class Kept extends AbstractCollection<Object> {

    private final @Nullable Filter filter; // null in what Kryo has made

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

  /** Takes bytes in arrays that need not be joined, since they may be too many for one. */
  private static final class Parts extends OutputStream {

    private final List<byte[]> full = new ArrayList<>();
    private byte[] last = new byte[1 << 10];
    private int size;

    @Override
    public void write(int b) {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
      for (int done = 0; done < length; ) {
        if (size == last.length) {
          makeRoom();
        }
        int step = Math.min(length - done, last.length - size);
        System.arraycopy(bytes, from + done, last, size, step);
        size += step;
        done += step;
      }
    }

    private void makeRoom() {
      if (size < MAX_PART) {
        last = Arrays.copyOf(last, Math.min(MAX_PART, 2 * size));
      } else {
        full.add(last);
        last = new byte[MAX_PART];
        size = 0;
      }
    }

    byte[][] toArrays() {
      full.add(Arrays.copyOf(last, size));
      return full.toArray(new byte[0][]);
    }
  }
}
