package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;

/** A filter that is queried for lines. */
public interface LineSelector {

  /**
   * Finds the lines that might be contained.
   *
   * @param hits receives the indices of these lines, in ascending order
   * @return the number of these lines
   * @throws Failure if a line cannot be a key, or the filter can no longer be queried
   */
  int select(LineBatch batch, int[] hits) throws Failure;
}
