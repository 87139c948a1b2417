package io.bloomery;

/**
 * Thrown by a put for which a limit set at creation leaves no room. The filter is unchanged, and
 * still answers.
 */
public class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Makes an exception whose message says which limit was reached and what to do about it. */
  public FilterFullException(String message) {
    super(message);
  }

  FilterFullException inBatch(int done, int all) {
    FilterFullException batch =
        new FilterFullException(
            "the first " + done + " of " + all + " are in, none after: " + getMessage());
    batch.initCause(this);
    return batch;
  }
}
