package io.bloomery.window;

import io.bloomery.file.DamagedRegion;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.ContentTooLargeException;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.FileReplacement;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The file of a window: its header, and then three filters, each as in a file of its own. */
final class SlidingFile {

  /** Reads the filter of a generation. */
  interface Reader {

    /**
     * Reads a filter.
     *
     * @param length the number of bytes that it must have and that are there; negative if there may
     *     be fewer
     */
    Filter read(InputStream in, long length) throws IOException;
  }

  private SlidingFile() {}

  static void save(SlidingFilter filter, Path path) throws IOException {
    FileReplacement.replace(path, filter::writeTo);
  }

  static void write(SlidingHeader header, List<Generation> youngestFirst, OutputStream out)
      throws IOException {
    out.write(header.encode());
    for (Generation generation : youngestFirst) {
      FilterFiles.write(generation.filter, out);
    }
  }

  static SlidingFilter open(Path path, Reader reader, WindowClock clock) throws IOException {
    try (FileInput in = input(path)) {
      if (LiveLayout.isOf(path)) {
        return openLive(path, in, reader, clock);
      }
      SlidingHeader header = SlidingHeader.decode(in.readNBytes(SlidingHeader.SIZE));
      checkLength(header, in.length());
      List<Generation> generations = new ArrayList<>();
      long at = SlidingHeader.SIZE;
      for (SlidingHeader.Counts counts : header.generations()) {
        generations.add(generation(in, in.length() != FileInput.UNKNOWN, at, counts, reader));
        checkAlike(generations.get(0).filter, generations.get(generations.size() - 1).filter, at);
        at += counts.length();
      }
      if (in.read() >= 0) {
        throw new FilterFormatException(
            FilterFormatException.Reason.TRAILING_BYTES,
            at,
            "the window ends here, but more bytes follow");
      }
      return window(header, generations, clock);
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    } catch (ContentTooLargeException e) {
      throw e.in(path);
    }
  }

  private static SlidingFilter openLive(Path path, FileInput in, Reader reader, WindowClock clock)
      throws IOException {
    LiveLayout layout = LiveLayout.sealed(path);
    try {
      SlidingHeader header = layout.header();
      List<Generation> tables = new ArrayList<>();
      long at = 0;
      for (int i = 0; i < Extent.GENERATIONS; i++) {
        in.skipNBytes(layout.filterAt(i) - at);
        at = layout.filterAt(i);
        tables.add(generation(in, true, at, layout.counts(i), reader));
        checkAlike(tables.get(0).filter, tables.get(i).filter, at);
        at += layout.length();
      }
      List<Generation> youngestFirst =
          layout.slot().youngestFirst().stream().map(tables::get).toList();
      return window(header, youngestFirst, clock);
    } finally {
      layout.checkSame(path);
    }
  }

  private static FileInput input(Path path) throws IOException {
    if (Files.isDirectory(path)) {
      throw new FileSystemException(
          path.toString(), null, "is a directory, not a window; name the files in it");
    }
    return FileInput.of(path);
  }

  private static void checkLength(SlidingHeader header, long length) throws FilterFormatException {
    long size = header.fileSize();
    if (length != FileInput.UNKNOWN && length < size) {
      throw new FilterFormatException(
          FilterFormatException.Reason.TRUNCATED,
          length,
          "ends here, but must have " + size + " bytes");
    }
    if (length > size) {
      throw new FilterFormatException(
          FilterFormatException.Reason.TRAILING_BYTES,
          size,
          "the window ends here, but " + (length - size) + " more bytes follow");
    }
  }

  static Generation generation(
      InputStream in, boolean isThere, long at, SlidingHeader.Counts counts, Reader reader)
      throws IOException {
    Filter filter;
    try {
      // For a pipe, the length in the header cannot be checked.
      filter = reader.read(in, isThere ? counts.length() : FileInput.UNKNOWN);
    } catch (FilterFormatException e) {
      throw new FilterFormatException(e.reason(), at + e.offset(), e.detail());
    }
    if (FilterFiles.serializedSize(filter) != counts.length()) {
      throw new FilterFormatException(
          FilterFormatException.Reason.INVALID,
          at,
          "a filter of "
              + counts.length()
              + " bytes must begin here, but it has "
              + FilterFiles.serializedSize(filter));
    }
    if (!SlidingFilter.hasFixedSize(filter)) {
      throw new UnexpectedFilterException(Reason.VARIANT, SlidingFilter.refusal(filter));
    }
    checkCounts(filter, at, counts);
    return new HeapGeneration(filter, counts.taken(), counts.unknown());
  }

