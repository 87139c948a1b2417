package io.bloomery.conformance.internal.kit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** An input stream that fails after some bytes. */
public final class FailingInput extends InputStream {

  private final ByteArrayInputStream good;
  private final IOException failure;

  public FailingInput(byte[] bytes, int length, IOException failure) {
    this.good = new ByteArrayInputStream(bytes, 0, length);
    this.failure = failure;
  }

  @Override
  public int read() throws IOException {
    int next = good.read();
    if (next < 0) {
      throw failure;
    }
    return next;
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int read = good.read(bytes, from, length);
    if (read < 0 && length > 0) {
      throw failure;
    }
    return read;
  }

  @Override
  public int available() {
    return good.available();
  }
}
