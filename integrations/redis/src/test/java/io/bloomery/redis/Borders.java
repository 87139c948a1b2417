package io.bloomery.redis;

import io.bloomery.filter.Filter;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The words that two chunks of a filter share. */
final class Borders {

  /** Sets bits of words: KEYS are chunks; ARGV which of them, where in it, and the bits. */
  private static final String SET_BITS =
      """
      for i = 1, #ARGV, 3 do
        local key, at, bits = KEYS[tonumber(ARGV[i])], tonumber(ARGV[i + 1]), ARGV[i + 2]
        local word = redis.call('GETRANGE', key, at, at + 7)
        local both = {}
        for b = 1, 8 do
          both[b] = string.char(bit.bor(word:byte(b), bits:byte(b)))
        end
        redis.call('SETRANGE', key, at, table.concat(both))
      end
      """;

  private Borders() {}

  /** Gives each chunk all bits that its words have in an export, in one step. */
  static void align(RedisLink link, RedisFilter filter, Filter export) {
    int count = filter.served().count();
    if (count == 1) {
      return;
    }
    Chunks chunks = new Chunks(filter.variant(), export.layout(), export.payloadSize(), count);
    ByteBuffer words = words(export);
    List<byte[]> command = new ArrayList<>();
    command.add(text("EVAL"));
    command.add(text(SET_BITS));
    command.add(text(Integer.toString(count)));
    for (int chunk = 0; chunk < count; chunk++) {
      command.add(filter.served().name().chunkKey(chunk));
    }
    for (int chunk = 0; chunk < count; chunk++) {
      for (long word = chunks.begin(chunk); word < chunks.end(chunk); word++) {
        boolean isShared =
            (chunk > 0 && word < chunks.end(chunk - 1))
                || (chunk < count - 1 && word >= chunks.begin(chunk + 1));
        if (isShared) {
          command.add(text(Integer.toString(chunk + 1)));
          command.add(text(Long.toString(Chunks.PREFIX + (word - chunks.begin(chunk)) * 8)));
          byte[] bits = new byte[Long.BYTES];
          words.get((int) (word * Long.BYTES), bits);
          command.add(bits);
        }
      }
    }
    link.send(link.node(command.get(3)), List.of(command), Runnable::run).join();
  }

  private static byte[] text(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  private static ByteBuffer words(Filter filter) {
    ByteBuffer words = ByteBuffer.allocate((int) filter.payloadSize());
    words.order(ByteOrder.LITTLE_ENDIAN);
    try {
      filter.writePayload(
          new PayloadOutput() {
            @Override
            public void begin(long size) {}

            @Override
            public void writeLong(long word) {
              words.putLong(word);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return words;
  }
}
