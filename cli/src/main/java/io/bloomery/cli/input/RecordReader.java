package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.Failure;
import java.io.IOException;

/** Splits one input into lines, or whatever holds a key each. */
interface RecordReader extends AutoCloseable {

  /**
   * Fills a batch with the next lines, but does not wait for one while others wait to be handled.
   *
   * @return false if there are no more, and the batch is empty
   * @throws Failure if a line holds no key of the kind that was asked for
   * @throws IOException if the input cannot be read
   */
  boolean fill(LineBatch batch) throws Failure, IOException;

  /** Counts the lines that {@link #fill} would hand out from here. */
  default long count() throws Failure, IOException {
    LineBatch counted = new LineBatch((byte) '\n', KeyHash.TEXT);
    long lines = 0;
    while (fill(counted)) {
      lines += counted.size();
    }
    return lines;
  }

  @Override
  void close() throws IOException;
}
