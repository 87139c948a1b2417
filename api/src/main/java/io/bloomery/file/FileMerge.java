package io.bloomery.file;

import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.StaticFilterProvider;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.Mismatch;
import io.bloomery.internal.MissingAbility;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import io.bloomery.internal.file.LockedFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** A merge of filter files into one file. */
final class FileMerge {
  // decisions.md#files-are-merged-side-by-side-64-of-them-open-at-once

  private static final int BUFFER = 1 << 16;

  /** The maximum number of files open at the same time; operating systems allow 256 or more. */
  private static final int MAX_OPEN = 64;

  /** The file that the merge replaces. */
  private interface Target {
    void replace(FileReplacement.Content content) throws IOException;
  }

  private final List<Path> paths;
  private final FilterProviders providers;
  private final @Nullable LockedFile locked; // the target, if it is one of the sources

  private FileMerge(List<Path> paths, FilterProviders providers, @Nullable LockedFile locked) {
    this.paths = paths;
    this.providers = providers;
    this.locked = locked;
  }

  /** See {@link FilterFiles#merge}. */
  static void merge(Path target, List<Path> paths, Duration patience, FilterProviders providers)
      throws IOException {
    Objects.requireNonNull(patience, "patience");
    checkNotEmpty(paths);
    for (Path path : paths) {
      if (Files.exists(target) && Files.exists(path) && Files.isSameFile(target, path)) {
        // The target is read as well as replaced, so it must not change in between.
        try (LockedFile locked = FilterFile.lock(target, patience)) {
          merge(new FileMerge(paths, providers, locked), locked::replace);
        }
        return;
      }
    }
    merge(new FileMerge(paths, providers, null), out -> FileReplacement.replace(target, out));
  }

  /** See {@link FilterFiles#mergeNew}. */
  static void mergeNew(Path target, List<Path> paths, FilterProviders providers)
      throws IOException {
    checkNotEmpty(paths);
    merge(new FileMerge(paths, providers, null), out -> FileReplacement.create(target, out));
  }

  private static void checkNotEmpty(List<Path> paths) {
    if (paths.isEmpty()) {
      throw new IllegalArgumentException("there must be at least one file to merge, but is none");
    }
  }

  private static void merge(FileMerge merge, Target target) throws IOException {
    if (!merge.writeUnion(target)) {
      try {
        Filter merged = merge.inMemory();
        target.replace(out -> EnvelopeWriter.write(merged, out));
      } catch (OutOfMemoryError e) {
        // The filters are unreachable by now.
        throw merge.tooLarge();
      }
    }
  }

  private IOException tooLarge() throws IOException {
    Path first = paths.get(0);
    return ContentTooLargeException.of(2 * FilterFile.header(first).payloadSize()).in(first);
  }

  private boolean writeUnion(Target target) throws IOException {
    List<Source> sources = new ArrayList<>();
    try {
      for (Path path : paths) {
        Source source = Source.of(path, input(path));
        source.shutIfMany(sources.size());
        sources.add(source);
      }
      Source first = sources.get(0);
      first.checkNotBuiltOnce(providers);
      for (Source other : sources) {
        first.checkFits(other);
      }
      OptionalLong unionBits = first.unionBits(providers);
      if (unionBits.isPresent()) {
        target.replace(out -> writeUnion(sources, unionBits.getAsLong(), out));
      }
      return unionBits.isPresent();
    } finally {
      for (Source source : sources) {
        source.close();
      }
    }
  }

  private FileInput input(Path path) throws IOException {
    return locked != null && Files.isSameFile(path, locked.path())
        ? locked.input()
        : FilterFile.input(path);
  }

  private static void writeUnion(List<Source> sources, long usableBits, OutputStream out)
      throws IOException {
    Source first = sources.get(0);
    out.write(HeaderFormat.encode(first.header));
    Trailer trailer = new Trailer();
    Part union = new Part();
    Part more = new Part();
    long left = first.header.payloadSize();
    while (left > 0) {
      int size = (int) Math.min(left, BUFFER);
      first.read(union, size, usableBits);
      for (int i = 1; i < sources.size(); i++) {
        sources.get(i).read(more, size, usableBits);
        sources.get(i).shutIfMany(i);
        union.or(more, size);
      }
      trailer.update(union.bytes, size);
      out.write(union.bytes, 0, size);
      left -= size;
    }
    for (Source source : sources) {
      source.checkTrailer();
      // Closed first, because some systems do not replace an open file.
      source.close();
    }
    out.write(trailer.encode());
  }

