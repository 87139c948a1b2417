package io.bloomery.conformance.internal.kit;

import java.io.IOException;
import java.io.OutputStream;

/** An output stream that fails after some bytes. */
public final class FailingOutput extends OutputStream {

  private final IOException failure;
  private int left;

  public FailingOutput(int bytes, IOException failure) {
    this.left = bytes;
    this.failure = failure;
  }

  @Override
  public void write(int b) throws IOException {
    if (left-- == 0) {
      throw failure;
    }
  }
}
