package io.bloomery;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Objects;

/**
 * Carries a filter through Java serialization, for frameworks such as Spark and Flink that send
 * objects that way. Filters themselves are not {@link Serializable}: {@link Bloomery#write} is
 * smaller, faster and read by other languages.
 *
 * <pre>{@code
 * SerializableFilter sent = SerializableFilter.of(seen.filter());      // a field of the function
 * KeyedFilter<String> seen = KeyedFilter.of(sent.filter(), KeyHasher.utf8());    // where it runs
 * }</pre>
 *
 * <p>What is written is the filter as it stands then, in the bytes of a file, and nothing else. It
 * is read with all checks of a file, by the providers that are installed there, into a filter for
 * any number of threads. Hostile bytes give an {@link InvalidObjectException}, for less memory than
 * a few times the bytes that are there. A stream may hold objects of other classes all the same;
 * against those set an {@link java.io.ObjectInputFilter} that allows this class.
 */
public final class SerializableFilter implements Serializable {

  private static final long serialVersionUID = 1;

  private transient Filter filter;

  private SerializableFilter(Filter filter) {
    this.filter = filter;
  }

  /** Makes what carries a filter. */
  public static SerializableFilter of(Filter filter) {
    return new SerializableFilter(Objects.requireNonNull(filter, "filter"));
  }

  /** Returns the filter: the one given, or where this was read, another with the same content. */
  public Filter filter() {
    return filter;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    EnvelopeWriter.write(filter, out);
  }

  private void readObject(ObjectInputStream in) throws IOException {
    // Fields that a stream may claim to have are not asked for, and so not made.
    try {
      filter = EnvelopeReader.read(in, EnvelopeReader.UNKNOWN, Catalog.load(), ThreadMode.SHARED);
    } catch (FilterFormatException e) {
      throw invalid(e.getMessage(), e);
    }
    if (in.read() >= 0) {
      throw invalid("the filter ends before the object does", null);
    }
  }

  private static InvalidObjectException invalid(String message, Throwable cause) {
    InvalidObjectException e = new InvalidObjectException(message);
    e.initCause(cause);
    return e;
  }

  @Override
  public String toString() {
    return filter.toString();
  }
}
