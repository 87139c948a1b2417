package io.bloomery.file;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.VariantProvider;
import io.bloomery.internal.file.FileInput;
import io.bloomery.internal.file.LiveControl;
import io.bloomery.internal.file.MappingFaults;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The verification of a file: compares it with its checksums and checks its content for its
 * variant, sequentially and without loading it into memory.
 */
final class Verification {
  // decisions.md#verify-also-reads-content-that-its-checksums-call-sound
  // decisions.md#a-file-whose-content-was-not-checked-is-neither-sound-nor-damaged
  // decisions.md#verify-needs-no-variant-and-asks-it-if-it-is-there

  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final long length; // or FileInput.UNKNOWN
  private final Optional<LiveControl> live; // of a live file

  private Verification(InputStream in, long length, Optional<LiveControl> live) {
    this.in = in;
    this.length = length;
    this.live = live;
  }

  /** See {@link FilterFiles#verify}. */
  static VerificationResult of(Path path, FilterProviders providers) throws IOException {
    FilterFile.checkNoDirectory(path);
    try (FileInput in = FileInput.of(path)) {
      Optional<LiveControl> live;
      try {
        live = LiveEnvelope.skip(in);
      } catch (FilterFormatException e) {
        return VerificationResult.of(damagedControl(e));
      }
      List<DamagedRegion> damage = new Verification(in, in.length(), live).damage();
      if (in.isOpenedSince()) {
        return of(path, providers);
      }
      if (!damage.isEmpty()) {
        return VerificationResult.of(
            live.isEmpty() ? damage : DamagedRegion.behind(LiveControl.SIZE, damage));
      }
      return in.length() == FileInput.UNKNOWN
          ? VerificationResult.unchecked(
              "what is not a regular file is read once, for its checksums; save it as a file and"
                  + " verify that")
          : content(path, providers);
    } catch (FilterFormatException e) {
      throw e.in(path);
    }
  }

  /** Checks content whose checksums match, and reports it if its variant does not accept it. */
  private static VerificationResult content(Path path, FilterProviders providers)
      throws IOException {
    MappedFile file = MappedFile.open(path);
    Optional<LiveState> open = file.header().live().filter(LiveState::isOpen);
    String variant = file.header().variant();
    Optional<VariantProvider> provider = providers.find(variant);
    if (provider.isEmpty()) {
      return open.isPresent()
          ? VerificationResult.open(open.get())
          : VerificationResult.unchecked(providers.missing(variant));
    }
    List<DamagedRegion> wrong = MappingFaults.read(path, () -> file.wrongContent(provider.get()));
    return wrong.isEmpty() && open.isPresent()
        ? VerificationResult.open(open.get())
        : VerificationResult.of(wrong);
  }

  /**
   * Returns the damage of the control of a live file.
   *
   * @throws FilterFormatException if it is not that of a filter of this version
   */
  private static List<DamagedRegion> damagedControl(FilterFormatException e)
      throws FilterFormatException {
    return switch (e.reason()) {
      case DAMAGED, INVALID, TRUNCATED -> damagedHeader(LiveControl.SIZE, e);
      default -> throw e;
    };
  }

  private List<DamagedRegion> damage() throws IOException {
    byte[] prefix = in.readNBytes(HeaderFormat.PREFIX);
    if (prefix.length < HeaderFormat.PREFIX) {
      throw HeaderFormat.cut(prefix, prefix.length);
    }
    int size;
    try {
      size = HeaderFormat.length(prefix);
    } catch (FilterFormatException e) {
      if (e.reason() == Reason.INVALID) {
        return damagedHeader(HeaderFormat.PREFIX, e);
      }
      throw e;
    }
    byte[] bytes = Arrays.copyOf(prefix, size);
    int read = in.readNBytes(bytes, HeaderFormat.PREFIX, size - HeaderFormat.PREFIX);
    if (read < size - HeaderFormat.PREFIX) {
      return List.of(
          new DamagedRegion(
              0,
              size,
              "header damaged or cut: it must have "
                  + size
                  + " bytes, but the file has "
                  + (HeaderFormat.PREFIX + read)));
    }
    FilterHeader header;
    try {
      header = HeaderFormat.decode(bytes);
      if (live.isPresent()) {
        LiveEnvelope.check(live.get(), header);
      }
    } catch (FilterFormatException e) {
      return damagedHeader(size, e);
    }
    return damageBehind(header);
  }

  private static List<DamagedRegion> damagedHeader(int size, FilterFormatException e) {
    return List.of(
        new DamagedRegion(0, size, e.detail() + "; without a header nothing else can be checked"));
  }

  private List<DamagedRegion> damageBehind(FilterHeader header) throws IOException {
    long payloadEnd = header.headerSize() + header.payloadSize();
    long total = payloadEnd + Trailer.size(header.payloadSize());
    if (length != FileInput.UNKNOWN && length < total) {
      return missing(length, total);
    }
    if (live.isPresent() && live.get().state().isOpen()) {
      return length > total ? List.of(tooMuch(total, length - total)) : List.of();
    }
    Trailer trailer = new Trailer();
    long present = header.headerSize() + update(trailer, header.payloadSize());
    if (present < payloadEnd) {
      return missing(present, total);
    }
    byte[] found = in.readNBytes((int) (total - payloadEnd));
    if (found.length < total - payloadEnd) {
      return missing(payloadEnd + found.length, total);
    }
    List<DamagedRegion> regions = new ArrayList<>(trailer.damage(found, header.headerSize()));
    long more =
        length == FileInput.UNKNOWN
            ? in.transferTo(OutputStream.nullOutputStream())
            : length - total;
    if (more > 0) {
      regions.add(tooMuch(total, more));
    }
    return List.copyOf(regions);
  }

  private static DamagedRegion tooMuch(long total, long more) {
    return new DamagedRegion(
        total,
        total + more,
        "too much: the file must have " + total + " bytes, but has " + (total + more));
  }

  private static List<DamagedRegion> missing(long length, long total) {
    return List.of(
        new DamagedRegion(
            length,
            total,
            "missing: the file must have "
                + total
                + " bytes, but has "
                + length
                + "; without its end the content cannot be checked"));
  }

  /**
   * Reads up to {@code count} bytes into a trailer; returns the number read, which is less only at
   * the end.
   */
  private long update(Trailer trailer, long count) throws IOException {
    byte[] buffer = new byte[(int) Math.min(count, BUFFER)];
    long done = 0;
    while (done < count) {
      int read = in.read(buffer, 0, (int) Math.min(count - done, buffer.length));
      if (read < 0) {
        break;
      }
      trailer.update(buffer, read);
      done += read;
    }
    return done;
  }
}
