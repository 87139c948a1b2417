package io.bloomery.spring;

import io.bloomery.Bloomery;
import io.bloomery.Filters;

/** The type of the keys of a guard. */
public enum KeyType {

  /** Text: {@link String}. */
  STRING(String.class) {
    @Override
    Filters<?> filters() {
      return Bloomery.strings();
    }
  },

  /** Numbers: {@link Long}. */
  LONG(Long.class) {
    @Override
    Filters<?> filters() {
      return Bloomery.longs();
    }
  },

  /** Numbers: {@link Integer}. */
  INT(Integer.class) {
    @Override
    Filters<?> filters() {
      return Bloomery.ints();
    }
  },

  /** {@link java.util.UUID}s. */
  UUID(java.util.UUID.class) {
    @Override
    Filters<?> filters() {
      return Bloomery.uuids();
    }
  };

  private final Class<?> type;

  KeyType(Class<?> type) {
    this.type = type;
  }

  Class<?> type() {
    return type;
  }

  abstract Filters<?> filters();
}
