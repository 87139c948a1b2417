package io.bloomery.window;

import io.bloomery.file.DamagedRegion;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.StoredFilter;
import io.bloomery.internal.file.FileInput;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The verification of the three filters of a window in turn, also of those after a damaged one.
 * Needs the memory of two.
 */
final class SlidingVerification {

  private final List<Place> places;
  private final long size;
  private final FileInput in;
  private @Nullable StoredFilter first; // null until one is undamaged

  /** Where a filter begins, and its counts. */
  private record Place(long at, SlidingHeader.Counts counts) {}

  private SlidingVerification(List<Place> places, long size, FileInput in) {
    this.places = places;
    this.size = size;
    this.in = in;
  }

  /** Begins after the header. */
  static SlidingVerification of(SlidingHeader header, FileInput in) {
    List<Place> places = new ArrayList<>();
    long at = SlidingHeader.SIZE;
    for (SlidingHeader.Counts counts : header.generations()) {
      places.add(new Place(at, counts));
      at += counts.length();
    }
    return new SlidingVerification(places, at, in);
  }

  /** Begins at the start of the file of a live window, whose length is right. */
  static SlidingVerification of(LiveLayout layout, FileInput in) throws IOException {
    in.skipNBytes(layout.filterAt(0));
    List<Place> places = new ArrayList<>();
    for (int i = 0; i < Extent.GENERATIONS; i++) {
      places.add(new Place(layout.filterAt(i), layout.counts(i)));
    }
    return new SlidingVerification(places, in.length(), in);
  }

  List<DamagedRegion> damage(SlidingFile.Reader reader) throws IOException {
    if (in.length() != FileInput.UNKNOWN && in.length() < size) {
      return List.of(
          new DamagedRegion(
              in.length(),
              size,
              "missing: the file must have "
                  + size
                  + " bytes, but has "
                  + in.length()
                  + "; without its end the content cannot be checked"));
    }
    List<DamagedRegion> regions = new ArrayList<>();
    long end = places.get(0).at();
    for (Place place : places) {
      long at = place.at();
      SlidingHeader.Counts counts = place.counts();
      in.skipNBytes(at - end);
      Part part = new Part(in, counts.length());
      try {
        look(part, at, counts, reader);
      } catch (FilterFormatException e) {
        // The exception has the offset of the first damage, and not its extent.
        long from = Math.min(e.offset(), at + counts.length() - 1);
        regions.add(new DamagedRegion(from, at + counts.length(), e.detail()));
      }
      part.skipAll();
      end = at + counts.length();
    }
    long more = in.length() == FileInput.UNKNOWN ? 0 : in.length() - size;
    if (more > 0) {
      regions.add(
          new DamagedRegion(
              size,
              size + more,
              "too much: the file must have " + size + " bytes, but has " + (size + more)));
    }
    return List.copyOf(regions);
  }

  private void look(Part part, long at, SlidingHeader.Counts counts, SlidingFile.Reader reader)
      throws IOException {
    StoredFilter filter =
        SlidingFile.generation(part, in.length() != FileInput.UNKNOWN, at, counts, reader).filter;
    if (first == null) {
      first = filter;
    } else {
      SlidingFile.checkAlike(first, filter, at);
    }
  }

  /** A number of bytes of a stream, or fewer if it ends. */
  private static final class Part extends InputStream {

    private final InputStream in;
    private long left;

    Part(InputStream in, long length) {
      this.in = in;
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] bytes, int from, int count) throws IOException {
      if (left == 0 && count > 0) {
        return -1;
      }
      int read = in.read(bytes, from, (int) Math.min(count, left));
      left -= Math.max(0, read);
      return read;
    }

    void skipAll() throws IOException {
      transferTo(OutputStream.nullOutputStream());
    }
  }
}