  /**
   * Checks the counts of a generation: each key counted has set at least one bit, and no bit is set
   * without keys.
   */
  private static void checkCounts(Filter filter, long at, SlidingHeader.Counts counts)
      throws FilterFormatException {
    long bits = filter.stats().setBits();
    if (counts.taken() > bits || (counts.taken() == 0 && bits > 0)) {
      throw new FilterFormatException(
          FilterFormatException.Reason.INVALID,
          at,
          "a filter that has taken " + counts.taken() + " keys must not have " + bits + " bits");
    }
  }

  static void checkAlike(StoredFilter first, StoredFilter other, long at)
      throws FilterFormatException {
    if (!other.variant().equals(first.variant())
        || !other.spec().equals(first.spec())
        || !other.layout().equals(first.layout())) {
      throw new FilterFormatException(
          FilterFormatException.Reason.INVALID,
          at,
          "the three filters of a window must be alike, but one is "
              + first.variant()
              + first.layout()
              + " for "
              + first.spec()
              + ", another "
              + other.variant()
              + other.layout()
              + " for "
              + other.spec());
    }
  }

  private static SlidingFilter window(
      SlidingHeader header, List<Generation> youngestFirst, WindowClock clock)
      throws FilterFormatException {
    FilterSpec generation = youngestFirst.get(0).filter.spec();
    FilterSpec spec =
        FilterSpec.of(header.keys(), header.rate(), generation.hashId())
            .withAttributes(generation.attributes());
    Extent extent = header.extent();
    if (!extent.isByTime()) {
      return new SlidingFilter(
          spec, extent, youngestFirst, header.isOdd(), 0, clock, Durability.NONE);
    }
    long passed = Math.max(0, clock.wallNanos() - header.written());
    if (passed >= Extent.GENERATIONS * extent.step()) {
      List<Generation> empty = youngestFirst.stream().map(Generation::cleared).toList();
      return new SlidingFilter(spec, extent, empty, header.isOdd(), 0, clock, Durability.NONE);
    }
    return new SlidingFilter(
        spec, extent, youngestFirst, header.isOdd(), header.age() + passed, clock, Durability.NONE);
  }

  /** See {@link SlidingFilterFiles#verify}. */
  static List<DamagedRegion> verify(Path path, Reader reader) throws IOException {
    try (FileInput in = input(path)) {
      if (LiveLayout.isOf(path)) {
        return verifyLive(path, in, reader);
      }
      byte[] bytes = in.readNBytes(SlidingHeader.SIZE);
      SlidingHeader header;
      try {
        header = SlidingHeader.decode(bytes);
      } catch (FilterFormatException e) {
        if (!SlidingHeader.begins(bytes)) {
          throw e;
        }
        return List.of(
            new DamagedRegion(
                0,
                SlidingHeader.SIZE,
                e.detail() + "; without a header nothing else can be checked"));
      }
      return SlidingVerification.of(header, in).damage(reader);
    } catch (FilterFormatException e) {
      throw e.in(path);
    } catch (UnexpectedFilterException e) {
      throw e.in(path);
    } catch (ContentTooLargeException e) {
      throw e.in(path);
    }
  }

  private static List<DamagedRegion> verifyLive(Path path, FileInput in, Reader reader)
      throws IOException {
    LiveLayout layout;
    try {
      layout = LiveLayout.sealed(path);
    } catch (FilterFormatException e) {
      if (e.reason() == FilterFormatException.Reason.OPEN_FOR_WRITING) {
        throw e;
      }
      return List.of(
          new DamagedRegion(
              e.offset(), e.offset() + 1, e.detail() + "; nothing else can be checked"));
    }
    try {
      return SlidingVerification.of(layout, in).damage(reader);
    } finally {
      layout.checkSame(path);
    }
  }
}
