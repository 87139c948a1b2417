package io.bloomery.conformance.broken;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.PayloadInput;
import java.io.IOException;

/** An input that is right until a method is overridden. */
public class PatchedInput implements PayloadInput {

  private final PayloadInput in;

  public PatchedInput(PayloadInput in) {
    this.in = in;
  }

  @Override
  public long size() {
    return in.size();
  }

  @Override
  public long[] readLongs(long count) throws IOException {
    return in.readLongs(count);
  }

  @Override
  public FilterFormatException malformed(String reason) {
    return in.malformed(reason);
  }
}
