package io.bloomery.internal;

/**
 * What the compiler would make a jump of, in a form that it does not: which of two answers comes
 * nobody can foresee, and a wrong guess costs more than a whole query.
 *
 * <p>A {@code bits == 0 ? 1 : 0} becomes a jump unless both answers came equally often while it was
 * compiled, which no caller can be asked to see to: a guard is asked for absent keys only.
 */
public final class BranchFree {

  private BranchFree() {}

  /** Returns 1 if no bit is set, else 0. */
  public static int oneIfZero(long bits) {
    // Less one, only 0 has the highest bit while it did not have it before.
    return (int) ((~bits & (bits - 1)) >>> (Long.SIZE - 1));
  }
}
