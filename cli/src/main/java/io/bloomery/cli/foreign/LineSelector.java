package io.bloomery.cli.foreign;

import io.bloomery.cli.input.LineBatch;
import io.bloomery.cli.session.Failure;

/** A filter that is asked for lines. */
public interface LineSelector {

  /**
   * Finds the lines that might be contained.
   *
   * @param hits where to put their indices, ascending
   * @return how many there are
   * @throws Failure if a line cannot be a key, or the filter can no longer be asked
   */
  int select(LineBatch batch, int[] hits) throws Failure;
}
