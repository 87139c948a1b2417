package io.bloomery.filter;

import io.bloomery.internal.HashCollector;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.LongStream;

/**
 * The distinct hashes of a filter that is built once, collected while their number is not known
 * yet, and read once. Users who have keys take {@link io.bloomery.StaticFilterBuilder}, which does
 * this.
 *
 * <p>On the heap a hash takes up to 16 bytes, and 24 while room is made. In a temporary file it
 * takes 8 each time it is added, or less if the same hashes come close to each other. Only the
 * owner of the process may read that file. It has no name while it is used, so that a process that
 * is killed leaves none; on Windows it has one, {@code bloomery-*.hashes}, until it is closed.
 *
 * <p>Any number of threads may add, also while another counts. When a filter has been built, or
 * this object is closed, all calls but {@code close} throw an {@link IllegalStateException}. If the
 * file cannot be written or read, calls throw an {@link UncheckedIOException} that names its folder
 * and the reason.
 */
public final class DistinctHashes implements AutoCloseable {

  private final long bytes;
  private final HashCollector collector;

  private DistinctHashes(long bytes, HashCollector collector) {
    this.bytes = bytes;
    this.collector = collector;
  }

  /** Returns no hashes yet, which will all be on the heap. */
  public static DistinctHashes onHeap() {
    return new DistinctHashes(Long.MAX_VALUE, HashCollector.onHeap());
  }

  /**
   * Returns no hashes yet, of which those are in a temporary file that have no room.
   *
   * @param bytes how many bytes of heap hashes and a build may take, beside the filter; at least 1
   * @param folder an existing folder of the default file system, for the file
   * @throws IllegalArgumentException if {@code bytes} is less than 1, or {@code folder} is no
   *     folder of the default file system
   */
  public static DistinctHashes within(long bytes, Path folder) {
    check(bytes, folder);
    return new DistinctHashes(bytes, HashCollector.within(bytes, folder));
  }

  /**
   * Checks what {@link #within} is to be given.
   *
   * @throws IllegalArgumentException as there
   */
  public static void check(long bytes, Path folder) {
    if (bytes < 1) {
      throw new IllegalArgumentException("bytes must be at least 1, but was " + bytes);
    }
    if (folder.getFileSystem() != FileSystems.getDefault()) {
      throw new IllegalArgumentException(
          "the folder for the temporary file must be of the default file system, but "
              + folder
              + " is of "
              + folder.getFileSystem().provider().getScheme()
              + "; name one on a disk");
    }
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "the folder for the temporary file must exist, but is " + folder);
    }
  }

  /**
   * Adds hashes {@code from} to {@code to - 1} of an array.
   *
   * @throws IndexOutOfBoundsException if the array has no such range; none is then added
   */
  public void add(long[] hashes, int from, int to) {
    collector.add(hashes, from, to);
  }

  /** Adds the hashes of a stream; the threads of a parallel one compute them. */
  public void addAll(LongStream hashes) {
    collector.addAll(hashes);
  }

  /** Returns the number of distinct hashes. It sorts them, and reads them if they are in a file. */
  public long count() {
    return collector.sorted().size();
  }

  /**
   * Returns the bytes of heap that these hashes and {@link #build} need beside the filter, when
   * hashes that leave too few of those that {@link #within} was given have been put into the file.
   */
  public long bytesToBuild(StaticFilterProvider provider, FilterSpec spec) {
    long building = provider.bytesToBuild(spec);
    synchronized (collector) {
      if (collector.bytesOnHeap() > bytes - building) {
        collector.leaveHeap();
      }
      return collector.bytesOnHeap() + building;
    }
  }

  /**
   * Builds the filter of these hashes. They are given to the provider in an order that lets {@code
   * fuse} build one part after the other.
   *
   * @throws IllegalArgumentException as {@link StaticFilterProvider#build} does, or if the build
   *     takes more than the bytes that {@link #within} was given, with a message that has both; the
   *     hashes stay, and can be built by another spec
   */
  public StoredFilter build(StaticFilterProvider provider, FilterSpec spec, FilterLimits limits) {
    synchronized (collector) { // its own lock, so that no thread adds meanwhile
      long needed = bytesToBuild(provider, spec);
      if (needed > bytes) {
        throw new IllegalArgumentException(
            "a build for "
                + spec.expectedKeys()
                + " keys must be allowed "
                + needed
                + " bytes of heap beside the filter, but is allowed "
                + bytes
                + "; allow more, and raise -Xmx if that is what bounds them");
      }
      StoredFilter filter = provider.build(spec, collector.sorted().stream(), limits);
      collector.endBuilt();
      return filter;
    }
  }

  /** Deletes the file, if there is one. Nothing can be added or built any more. */
  @Override
  public void close() {
    collector.close();
  }
}
