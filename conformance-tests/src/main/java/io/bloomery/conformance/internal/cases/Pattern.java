package io.bloomery.conformance.internal.cases;

/** The kind of hashes put into a filter; all hashes of a case are distinct. */
public enum Pattern {
  /** Uniform, like those of a good hash function, for which rates are guaranteed. */
  UNIFORM {
    @Override
    public long hash(long uniform, int index) {
      return uniform;
    }
  },
  /** Counting up from 0, like keys that are their own hash. */
  COUNTING {
    @Override
    public long hash(long uniform, int index) {
      return index;
    }
  },
  /** Counting in the highest bits. */
  COUNTING_IN_HIGH_BITS {
    @Override
    public long hash(long uniform, int index) {
      return Long.reverse(index);
    }
  },
  /** Counting down from -1. */
  COUNTING_DOWN {
    @Override
    public long hash(long uniform, int index) {
      return ~(long) index;
    }
  },
  /** Uniform in the lower half and counting slowly in the upper half. */
  UNIFORM_IN_LOW_BITS {
    @Override
    public long hash(long uniform, int index) {
      return (uniform & LOW) | (long) index << Integer.SIZE;
    }
  },
  /** Uniform in the upper half and counting in the lower half. */
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
   * @param uniform a uniform hash, distinct for each index
   * @param index the index, from 0
   */
  public abstract long hash(long uniform, int index);
}
