package io.bloomery.filter;

/**
 * Thrown by a put or merge that would exceed a limit, set at creation or opening or inherent in the
 * variant. The filter is unchanged and can still be queried.
 */
public class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Creates an exception whose message names the limit and the remedy. */
  public FilterFullException(String message) {
    super(message);
  }

  /** Creates an exception about a batch, whose message has the number of hashes added. */
  public FilterFullException(String message, FilterFullException cause) {
    super(message, cause);
  }
}
