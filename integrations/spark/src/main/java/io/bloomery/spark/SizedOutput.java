package io.bloomery.spark;

import java.io.ByteArrayOutputStream;

/** An output to an array that has the right size from the start, and is never copied. */
final class SizedOutput extends ByteArrayOutputStream {

  /**
   * Creates an output for so many bytes.
   *
   * @throws IllegalStateException if no value of Spark can have them
   */
  SizedOutput(long bytes) {
    super(checked(bytes));
  }

  private static int checked(long bytes) {
    if (bytes > BloomerySpark.MAX_BYTES) {
      throw new IllegalStateException(
          "a value must have at most "
              + BloomerySpark.MAX_BYTES
              + " bytes, but the filter now has "
              + bytes
              + "; build it in shards, by BloomerySpark.buildShards");
    }
    return (int) bytes;
  }

  @Override
  public synchronized byte[] toByteArray() {
    return count == buf.length ? buf : super.toByteArray();
  }
}
