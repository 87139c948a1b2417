package io.bloomery.spark;

import io.bloomery.hash.KeyHasher;
import java.util.Arrays;
import java.util.Locale;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.ByteType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DateType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.IntegerType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.ShortType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.TimestampNTZType;
import org.apache.spark.sql.types.TimestampType;

/** How a value of Spark becomes a key, so that programs that open the file hash it equally. */
public enum KeyType {
  /** Text, as UTF-8: {@code Bloomery.strings()} opens the file. */
  TEXT(KeyHasher.strings().id()),
  /** Bytes: {@code Bloomery.byteArrays()}. */
  BYTES(KeyHasher.byteArrays().id()),
  /** Integers of any width, as a long: {@code Bloomery.longs()}. */
  INTEGER(KeyHasher.longs().id()),
  /** UUIDs written as text of 36 characters, in upper or lower case: {@code Bloomery.uuids()}. */
  UUID(KeyHasher.uuids().id()),
  /**
   * Decimals of any scale, as plain digits without trailing zeros, such as {@code 12.5}, {@code
   * -0.001} or {@code 1200}: {@code Bloomery.strings()}, queried for {@code
   * value.stripTrailingZeros().toPlainString()}.
   */
  DECIMAL(KeyHasher.strings().id()),
  /**
   * Timestamps, as microseconds since 1970-01-01T00:00Z; those without a time zone as if in UTC:
   * {@code Bloomery.longs()}.
   */
  TIMESTAMP(KeyHasher.longs().id()),
  /** Dates, as days since 1970-01-01: {@code Bloomery.longs()}. */
  DATE(KeyHasher.longs().id());

  private final String hashId;

  KeyType(String hashId) {
    this.hashId = hashId;
  }

  /** Returns the id of the hash function without a secret. */
  String hashId() {
    return hashId;
  }

  /** Returns the type with a name in SQL, such as {@code uuid}. */
  static KeyType parse(String name) {
    return Arrays.stream(values())
        .filter(type -> type.name().toLowerCase(Locale.ROOT).equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "keys must be one of text, bytes, integer, uuid, decimal, timestamp and date,"
                        + " but is '"
                        + name
                        + "'"));
  }

  /**
   * Returns the type of keys in a column.
   *
   * @throws IllegalArgumentException if the column cannot have keys
   */
  static KeyType of(DataType type) {
    if (type instanceof StringType) {
      return TEXT;
    } else if (type instanceof BinaryType) {
      return BYTES;
    } else if (isInteger(type)) {
      return INTEGER;
    } else if (type instanceof DecimalType) {
      return DECIMAL;
    } else if (type instanceof TimestampType || type instanceof TimestampNTZType) {
      return TIMESTAMP;
    } else if (type instanceof DateType) {
      return DATE;
    }
    throw new IllegalArgumentException(
        "keys must be strings, binary, integers, decimals, timestamps or dates, but are "
            + type.catalogString()
            + "; cast them to one of these, or write several columns into one string that cannot"
            + " be another");
  }

  static boolean isInteger(DataType type) {
    return type instanceof LongType
        || type instanceof IntegerType
        || type instanceof ShortType
        || type instanceof ByteType;
  }

  /**
   * Returns this type if values of a column can be such keys.
   *
   * @throws IllegalArgumentException otherwise
   */
  KeyType of(KeyType ofColumn, DataType column) {
    if (this == ofColumn || (this == UUID && ofColumn == TEXT)) {
      return this;
    }
    throw new IllegalArgumentException(
        "keys of type "
            + name().toLowerCase(Locale.ROOT)
            + " must not be "
            + column.catalogString()
            + "; cast the column, or leave the type out");
  }

  /**
   * Returns the type by which values of this type are queried in a filter: this type, or UUIDs for
   * text.
   *
   * @throws IllegalArgumentException if the filter has other keys
   */
  KeyType askedOf(String filterHashId) {
    if (this == TEXT && filterHashId.equals(UUID.hashId)) {
      return UUID;
    }
    if (filterHashId.equals(hashId)) {
      return this;
    }
    throw new IllegalArgumentException(
        "the filter must have keys hashed by "
            + hashId
            + " to be asked for values of type "
            + name().toLowerCase(Locale.ROOT)
            + ", but they are hashed by "
            + filterHashId
            + (filterHashId.contains("/secret=")
                ? "; columns and SQL take no secret: ask it in a function of your own"
                : "; cast the values to what the filter was made of"));
  }
}
