package io.bloomery.conformance.internal.cases;

/** Which hashes a filter is given; all of a case are different from each other. */
public enum Pattern {
  /** Uniform ones, as of a good hash function: those that rates are promised for. */
  UNIFORM {
    @Override
    public long hash(long uniform, int index) {
      return uniform;
    }
  },
  /** They count up from 0, as of a key that is its own hash. */
  COUNTING {
    @Override
    public long hash(long uniform, int index) {
      return index;
    }
  },
  /** They count in their highest bits. */
  COUNTING_IN_HIGH_BITS {
    @Override
    public long hash(long uniform, int index) {
      return Long.reverse(index);
    }
  },
  /** They count down from -1. */
  COUNTING_DOWN {
    @Override
    public long hash(long uniform, int index) {
      return ~(long) index;
    }
  },
  /** Their lower halves are uniform, their upper ones count slowly. */
  UNIFORM_IN_LOW_BITS {
    @Override
    public long hash(long uniform, int index) {
      return (uniform & LOW) | (long) index << Integer.SIZE;
    }
  },
  /** Their upper halves are uniform, their lower ones count. */
  UNIFORM_IN_HIGH_BITS {
    @Override
    public long hash(long uniform, int index) {
      return (uniform & ~LOW) | index;
    }
  };

  private static final long LOW = 0xffff_ffffL;

  /**
   * Returns one of the hashes.
   *
   * @param uniform a uniform one, different for each index
   * @param index which of them, from 0
   */
  public abstract long hash(long uniform, int index);
}
