package io.bloomery;

/**
 * Thrown by a put for which there is no room: at a limit set at creation, or at one of the variant.
 * The filter is unchanged, and still answers.
 */
public class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Makes an exception whose message says which limit was reached and what to do about it. */
  public FilterFullException(String message) {
    super(message);
  }

  /** Returns what a filter with its own {@link Filter#putAll(long[], int, int)} throws instead. */
  public FilterFullException inBatch(int done, int all) {
    return because("the first " + done + " of " + all + " are in, none after: ");
  }

  FilterFullException after(long before) {
    return because("after " + before + " others, ");
  }

  private FilterFullException because(String how) {
    FilterFullException batch = new FilterFullException(how + getMessage());
    batch.initCause(this);
    return batch;
  }
}
