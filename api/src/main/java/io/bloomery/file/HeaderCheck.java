package io.bloomery.file;

import java.io.IOException;

/** A check that rejects filters by their header, before any content is read. */
@FunctionalInterface
public interface HeaderCheck {

  /**
   * Checks a header.
   *
   * @throws IOException if the filter must not be opened; it is propagated to the caller
   */
  void check(FilterHeader header) throws IOException;
}