  private Filter inMemory() throws IOException {
    Path first = paths.get(0);
    Opening opening = new Opening(providers, OpenOptions.confined().mergeable());
    MergeableFilter merged = (MergeableFilter) open(first, opening);
    for (Path path : paths.subList(1, paths.size())) {
      Filter other = open(path, opening);
      Optional<String> mismatch = merged.incompatibility(other);
      if (mismatch.isPresent()) {
        throw new UnexpectedFilterException(
            Reason.MERGE,
            "filters in " + first + " and " + path + " cannot be merged: " + mismatch.get());
      }
      try {
        merged.putAll(other);
      } catch (FilterFullException e) {
        throw new UnexpectedFilterException(
            Reason.MERGE, "there is no room for the filter in " + path + ": " + e.getMessage());
      }
    }
    return merged;
  }

  private Filter open(Path path, Opening opening) throws IOException {
    try (FileInput in = input(path)) {
      return (Filter) FilterFile.read(path, in, opening);
    }
  }

  /** A part of a payload, accessible as bytes and as words. */
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

  /** A file that is read sequentially. */
  private static final class Source implements Closeable {
    private final Path path;
    private final FileInput in;
    private final FilterHeader header;
    private final Trailer trailer = new Trailer();
    private long offset;

    private Source(Path path, FileInput in, FilterHeader header) {
      this.path = path;
      this.in = in;
      this.header = header;
      this.offset = header.headerSize();
    }

    static Source of(Path path, FileInput in) throws IOException {
      try {
        return new Source(path, in, EnvelopeReader.header(in, in.length()));
      } catch (FilterFormatException e) {
        in.close();
        throw e.in(path);
      } catch (IOException | RuntimeException | Error e) {
        in.close();
        throw e;
      }
    }

    /** Closes the file until its next read, if at least {@link #MAX_OPEN} files come before it. */
    void shutIfMany(int before) throws IOException {
      if (before >= MAX_OPEN) {
        in.shut();
      }
    }

    OptionalLong unionBits(FilterProviders providers) throws IOException {
      VariantProvider provider = OpenOptions.confined().provider(header, providers);
      try {
        return provider instanceof FilterProvider merging
            ? merging.unionBits(header.layout(), header.payloadSize())
            : OptionalLong.empty();
      } catch (IllegalArgumentException e) {
        throw new FilterFormatException(header.headerSize(), e).in(path);
      }
    }

    /** What is built once would not fit others either if they were made again as it was made. */
    void checkNotBuiltOnce(FilterProviders providers) throws UnexpectedFilterException {
      Optional<VariantProvider> provider = providers.find(header.variant());
      if (provider.isPresent() && provider.get() instanceof StaticFilterProvider) {
        throw new UnexpectedFilterException(
                Reason.VARIANT, MissingAbility.mergingBuilt(header.variant()))
            .in(path);
      }
    }

    void checkFits(Source other) throws UnexpectedFilterException {
      Optional<String> mismatch = Mismatch.of(side(), other.side());
      if (mismatch.isPresent()) {
        throw new UnexpectedFilterException(
            Reason.MERGE,
            "filters cannot be merged: "
                + mismatch.get()
                + "; make one of them again as the other was made");
      }
      Optional<String> marks =
          Mismatch.ofMarks(header.spec().attributes(), other.header.spec().attributes());
      if (marks.isPresent()) {
        throw new UnexpectedFilterException(
            Reason.MERGE,
            "the filter in "
                + other.path
                + " cannot be merged into that in "
                + path
                + ": "
                + marks.get());
      }
    }

    private Mismatch.Side side() {
      FilterSpec spec = header.spec();
      return new Mismatch.Side(
          "in " + path,
          header.variant(),
          spec.hashId(),
          spec.keyForm(),
          spec.expectedKeys(),
          spec.falsePositiveRate(),
          header.layout());
    }

    void read(Part part, int size, long usableBits) throws IOException {
      readFully(part.bytes, size);
      trailer.update(part.bytes, size);
      long start = offset - size - header.headerSize();
      for (int i = (int) Math.max(0, usableBits / Byte.SIZE - start); i < size; i++) {
        int used = (int) Math.max(0, usableBits - (start + i) * Byte.SIZE);
        if (Byte.toUnsignedInt(part.bytes[i]) >>> used != 0) {
          throw malformed(
              header.headerSize() + start + i,
              "bits from " + usableBits + " on are not used and must be clear");
        }
      }
    }

    void checkTrailer() throws IOException {
      byte[] found = new byte[(int) Trailer.size(header.payloadSize())];
      readFully(found, found.length);
      try {
        trailer.check(found, header.headerSize());
      } catch (FilterFormatException e) {
        throw LiveEnvelope.orOpened(e, in).in(path);
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
      return new FilterFormatException(FilterFormatException.Reason.INVALID, at, reason).in(path);
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
