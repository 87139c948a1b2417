package io.bloomery.cli.option;

import io.bloomery.FilterBuilder;

/** The variants that commands use by default. */
public final class DefaultVariants {

  /** The variant for a known number of keys. */
  public static final String FIXED = FilterBuilder.DEFAULT_VARIANT;

  /** The variant for any number of keys. */
  public static final String GROWING = "scalable";

  /** The variant for keys that will be removed. */
  public static final String REMOVABLE = FilterBuilder.DEFAULT_REMOVABLE_VARIANT;

  private DefaultVariants() {}
}
