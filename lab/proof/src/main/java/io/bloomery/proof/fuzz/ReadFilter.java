package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterView;
import io.bloomery.filter.StoredFilter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/** Reads a filter from a buffer and a stream. */
public final class ReadFilter {

  static final OpenOptions OPTIONS = OpenOptions.shared().within(FilterLimits.ofBytes(1 << 20));

  private static final FilterFiles FILES = FilterFiles.installed();
  private static final long[] HASHES = {0, 1, -1, 0x9e3779b97f4a7c15L, 0xd1342543de82ef95L};

  private ReadFilter() {}

  /** Reads an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] sealed = Seal.envelope(input);
    read(input, Trial.areEqual(input, sealed));
    read(sealed, true);
  }

  private static void read(byte[] bytes, boolean isSealed) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    Optional<StoredFilter> read =
        Trial.read(Trial.known(bytes.length), () -> FILES.readView(buffer.position(0), OPTIONS));
    require(read.isPresent() || buffer.position() == 0, "a refusal must leave the position");
    Optional<StoredFilter> streamed =
        Trial.read(
            Trial.streamed(bytes.length),
            () -> FILES.readView(new ByteArrayInputStream(bytes), OPTIONS));
    require(read.isPresent() == streamed.isPresent(), "a buffer and a stream must agree");
    if (read.isPresent()) {
      require(isSealed, "what has another checksum must be refused");
      byte[] own = Arrays.copyOf(bytes, buffer.position());
      isWrittenAgain(own, read.get());
      isWrittenAgain(own, streamed.get());
      works(read.get());
    }
  }

  static void isWrittenAgain(byte[] bytes, StoredFilter filter) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FilterFiles.write(filter, out);
    Trial.requireEqual(bytes, out.toByteArray(), "what is written must be what was read");
    require(FilterFiles.serializedSize(filter) == bytes.length, "its size must be known");
  }

  /** Queries a filter, and puts into it if it can be put into. */
  static void works(FilterView filter) {
    filter.stats();
    for (long hash : HASHES) {
      boolean before = filter.mightContain(hash);
      if (filter instanceof Filter puttable) {
        put(puttable, hash, before);
      }
    }
  }

  private static void put(Filter filter, long hash, boolean before) {
    try {
      boolean isNew = filter.put(hash);
      require(!isNew || !before, "a put must not call new what was there");
      require(filter.mightContain(hash), "what was put must be there");
    } catch (FilterFullException e) {
      require(filter.mightContain(hash) == before, "a refused put changes nothing");
    }
  }
}
