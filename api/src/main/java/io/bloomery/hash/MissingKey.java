package io.bloomery.hash;

/**
 * Says that the function given to {@link KeyHasher#compose} returned null, for what and in which
 * field, until the hasher is known whose key it was to be.
 */
final class MissingKey extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final String holder;
  private final String field;

  /** Keeps the holder's class, not what it holds, which must not get into logs. */
  MissingKey(Object holder) {
    this(holder.getClass().getName(), "");
  }

  private MissingKey(String holder, String field) {
    this.holder = holder;
    this.field = field;
  }

  /** Returns the same for a field, counted from 1, that is or holds the one that is missing. */
  MissingKey inField(int number, String encoding) {
    return new MissingKey(holder, field + "field " + number + ", " + encoding + ", of ");
  }

  /** Returns what the user sees. */
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
