package io.bloomery.redis;

import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterFormatException.Reason;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.filter.PayloadInput;
import io.bloomery.filter.PayloadOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Access to the words of one generation as those of a local filter, in steps of a MiB. */
final class GenerationWords {

  static final int PART_BYTES = 1 << 20;
  private static final int PART = PART_BYTES / Long.BYTES;

  private final Name name;
  private final Calls calls;
  private final Generation generation;
  private final Name.Role role;

  /**
   * Creates access to the words of a role.
   *
   * @param role whether the words are those of the current generation, or of one to come
   */
  GenerationWords(Name name, Calls calls, Generation generation, Name.Role role) {
    this.name = name;
    this.calls = calls;
    this.generation = generation;
    this.role = role;
  }

  private byte[] key(int chunk) {
    return name.chunkKey(chunk, role);
  }

  /** The words of a chunk in a range of words of the table. */
  private record Cut(int chunk, long from, long to) {}

  private List<Cut> cuts(long from, long to) {
    Chunks chunks = generation.chunks();
    List<Cut> cuts = new ArrayList<>();
    for (int chunk = 0; chunk < chunks.count(); chunk++) {
      long begin = Math.max(from, chunks.begin(chunk));
      long end = Math.min(to, chunks.end(chunk));
      if (begin < end) {
        cuts.add(new Cut(chunk, begin, end));
      }
    }
    return cuts;
  }

  private long offset(Cut cut) {
    return Chunks.PREFIX + (cut.from() - generation.chunks().begin(cut.chunk())) * Long.BYTES;
  }

  /** Reads words; a word in two chunks is the bitwise or of both. */
  private long[] read(long from, long to) {
    List<Cut> cuts = cuts(from, to);
    List<Calls.Call> asked = new ArrayList<>();
    for (Cut cut : cuts) {
      List<byte[]> arguments = Served.fence(generation, cut.chunk());
      arguments.add(Script.ascii(Long.toString(offset(cut))));
      arguments.add(
          Script.ascii(Long.toString(offset(cut) + (cut.to() - cut.from()) * Long.BYTES - 1)));
      asked.add(new Calls.Call(Script.GET_WORDS, List.of(key(cut.chunk())), arguments));
    }
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    long[] words = new long[(int) (to - from)];
    for (int i = 0; i < cuts.size(); i++) {
      Cut cut = cuts.get(i);
      if (!(replies.get(i) instanceof byte[] bytes)) {
        throw changed(cut.chunk(), replies.get(i));
      }
      ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      for (int word = (int) (cut.from() - from); in.hasRemaining(); word++) {
        words[word] |= in.getLong();
      }
    }
    return words;
  }

  /** Adds words to those that are there. */
  private void write(long from, long[] words, int count) {
    List<Cut> cuts = cuts(from, from + count);
    List<Calls.Call> asked = new ArrayList<>();
    for (Cut cut : cuts) {
      ByteBuffer out =
          ByteBuffer.allocate((int) (cut.to() - cut.from()) * Long.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN);
      for (long word = cut.from(); word < cut.to(); word++) {
        out.putLong(words[(int) (word - from)]);
      }
      List<byte[]> arguments = Served.fence(generation, cut.chunk());
      arguments.add(Script.ascii(Long.toString(offset(cut))));
      arguments.add(out.array());
      asked.add(
          new Calls.Call(
              Script.OR_WORDS,
              List.of(
                  key(cut.chunk()),
                  name.chunkKey(cut.chunk(), Name.Role.ADDED),
                  name.chunkKey(cut.chunk(), Name.Role.BEFORE)),
              arguments));
    }
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    for (int i = 0; i < cuts.size(); i++) {
      check(cuts.get(i).chunk(), replies.get(i));
    }
  }

  /** Throws if the reply of a script says that it was refused. */
  void check(int chunk, Object reply) {
    if (reply instanceof List<?>) {
      throw changed(chunk, reply);
    }
  }

  private FilterUnavailableException changed(int chunk, Object reply) {
    boolean lost =
        reply instanceof List<?> refusal
            && refusal.size() > 1
            && refusal.get(1) instanceof byte[] found
            && found.length == 0;
    return new FilterUnavailableException(
        "generation "
            + generation.sequence()
            + " of filter '"
            + name
            + "' is no longer what Redis key "
            + name.chunkKeyText(chunk, role)
            + (lost
                ? " has, which is missing: it was deleted, evicted or has expired"
                : " has: another took its place, or the server was restarted or promoted")
            + "; begin again");
  }

  /** Creates the Redis keys of the next generation, with words that are zero. */
  void makeChunks() {
    List<Calls.Call> asked = new ArrayList<>();
    for (int chunk = 0; chunk < generation.chunks().count(); chunk++) {
      asked.add(
          new Calls.Call(
              Script.MAKE_CHUNK,
              List.of(key(chunk), name.chunkKey(chunk)),
              Served.fence(generation, chunk)));
    }
    List<Object> replies = calls.run(asked, Calls.Wait.NONE);
    for (int chunk = 0; chunk < replies.size(); chunk++) {
      check(chunk, replies.get(chunk));
    }
  }

  /** Writes all words to an output, which has begun with their size. */
  void writeTo(PayloadOutput out) throws IOException {
    long all = generation.chunks().words();
    for (long from = 0; from < all; from += PART) {
      long[] words = read(from, Math.min(all, from + PART));
      out.writeLongs(words, 0, words.length);
    }
  }

  /** Returns an output for the words of a local filter. */
  PayloadOutput output() {
    return new Output();
  }

  private final class Output implements PayloadOutput {

    private final long[] buffer = new long[(int) Math.min(PART, generation.chunks().words())];
    private int filled;
    private long written;

    @Override
    public void begin(long size) {
      if (size != generation.chunks().words() * Long.BYTES) {
        throw new IllegalArgumentException(
            "content must have "
                + generation.chunks().words() * Long.BYTES
                + " bytes, but has "
                + size);
      }
    }

    @Override
    public void writeLong(long word) {
      buffer[filled++] = word;
      if (filled == buffer.length || written + filled == generation.chunks().words()) {
        write(written, buffer, filled);
        written += filled;
        filled = 0;
      }
    }
  }

  /** Returns an input from which a provider reads a local filter. */
  PayloadInput input() {
    return new Input();
  }

  private final class Input implements PayloadInput {

    private long at;

    @Override
    public long size() {
      return generation.chunks().words() * Long.BYTES;
    }

    @Override
    public long[] readLongs(long count) throws IOException {
      Objects.checkFromIndexSize(at, count, generation.chunks().words());
      if (count > Integer.MAX_VALUE - 8) {
        throw new IOException(
            "a local filter of " + count + " words does not fit in memory; save it to a file");
      }
      long[] words = new long[(int) count];
      for (int i = 0; i < words.length; ) {
        long[] part = read(at, Math.min(at + words.length - i, at + PART));
        System.arraycopy(part, 0, words, i, part.length);
        i += part.length;
        at += part.length;
      }
      return words;
    }

    @Override
    public FilterFormatException malformed(String reason) {
      return new FilterFormatException(Reason.INVALID, at * Long.BYTES, reason);
    }
  }
}
