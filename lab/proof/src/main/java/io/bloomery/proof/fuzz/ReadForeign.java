package io.bloomery.proof.fuzz;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.interop.ItemEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Reads a filter of another system: of the format that a property names, or of each. */
public final class ReadForeign {

  /** The property with the id of a format; absent for all. */
  static final String PROPERTY = "bloomery.fuzz.format";

  private static final List<ForeignFormat> FORMATS =
      Optional.ofNullable(System.getProperty(PROPERTY))
          .map(id -> List.of(ForeignFormat.named(id)))
          .orElse(List.of(ForeignFormat.values()));
  // What an empty filter of DataSketches may mean, and twice that for one that is compressed.
  private static final long MOST_BYTES = 64L << 20;

  private ReadForeign() {}

  /** Reads an input in each format. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    for (ForeignFormat format : FORMATS) {
      read(format, input);
    }
  }

  private static void read(ForeignFormat format, byte[] input) throws IOException {
    Optional<ForeignFilter> whole = Trial.read(MOST_BYTES, () -> parsed(format, input));
    Optional<ForeignFilter> streamed =
        Trial.read(MOST_BYTES, () -> format.read(new ByteArrayInputStream(input)));
    Trial.require(whole.isEmpty() || streamed.isPresent(), "an array and a stream must agree");
    if (streamed.isEmpty()) {
      return;
    }
    ForeignFilter filter = streamed.get();
    filter.layout();
    filter.view(ItemEncoding.bytes()).mightContain(new byte[] {1, 2, 3});
    byte[] written = filter.toBytes();
    ForeignFilter again = filter.format().read(written);
    Trial.requireEqual(written, again.toBytes(), "what is read again must be written as it was");
    Trial.require(again.layout().equals(filter.layout()), "what is read again must be the same");
    merged(filter, again, written);
  }

  /** Merges two equal filters, which must keep their layout, or change nothing. */
  private static void merged(ForeignFilter filter, ForeignFilter again, byte[] written)
      throws IOException {
    try {
      filter.putAll(again);
    } catch (IllegalArgumentException e) {
      Trial.requireEqual(written, filter.toBytes(), "a merge that throws must change nothing");
      return;
    }
    byte[] merged = filter.toBytes();
    Trial.requireEqual(
        merged, filter.format().read(merged).toBytes(), "what was merged must be read again");
  }

  private static ForeignFilter parsed(ForeignFormat format, byte[] input) throws IOException {
    byte[] before = input.clone();
    try {
      return format.read(input);
    } catch (FilterFormatException e) {
      Trial.require(
          e.offset() >= 0 && e.offset() <= input.length, "a refusal must have its offset");
      throw e;
    } finally {
      Trial.require(Arrays.equals(before, input), "a reader must not change its input");
    }
  }
}
