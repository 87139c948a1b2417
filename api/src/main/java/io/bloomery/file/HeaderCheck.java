package io.bloomery.file;

import java.io.IOException;

/** Refuses filters by what their header says, before any of their content is read. */
@FunctionalInterface
public interface HeaderCheck {

  /**
   * Looks at a header.
   *
   * @throws IOException if the filter is not to be opened; whoever wanted to open it gets this
   */
  void check(FilterHeader header) throws IOException;
}
