package io.bloomery.filter;

/**
 * Thrown by a filter or view that cannot answer a query because it is closed, or its data is lost
 * or out of date; thrown instead of returning false, which would be a false negative.
 */
public class FilterUnavailableException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Creates an exception whose message has the reason and the remedy. */
  public FilterUnavailableException(String message) {
    super(message);
  }

  /** Creates an exception with a cause, such as the failure of a disk or of a connection. */
  public FilterUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
