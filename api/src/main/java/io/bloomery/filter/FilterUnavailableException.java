package io.bloomery.filter;

/**
 * Thrown by a filter or view that cannot answer: it was closed, or what it answers from was lost or
 * is out of date. It is thrown in place of an answer, so that nobody takes a key for absent because
 * the filter is.
 */
public class FilterUnavailableException extends IllegalStateException {

  private static final long serialVersionUID = 1;

  /** Makes an exception whose message says why there is no answer and what to do about it. */
  public FilterUnavailableException(String message) {
    super(message);
  }

  /** Makes an exception with a cause, such as the failure of a disk or of a connection. */
  public FilterUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
