package io.bloomery.cli;

import java.io.IOException;
import java.io.InputStream;

/** An input on which every read fails. */
public final class CutCable extends InputStream {

  @Override
  public int read() throws IOException {
    throw new IOException("the cable is cut");
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    throw new IOException("the cable is cut");
  }
}
