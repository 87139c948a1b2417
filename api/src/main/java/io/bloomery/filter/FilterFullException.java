package io.bloomery.filter;

/**
 * Thrown by a put or a merge for which there is no room: at a limit set at creation or opening, or
 * at one of the variant. The filter is unchanged, and still answers.
 */
public class FilterFullException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Makes an exception whose message says which limit was reached and what to do about it. */
  public FilterFullException(String message) {
    super(message);
  }

  /** Makes an exception about a batch, whose message says how far it came. */
  public FilterFullException(String message, FilterFullException cause) {
    super(message, cause);
  }
}
