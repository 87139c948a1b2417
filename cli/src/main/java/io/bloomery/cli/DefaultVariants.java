package io.bloomery.cli;

import io.bloomery.FilterBuilder;

/** The variants that commands take when none is named. */
final class DefaultVariants {

  /** For a number of keys that is known. */
  static final String FIXED = FilterBuilder.DEFAULT_VARIANT;

  /** For any number of keys. */
  static final String GROWING = "scalable";

  /** For keys that are to be removed. */
  static final String REMOVABLE = FilterBuilder.DEFAULT_REMOVABLE_VARIANT;

  private DefaultVariants() {}
}
