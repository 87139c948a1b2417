package io.bloomery.internal;

/** Messages about operations that a variant does not support. */
public final class MissingAbility {

  private MissingAbility() {}

  /** Returns a message that nothing is put into a saved filter of a variant. */
  public static String putting(String variant) {
    return isBuiltOnce(variant) + "; build it anew, or query it by openView, readView or map";
  }

  /** Returns a message that no empty filters of a variant are created. */
  public static String creating(String variant) {
    return isBuiltOnce(variant)
        + "; build it by fpp(...).build(keys), and guard a view of it by ReadOnlyGuard";
  }

  /** Returns a message that filters of a variant are not built once. */
  public static String building(String variant) {
    return "variant must be one that is built once from all keys, such as 'fuse', but keys are put"
        + " into '"
        + variant
        + "'; begin with expect(keys)";
  }

  private static String isBuiltOnce(String variant) {
    return "variant must be one that keys are put into, such as 'standard', but '"
        + variant
        + "' is built once from all of them";
  }

  /** Returns a message that no filters of a variant live in their files. */
  public static String living(String variant) {
    return "variant must be one that lives in its file, such as 'standard', 'partitioned' or"
        + " 'blocked', but '"
        + variant
        + "' does not; save and update it instead";
  }

  /** Returns a message that filters of a variant cannot be merged. */
  public static String merging(String variant) {
    return "variant '"
        + variant
        + "' does not merge; put the keys of one into the other, or ask both";
  }

  /** Returns a message that filters of a variant, which are built once, cannot be merged. */
  public static String mergingBuilt(String variant) {
    return "variant '"
        + variant
        + "' does not merge, but is built once; build one of all keys, or ask both";
  }

  /** Returns a message that filters of a variant cannot be folded. */
  public static String folding(String variant) {
    return "variant '"
        + variant
        + "' does not fold, as not all of its content is one table of bits; make a filter of as many"
        + " keys as there are, and put them again";
  }

  /** Returns a message that filters of a variant have no intersections. */
  public static String intersecting(String variant) {
    return "variant '" + variant + "' has no intersections; ask both filters for each key";
  }

  /** Returns a message that keys cannot be removed from filters of a variant. */
  public static String removing(String variant) {
    return "variant must be one that can remove, such as 'counting', but is '" + variant + "'";
  }
}
