package io.bloomery.hash;

/**
 * Thrown internally if the function given to {@link KeyHasher#compose} returns null. It records the
 * class of the object and the field, and is converted to a NullPointerException where the hasher is
 * known.
 */
final class MissingKey extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String holder;
  private final String field;

  /** Records the class of the holder, not its content, which must not appear in logs. */
  MissingKey(Object holder) {
    this(holder.getClass().getName(), "");
  }

  private MissingKey(String holder, String field) {
    this.holder = holder;
    this.field = field;
  }

  /**
   * Returns an exception with the field added, counted from 1, that is or contains the missing key.
   */
  MissingKey inField(int number, String encoding) {
    return new MissingKey(holder, field + "field " + number + ", " + encoding + ", of ");
  }

  /** Returns the exception for the caller of the hasher. */
  NullPointerException of(String id) {
    return new NullPointerException(
        "the function given to compose(...) must return a key, but returned null for a holder of class "
            + holder
            + ", in "
            + field
            + "hasher "
            + id
            + "; leave such holders out, or return what stands for none, such as an empty key");
  }
}
