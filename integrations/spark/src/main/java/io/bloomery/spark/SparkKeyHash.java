package io.bloomery.spark;

import io.bloomery.hash.BytesKeyHasher;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Date;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.util.UUID;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.unsafe.Platform;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;

/**
 * A hash function of keys of one type, in the internal and external representations of Spark. It is
 * sent to executors within a task, with its secret if it has one, which it does not reveal.
 */
final class SparkKeyHash implements Serializable {

  private static final long serialVersionUID = 1;
  private static final int UUID_LENGTH = 36;
  private static final long MICROS = 1_000_000;

  private final KeyType type;
  private final byte @Nullable [] secret; // null if there is none

  // Created where it is used, because hashers are not Serializable.
  private transient @Nullable BytesKeyHasher bytes;
  private transient @Nullable LongKeyHasher longs;
  private transient @Nullable KeyHasher<UUID> uuids;

  SparkKeyHash(KeyType type, byte @Nullable [] secret) {
    this.type = type;
    this.secret = secret;
  }

  KeyType type() {
    return type;
  }

  /** Returns the id of the hash function, with the fingerprint of the secret if there is one. */
  String id() {
    return switch (type) {
      case TEXT, DECIMAL, BYTES -> bytes().id();
      case INTEGER, TIMESTAMP, DATE -> longs().id();
      case UUID -> uuids().id();
    };
  }

  private BytesKeyHasher bytes() {
    BytesKeyHasher made = bytes;
    if (made == null) {
      made = type == KeyType.BYTES ? KeyHasher.byteArrays() : KeyHasher.utf8Bytes();
      bytes = made = secret == null ? made : made.secret(secret);
    }
    return made;
  }

  private LongKeyHasher longs() {
    LongKeyHasher made = longs;
    if (made == null) {
      made = KeyHasher.longs();
      longs = made = secret == null ? made : made.secret(secret);
    }
    return made;
  }

  private KeyHasher<UUID> uuids() {
    KeyHasher<UUID> made = uuids;
    if (made == null) {
      made = KeyHasher.uuids();
      uuids = made = secret == null ? made : made.secret(secret);
    }
    return made;
  }

  /** Hashes the value at an index of a row, which must not be null. */
  long hash(InternalRow row, int at, DataType column) {
    return switch (type) {
      case TEXT -> text(row.getUTF8String(at));
      case UUID -> uuid(row.getUTF8String(at).toString());
      case BYTES -> bytes().hash(row.getBinary(at));
      case INTEGER -> longs().hash(integer(row, at, column));
      case TIMESTAMP -> longs().hash(row.getLong(at));
      case DATE -> longs().hash((long) row.getInt(at));
      case DECIMAL -> decimal(((Decimal) row.get(at, column)).toJavaBigDecimal());
    };
  }

  private static long integer(InternalRow row, int at, DataType column) {
    if (column instanceof IntegerType) {
      return row.getInt(at);
    } else if (column instanceof ShortType) {
      return row.getShort(at);
    } else if (column instanceof ByteType) {
      return row.getByte(at);
    }
    return row.getLong(at);
  }

  /** Hashes a value in the internal representation of Spark. */
  long hashOfCatalyst(Object value, DataType column) {
    return switch (type) {
      case TEXT -> text((UTF8String) value);
      case UUID -> uuid(value.toString());
      case BYTES -> bytes().hash((byte[]) value);
      case INTEGER, TIMESTAMP, DATE -> longs().hash(((Number) value).longValue());
      case DECIMAL -> decimal(((Decimal) value).toJavaBigDecimal());
    };
  }

  private long text(UTF8String text) {
    if (text.getBaseObject() instanceof byte[] array) {
      int from = (int) (text.getBaseOffset() - Platform.BYTE_ARRAY_OFFSET);
      return bytes().hash(array, from, from + text.numBytes());
    }
    return bytes().hash(text.getBytes());
  }

  private long decimal(BigDecimal value) {
    return bytes()
        .hash(value.stripTrailingZeros().toPlainString().getBytes(StandardCharsets.UTF_8));
  }

  private long uuid(String text) {
    if (text.length() != UUID_LENGTH) {
      throw notUuid(text);
    }
    try {
      return uuids().hash(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw notUuid(text);
    }
  }

  private static IllegalArgumentException notUuid(String text) {
    return new IllegalArgumentException(
        "keys of type uuid must be like 00112233-4455-6677-8899-aabbccddeeff, but one was '"
            + text
            + "'; filter out what is none, or take them as text");
  }

  /**
   * Hashes a value in the external representation of Spark.
   *
   * @throws IllegalArgumentException if it is not a key of this type
   */
  long hashOfObject(Object value) {
    switch (type) {
      case TEXT -> {
        if (value instanceof CharSequence) {
          return text(UTF8String.fromString(value.toString()));
        }
      }
      case BYTES -> {
        if (value instanceof byte[] array) {
          return bytes().hash(array);
        }
      }
      case INTEGER -> {
        if (value instanceof Long
            || value instanceof Integer
            || value instanceof Short
            || value instanceof Byte) {
          return longs().hash(((Number) value).longValue());
        }
      }
      case UUID -> {
        if (value instanceof UUID uuid) {
          return uuids().hash(uuid);
        } else if (value instanceof CharSequence) {
          return uuid(value.toString());
        }
      }
      case DECIMAL -> {
        if (value instanceof BigDecimal decimal) {
          return decimal(decimal);
        } else if (value instanceof scala.math.BigDecimal decimal) {
          return decimal(decimal.bigDecimal());
        }
      }
      case TIMESTAMP -> {
        if (value instanceof Instant instant) {
          return longs().hash(micros(instant));
        } else if (value instanceof Timestamp timestamp) {
          return longs().hash(micros(timestamp.toInstant()));
        } else if (value instanceof LocalDateTime local) {
          return longs().hash(micros(local.toInstant(ZoneOffset.UTC)));
        }
      }
      case DATE -> {
        if (value instanceof LocalDate date) {
          return longs().hash(date.toEpochDay());
        } else if (value instanceof Date date) {
          return longs().hash(date.toLocalDate().toEpochDay());
        }
      }
    }
    throw new IllegalArgumentException(
        "keys must be of type " + type + ", but one is a " + value.getClass().getName());
  }

  /** Returns the key type of a value in the external representation of Spark. */
  static KeyType typeOf(Object value) {
    if (value instanceof CharSequence) {
      return KeyType.TEXT;
    } else if (value instanceof byte[]) {
      return KeyType.BYTES;
    } else if (value instanceof BigDecimal) {
      return KeyType.DECIMAL;
    } else if (value instanceof Timestamp
        || value instanceof Instant
        || value instanceof LocalDateTime) {
      return KeyType.TIMESTAMP;
    } else if (value instanceof Date || value instanceof LocalDate) {
      return KeyType.DATE;
    } else if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      return KeyType.INTEGER;
    }
    throw new IllegalArgumentException(
        "keys must be strings, binary, integers, decimals, timestamps or dates, but one is a "
            + value.getClass().getName());
  }

  private static long micros(Instant instant) {
    return Math.addExact(
        Math.multiplyExact(instant.getEpochSecond(), MICROS),
        instant.getLong(ChronoField.MICRO_OF_SECOND));
  }

  @Override
  public String toString() {
    return id();
  }
}
