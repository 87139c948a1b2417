package io.bloomery.blocked;

import io.bloomery.internal.BranchFree;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** The kernel in plain Java, which processes a block word by word. */
final class PlainKernel implements BlockedKernel {

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  @Override
  public int test(long[] words, int first, long pattern) {
    long a = (long) WORDS.getOpaque(words, first);
    long b = (long) WORDS.getOpaque(words, first + 1);
    long c = (long) WORDS.getOpaque(words, first + 2);
    long d = (long) WORDS.getOpaque(words, first + 3);
    return all(a, b, c, d, pattern);
  }

  /** Returns 1 if all bits of a pattern are set in the words of a block, else 0. */
  static int all(long a, long b, long c, long d, long pattern) {
    // A shift uses the low 6 bits of its count, so that the numbers need no masks.
    long all = (a >>> (pattern >>> 16)) & (a >>> (pattern >>> 22));
    all &= (b >>> (pattern >>> 28)) & (b >>> (pattern >>> 34));
    all &= (c >>> (pattern >>> 40)) & (c >>> (pattern >>> 46));
    all &= (d >>> (pattern >>> 52)) & (d >>> (pattern >>> 58));
    return (int) all & 1;
  }

  @Override
  public boolean put(long[] words, int first, long pattern) {
    long missing = 0;
    for (int j = 0; j < Blocks.WORDS; j++) {
      long word = words[first + j];
      long mask = FourWordFilter.mask(pattern, j);
      missing |= mask & ~word;
      words[first + j] = word | mask;
    }
    return BranchFree.oneIfZero(missing) == 0;
  }
}
