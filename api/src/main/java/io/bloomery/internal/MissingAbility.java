package io.bloomery.internal;

/** What to say of a variant that cannot do what is wanted of it. */
public final class MissingAbility {

  private MissingAbility() {}

  /** Says that filters of a variant do not merge. */
  public static String merging(String variant) {
    return "variant '"
        + variant
        + "' does not merge; put the keys of one into the other, or ask both";
  }

  /** Says that keys cannot be removed from filters of a variant. */
  public static String removing(String variant) {
    return "variant must be one that can remove, such as 'counting', but is '" + variant + "'";
  }
}
