package io.bloomery.internal;

import java.io.Closeable;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A temporary file of sorted runs of numbers, which are read again in slices of the order. Only its
 * owner may read it. It has no name once it is open, so that a killed process leaves none; where
 * the system does not allow this, on Windows, it is deleted when it is closed, and left by a kill.
 *
 * <p>Unlike a channel, it is not closed by an interrupt.
 */
final class HashFile implements Closeable {

  /** The number of slices: numbers of the same high byte. */
  static final int SLICES = 1 << 8;

  private final Path folder;
  private final Path path;
  private final FileStore store;
  private final RandomAccessFile file;
  private final List<int[]> runs =
      new ArrayList<>(); // of each, where its slices begin, and its end
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private long size;

  /** Creates a file in an existing folder of the default file system. */
  HashFile(Path folder) {
    this.folder = folder;
    try {
      path = Files.createTempFile(folder, "bloomery-", ".hashes");
      try {
        store = Files.getFileStore(folder);
        file = new RandomAccessFile(path.toFile(), "rw");
      } catch (IOException | RuntimeException e) {
        Files.delete(path);
        throw e;
      }
    } catch (IOException e) {
      throw failed("created", e);
    }
    boolean unused = path.toFile().delete();
  }

  /** Appends a run, the first numbers of an array, ascending. */
  void write(long[] sorted, int count) {
    long bytes = (long) count * Long.BYTES;
    try {
      long usable = store.getUsableSpace();
      if (usable < bytes) {
        throw new IOException(
            "there must be room for " + bytes + " bytes more, but there is for " + usable);
      }
      int[] starts = new int[SLICES + 1];
      Arrays.fill(starts, count);
      for (int i = count - 1; i >= 0; i--) {
        starts[slice(sorted[i])] = i;
      }
      for (int slice = SLICES - 1; slice >= 0; slice--) {
        starts[slice] = Math.min(starts[slice], starts[slice + 1]);
      }
      file.seek(size);
      for (int from = 0; from < count; from += buffer.capacity() / Long.BYTES) {
        int length = Math.min(count - from, buffer.capacity() / Long.BYTES);
        buffer.clear().asLongBuffer().put(sorted, from, length);
        file.write(buffer.array(), 0, length * Long.BYTES);
      }
      size += bytes;
      runs.add(starts);
    } catch (IOException e) {
      throw failed("written", e);
    }
  }

  private static int slice(long number) {
    return (int) (number >> (Long.SIZE - 8)) + SLICES / 2;
  }

  /** Returns the most numbers of a slice. */
  long largest() {
    long largest = 0;
    for (int slice = 0; slice < SLICES; slice++) {
      largest = Math.max(largest, length(slice));
    }
    return largest;
  }

  private long length(int slice) {
    long length = 0;
    for (int[] starts : runs) {
      length += starts[slice + 1] - starts[slice];
    }
    return length;
  }

  /** Reads all numbers of a slice, as they were written, and returns how many they are. */
  int read(int slice, long[] target) {
    int read = 0;
    long before = 0;
    try {
      for (int[] starts : runs) {
        file.seek(before + (long) starts[slice] * Long.BYTES);
        for (int left = starts[slice + 1] - starts[slice]; left > 0; ) {
          int length = Math.min(left, buffer.capacity() / Long.BYTES);
          file.readFully(buffer.array(), 0, length * Long.BYTES);
          buffer.clear().asLongBuffer().get(target, read, length);
          read += length;
          left -= length;
        }
        before += (long) starts[SLICES] * Long.BYTES;
      }
    } catch (IOException e) {
      throw failed("read", e);
    }
    return read;
  }

  private UncheckedIOException failed(String what, IOException cause) {
    return new UncheckedIOException(
        "the temporary file of hashes in "
            + folder
            + " cannot be "
            + what
            + ": "
            + (cause instanceof NoSuchFileException ? "no such folder" : cause.getMessage())
            + "; allow more memory, or name another folder",
        cause);
  }

  @Override
  public void close() {
    try (file) {
      runs.clear();
    } catch (IOException e) {
      throw failed("closed", e);
    } finally {
      boolean unused = path.toFile().delete();
    }
  }
}
