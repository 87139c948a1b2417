package io.bloomery.redis;

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Numbers that the processes of a campaign share, in a mapped file. */
final class SharedNumbers {

  /** The microseconds by which clocks are late. */
  static final int SET_BACK = 0;

  /** The calls that were answered. */
  static final int ANSWERED = 1;

  /** The newest key of the first that is shared; those of the others follow. */
  static final int NEWEST = 2;

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  private final ByteBuffer mapped;

  SharedNumbers(Path file) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      int count = NEWEST + Shared.values().length;
      mapped = channel.map(FileChannel.MapMode.READ_WRITE, 0, (long) count * Long.BYTES);
    }
  }

  long get(int index) {
    return (long) LONGS.getVolatile(mapped, index * Long.BYTES);
  }

  void set(int index, long value) {
    LONGS.setVolatile(mapped, index * Long.BYTES, value);
  }

  long incrementAndGet(int index) {
    return (long) LONGS.getAndAdd(mapped, index * Long.BYTES, 1L) + 1;
  }
}
