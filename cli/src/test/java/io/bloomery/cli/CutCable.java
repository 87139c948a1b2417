package io.bloomery.cli;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;

/** An input on which every read fails. */
public final class CutCable extends InputStream {

  /** Returns an input that begins with a text. */
  public static InputStream after(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return new SequenceInputStream(new ByteArrayInputStream(bytes), new CutCable());
  }

  @Override
  public int read() throws IOException {
    throw new IOException("the cable is cut");
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    throw new IOException("the cable is cut");
  }
}
