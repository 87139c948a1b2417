package io.bloomery.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;

/** A stream that returns a few bytes at a time. */
public final class InChunks extends InputStream {

  private final ByteArrayInputStream in;
  private final int chunk;

  public InChunks(byte[] bytes, int chunk) {
    this.in = new ByteArrayInputStream(bytes);
    this.chunk = chunk;
  }

  @Override
  public int read() {
    return in.read();
  }

  @Override
  public int read(byte[] bytes, int from, int length) {
    return in.read(bytes, from, Math.min(length, chunk));
  }

  @Override
  public int available() {
    return Math.min(in.available(), chunk);
  }
}
