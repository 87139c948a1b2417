package io.bloomery.cli.input;

import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.Failure;
import java.io.IOException;

/** Splits one input into lines, or into other records with one key each. */
interface RecordReader extends AutoCloseable {

  /**
   * Fills a batch with the next lines, but does not wait for more once it has one.
   *
   * @return false if there are no more lines, and the batch is empty
   * @throws Failure if a line does not contain a key of the required kind
   * @throws IOException if the input cannot be read
   */
  boolean fill(LineBatch batch) throws Failure, IOException;

  /**
   * Counts the lines that {@link #fill} would return from here on, or a few more if malformed ones
   * are skipped.
   */
  default long count(MalformedLines malformed) throws Failure, IOException {
    LineBatch counted = new LineBatch((byte) '\n', KeyHash.TEXT, malformed);
    long lines = 0;
    while (fill(counted)) {
      lines += counted.size();
    }
    return lines;
  }

  @Override
  void close() throws IOException;
}
