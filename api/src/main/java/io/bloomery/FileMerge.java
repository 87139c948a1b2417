package io.bloomery;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Merges the filters in files into one file. */
final class FileMerge {

  private static final int BUFFER = 1 << 16;

  private FileMerge() {}

  /** See {@link Bloomery#merge}. */
  static void merge(Path target, List<Path> paths, Catalog catalog) throws IOException {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one file to merge, but is none");
    }
    List<Source> sources = new ArrayList<>();
    try {
      for (Path path : paths) {
        sources.add(Source.open(path));
      }
      Source first = sources.get(0);
      for (Source other : sources) {
        first.checkFits(other);
      }
      OptionalLong unionBits = first.unionBits(catalog);
      if (unionBits.isPresent()) {
        FilterFile.replace(target, out -> writeUnion(sources, unionBits.getAsLong(), out));
        return;
      }
    } finally {
      for (Source source : sources) {
        source.close();
      }
    }
    FilterFile.save(mergeInMemory(paths, catalog), target);
  }

  private static void writeUnion(List<Source> sources, long usableBits, OutputStream out)
      throws IOException {
    Source first = sources.get(0);
    out.write(first.header.encode());
    Trailer trailer = new Trailer();
    Part union = new Part();
    Part more = new Part();
    long left = first.header.payloadSize();
    while (left > 0) {
      int size = (int) Math.min(left, BUFFER);
      first.read(union, size, usableBits);
      for (Source other : sources.subList(1, sources.size())) {
        other.read(more, size, usableBits);
        union.or(more, size);
      }
      trailer.update(union.bytes, size);
      out.write(union.bytes, 0, size);
      left -= size;
    }
    for (Source source : sources) {
      source.checkTrailer();
      // Now, since some systems do not replace a file that is open.
      source.close();
    }
    out.write(trailer.encode());
  }

  private static Filter mergeInMemory(List<Path> paths, Catalog catalog) throws IOException {
    Path first = paths.get(0);
    Opening opening =
        new Opening(catalog, ThreadMode.CONFINED, FilterLimits.HEAP, FileMerge::checkMerges);
    MergeableFilter merged = (MergeableFilter) FilterFile.open(first, opening);
    for (Path path : paths.subList(1, paths.size())) {
      Filter other = FilterFile.open(path, opening);
      Optional<String> mismatch = merged.mismatch(other);
      if (mismatch.isPresent()) {
        throw new IllegalArgumentException(
            "filters in " + first + " and " + path + " cannot be merged: " + mismatch.get());
      }
      merged.putAll(other);
    }
    return merged;
  }

  private static void checkMerges(FilterSpec spec, FilterProvider provider) {
    if (!MergeableFilter.class.isAssignableFrom(provider.filterType())) {
      throw new IllegalArgumentException(BloomFilter.doesNotMerge(provider.variant()));
    }
  }

  /** A part of a payload, as bytes and as words. */
  private static final class Part {
    final byte[] bytes = new byte[BUFFER];
    private final LongBuffer words =
        ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).asLongBuffer();

    void or(Part other, int size) {
      for (int i = 0; i < size / Long.BYTES; i++) {
        words.put(i, words.get(i) | other.words.get(i));
      }
    }
  }

  /** A file that is read from one end to the other. */
  private static final class Source implements Closeable {
    private final Path path;
    private final InputStream in;
    private final Header header;
    private final Trailer trailer = new Trailer();
    private long offset;

    private Source(Path path, InputStream in, Header header) {
      this.path = path;
      this.in = in;
      this.header = header;
      this.offset = header.size();
    }

    static Source open(Path path) throws IOException {
      if (Files.isDirectory(path)) {
        throw new FileSystemException(path.toString(), null, "is a directory, not a filter");
      }
      FileChannel channel = FileChannel.open(path);
      try {
        InputStream in = Channels.newInputStream(channel);
        long length = Files.isRegularFile(path) ? channel.size() : EnvelopeReader.UNKNOWN;
        return new Source(path, in, EnvelopeReader.header(in, length));
      } catch (FilterFormatException e) {
        channel.close();
        throw e.in(path);
      } catch (IOException | RuntimeException | Error e) {
        channel.close();
        throw e;
      }
    }

    OptionalLong unionBits(Catalog catalog) throws FilterFormatException {
      try {
        return catalog.get(header).unionBits(header.layout(), header.payloadSize());
      } catch (IllegalArgumentException e) {
        throw malformed(header.size(), FilterFormatException.reasonOf(e));
      } catch (FilterFormatException e) {
        throw e.in(path);
      }
    }

    void checkFits(Source other) {
      check("variant", header.variant(), other, other.header.variant());
      check("hash id", header.spec().hashId(), other, other.header.spec().hashId());
      check("key form", header.spec().keyForm(), other, other.header.spec().keyForm());
      check("layout", header.layout(), other, other.header.layout());
    }

    private void check(String what, Object here, Source other, Object there) {
      if (!here.equals(there)) {
        throw new IllegalArgumentException(
            "filters cannot be merged: "
                + what
                + " must be equal, but is "
                + here
                + " in "
                + path
                + " and "
                + there
                + " in "
                + other.path);
      }
    }

    void read(Part part, int size, long usableBits) throws IOException {
      readFully(part.bytes, size);
      trailer.update(part.bytes, size);
      long start = offset - size - header.size();
      for (int i = (int) Math.max(0, usableBits / Byte.SIZE - start); i < size; i++) {
        int used = (int) Math.max(0, usableBits - (start + i) * Byte.SIZE);
        if (Byte.toUnsignedInt(part.bytes[i]) >>> used != 0) {
          throw malformed(
              header.size() + start + i,
              "bits from " + usableBits + " on are not used and must be clear");
        }
      }
    }

    void checkTrailer() throws IOException {
      byte[] found = new byte[(int) Trailer.size(header.payloadSize())];
      readFully(found, found.length);
      try {
        trailer.check(found, header.size());
      } catch (FilterFormatException e) {
        throw e.in(path);
      }
    }

    private void readFully(byte[] bytes, int size) throws IOException {
      int read = in.readNBytes(bytes, 0, size);
      offset += read;
      if (read < size) {
        throw malformed(offset, "ends here, in the middle of a filter");
      }
    }

    private FilterFormatException malformed(long at, String reason) {
      return new FilterFormatException(at, reason).in(path);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
