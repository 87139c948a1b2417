package io.bloomery.hash;

import io.bloomery.internal.HashId;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The encoding of keys of several fields: for each field its length, as four bytes little-endian,
 * and then its bytes, so that different lists of fields have different bytes.
 */
final class Fields<T> implements Encoding.Writer<T> {

  private static final int MAX_FIELDS = 16;

  private final List<Field<? super T>> fields;
  private final String name;

  private Fields(List<Field<? super T>> fields) {
    this.fields = fields;
    name = fields.stream().map(Field::encoding).collect(Collectors.joining(",", "(", ")"));
  }

  private record Field<T>(String encoding, Encoding.Writer<? super T> writer) {}

  /** Combines the encodings of some hashers, whose hash functions are not used. */
  static <T> Fields<T> of(KeyHasher<? super T>[] parts) {
    if (parts.length < 1 || parts.length > MAX_FIELDS) {
      throw new IllegalArgumentException(
          "fields must be from 1 to "
              + MAX_FIELDS
              + ", but are "
              + parts.length
              + "; for more, let one of them be fields(...) itself");
    }
    List<Field<? super T>> fields = new ArrayList<>();
    for (KeyHasher<? super T> part : parts) {
      fields.add(field(part, fields.size() + 1));
    }
    return new Fields<>(fields);
  }

  private static <T> Field<T> field(KeyHasher<T> part, int number) {
    Objects.requireNonNull(part, () -> "field " + number + " must be a hasher, but is null");
    if (part instanceof ExtractedHasher<T, ?> extracted) {
      return extracted(extracted, number);
    }
    if (part instanceof ExtractedLongHasher<T> extracted) {
      Field<Long> inner = field(extracted.inner(), number);
      return new Field<>(
          inner.encoding(), (holder, out) -> out.putLong(extracted.function().applyAsLong(holder)));
    }
    if (part.keyForm() != KeyForm.PLAIN) {
      throw KeyForms.ofField(part, number);
    }
    if (part instanceof EncodedHasher<T> encoded) {
      HashId id = HashId.parse(part.id());
      if (id.hasSeed() || id.hasSecret()) {
        throw new IllegalArgumentException(
            "field "
                + number
                + " must have no seed or secret of its own, but is "
                + part.id()
                + "; give it to the hasher of all fields, by its withSeed(...) or its secret(...)");
      }
      return new Field<>(encoded.encoding().name(), encoded.encoding().writer());
    }
    throw new IllegalArgumentException(
        "field "
            + number
            + " must have bytes, as keys of KeyHasher's own hashers have, but is "
            + part.id()
            + " of class "
            + part.getClass().getName()
            + ", which gives hashes alone; take strings(), byteArrays() or longs(), with compose(...) for what"
            + " holds such a key");
  }

  private static <T, K> Field<T> extracted(ExtractedHasher<T, K> hasher, int number) {
    Field<K> inner = field(hasher.inner(), number);
    return new Field<>(
        inner.encoding(),
        (holder, out) -> {
          K key = hasher.function().apply(holder);
          if (key == null) {
            throw new MissingKey(holder);
          }
          inner.writer().write(key, out);
        });
  }

  /** Returns the name of the encoding in hash ids: {@code (utf8,i64)}. */
  String name() {
    return name;
  }

  Encoding<T> encoding() {
    return new Encoding<>(name, this, function -> new FieldsHasher<>(function, this));
  }

  @Override
  public void write(T key, KeyBytes out) {
    for (int i = 0; i < fields.size(); i++) {
      Field<? super T> field = fields.get(i);
      int begin = out.begin();
      try {
        field.writer().write(key, out);
      } catch (MissingKey e) {
        throw e.inField(i + 1, field.encoding());
      }
      out.end(begin);
    }
  }
}
