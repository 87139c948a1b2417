package io.bloomery.cli.session;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A stream whose failures can be distinguished from those of other streams: it throws {@link
 * OutputException}.
 */
public final class StandardOutput extends OutputStream {

  private final OutputStream out;

  public StandardOutput(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    try {
      out.write(b);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }

  @Override
  public void flush() throws IOException {
    try {
      out.flush();
    } catch (IOException e) {
      throw new OutputException(e);
    }
  }
}
