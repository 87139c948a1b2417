package io.bloomery.cli.option;

import io.bloomery.FilterBuilder;

/** The variants that commands take when none is named. */
public final class DefaultVariants {

  /** For a number of keys that is known. */
  public static final String FIXED = FilterBuilder.DEFAULT_VARIANT;

  /** For any number of keys. */
  public static final String GROWING = "scalable";

  /** For keys that are to be removed. */
  public static final String REMOVABLE = FilterBuilder.DEFAULT_REMOVABLE_VARIANT;

  private DefaultVariants() {}
}
