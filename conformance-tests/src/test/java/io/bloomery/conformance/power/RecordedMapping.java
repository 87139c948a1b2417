package io.bloomery.conformance.power;

import io.bloomery.conformance.power.History.Event;
import io.bloomery.conformance.power.History.Node;
import io.bloomery.conformance.power.History.Write;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/**
 * A part of a file that is mapped to be written to. No call can be recorded of that: what was
 * written is what differs from what was there before, by sectors; and it was forced if Linux says
 * that no page of it is dirty. (One that Linux itself has written meanwhile, after some seconds,
 * counts as forced, too.)
 */
final class RecordedMapping {

  private final Node file;
  private final Path path;
  private final long at;
  private final MappedByteBuffer now;
  private final byte[] before;
  private boolean isDirty;

  RecordedMapping(Node file, Path path, long at, MappedByteBuffer now) {
    this.file = file;
    this.path = path;
    this.at = at;
    this.now = now;
    this.before = new byte[now.limit()];
    now.get(0, before);
  }

  /** Returns whether the system says when a mapping of a file in a folder was forced. */
  static boolean isRecordable(Path folder) throws IOException {
    Path file = Files.createTempFile(folder, "mapped", null).toRealPath();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, 1);
      RecordedMapping mapping = new RecordedMapping(new Node(0, "", false), file, 0, mapped);
      mapping.isDirty = true;
      mapped.put(0, (byte) 1);
      boolean wasForced = mapping.isForced();
      mapped.force();
      return !wasForced && mapping.isForced();
    } catch (UncheckedIOException e) {
      return false;
    } finally {
      Files.delete(file);
    }
  }

  Node file() {
    return file;
  }

  /** Returns whether this is the same part of a file as one that was mapped before. */
  boolean replaces(RecordedMapping other) {
    return file == other.file && at == other.at;
  }

  /** Adds what was written since this was called before. */
  void addTo(List<Event> events) {
    for (int from = 0, to; from < before.length; from = to) {
      // To the end of the sector of the file.
      to = (int) Math.min(before.length, from + PowerLoss.SECTOR - (at + from) % PowerLoss.SECTOR);
      if (!now.slice(from, to - from).equals(ByteBuffer.wrap(before, from, to - from))) {
        now.get(from, before, from, to - from);
        byte[] written = Arrays.copyOfRange(before, from, to);
        events.add(new Write(file, at + from, ByteBuffer.wrap(written), true));
        isDirty = true;
      }
    }
  }

  /** Returns whether what was written has been forced since this was called before. */
  boolean isForced() {
    if (!isDirty) {
      return false;
    }
    boolean isThis = false;
    try {
      for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
        if (line.endsWith(" kB")) {
          if (isThis && line.contains("_Dirty:") && !line.contains(" 0 kB")) {
            return false;
          }
        } else if (line.contains("-")) {
          isThis = line.contains(" rw-s ") && line.endsWith(path.toString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    isDirty = false;
    return true;
  }
}
