package io.bloomery.internal.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The control of a live file, which precedes its content: a block that never changes, and two
 * slots, of which the one with the higher number tells the state. {@code docs/FORMAT.md} describes
 * every byte.
 *
 * <p>A state is written to the slot that does not tell the current one, so that a write that is
 * torn leaves that.
 *
 * @param kind what the content is, such as {@link #FILTER}
 * @param contentSize the length of the content in bytes
 * @param state the state
 */
public record LiveControl(int kind, long contentSize, State state) {
  /** The length of the control, and the offset of the content. */
  public static final int SIZE = 3 * 4096;

  /** The kind of a file whose content is the envelope of a filter. */
  public static final int FILTER = 1;

  /** The kind of a file whose content is a window. */
  public static final int WINDOW = 2;

  private static final byte[] MAGIC = "BLOOMLIV".getBytes(StandardCharsets.US_ASCII);
  private static final int VERSION = 1;

  /** The length of what a loss of power may leave torn: a sector of most disks. */
  public static final int BLOCK = 4096;

  private static final int SEALED = 1;
  private static final int OPEN = 2;

  // Of the block that never changes.
  private static final int VERSION_AT = 8;
  private static final int KIND_AT = 9;
  private static final int SIZE_AT = 16;
  private static final int FIXED_BYTES = 24;

  // Of a slot.
  private static final int STATE_AT = 8;
  private static final int SINCE_AT = 16;
  private static final int PROCESS_AT = 24;
  private static final int SLOT_BYTES = 32;

  /**
   * A state of a file.
   *
   * @param number of this state: each is one more than the last
   * @param isOpen whether the file is open for writing, or was when its writer ended
   * @param since when it was opened last, in milliseconds since 1970
   * @param process the id of the process that opened it last, or 0 if none has
   */
  public record State(long number, boolean isOpen, long since, long process) {

    /** The state of a new file. */
    static final State NEW = new State(1, false, 0, 0);

    State opened() {
      return new State(number + 1, true, System.currentTimeMillis(), ProcessHandle.current().pid());
    }

    State sealed() {
      return new State(number + 1, false, since, process);
    }

    /** Returns who has an open file open, and since when. */
    @Override
    public String toString() {
      return "open for writing by process " + process + " since " + Instant.ofEpochMilli(since);
    }

    private byte[] encode() {
      byte[] block = new byte[BLOCK];
      ByteBuffer out = ByteBuffer.wrap(block).order(ByteOrder.LITTLE_ENDIAN);
      out.putLong(number).put((byte) (isOpen ? OPEN : SEALED));
      out.position(SINCE_AT).putLong(since).putLong(process);
      out.putInt(BLOCK - Integer.BYTES, crc(block, 0));
      return block;
    }

    private long at() {
      return (2 - number % 2) * BLOCK;
    }
  }

  /** What is wrong with a control. */
  public enum Flaw {
    NOT_LIVE,
    VERSION,
    TRUNCATED,
    DAMAGED,
    INVALID
  }

  /** Thrown if bytes are no control of this version. */
  public static final class Malformed extends IOException {

    private static final long serialVersionUID = 1;

    private final Flaw flaw;
    private final int offset;

    Malformed(Flaw flaw, int offset, String reason) {
      super(reason);
      this.flaw = flaw;
      this.offset = offset;
    }

    /** Returns what is wrong. */
    public Flaw flaw() {
      return flaw;
    }

    /** Returns the offset of the first byte that is wrong. */
    public int offset() {
      return offset;
    }

    /** Returns the reason. */
    public String reason() {
      return String.valueOf(getMessage());
    }
  }

  /** Returns whether a file that begins with these bytes is a live file, of whatever version. */
  public static boolean begins(byte[] bytes) {
    return bytes.length >= MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, 8);
  }

  /** Returns whether a file that begins with these bytes is a live file of a kind. */
  public static boolean begins(byte[] bytes, int kind) {
    return begins(bytes) && bytes.length > KIND_AT && Byte.toUnsignedInt(bytes[KIND_AT]) == kind;
  }

  /** Returns the control of a new file, which is sealed. */
  public static byte[] ofNew(int kind, long contentSize) {
    byte[] bytes = new byte[SIZE];
    ByteBuffer fixed = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    fixed.put(MAGIC).put((byte) VERSION).put((byte) kind);
    fixed.position(SIZE_AT).putLong(contentSize);
    fixed.putInt(BLOCK - Integer.BYTES, crc(bytes, 0));
    System.arraycopy(State.NEW.encode(), 0, bytes, (int) State.NEW.at(), BLOCK);
    return bytes;
  }

  private static int crc(byte[] bytes, int from) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, BLOCK - Integer.BYTES);
    return (int) crc.getValue();
  }

  /**
   * Reads a control.
   *
   * @param bytes the first {@link #SIZE} bytes of a file, or all if it has fewer
   */
  public static LiveControl decode(byte[] bytes) throws Malformed {
    if (!begins(bytes)) {
      throw new Malformed(
          Flaw.NOT_LIVE,
          0,
          bytes.length == 0
              ? "is empty, and so no live filter or window; remove it, and openOrCreate makes one"
              : "not a live filter or window, which starts with 'BLOOMLIV' and is made by"
                  + " openOrCreate where no file is");
    }
    if (bytes.length > VERSION_AT && bytes[VERSION_AT] != VERSION) {
      throw new Malformed(
          Flaw.VERSION,
          VERSION_AT,
          "version of the live file must be "
              + VERSION
              + ", but is "
              + Byte.toUnsignedInt(bytes[VERSION_AT])
              + "; use the release of Bloomery that wrote it, or a newer one");
    }
    if (bytes.length < SIZE) {
      throw new Malformed(
          Flaw.TRUNCATED,
          bytes.length,
          "ends here, in the first " + SIZE + " bytes of a live filter");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt(BLOCK - Integer.BYTES) != crc(bytes, 0)) {
      throw new Malformed(
          Flaw.DAMAGED, 0, "first block of a live filter damaged: its checksum does not match");
    }
    checkZero(bytes, KIND_AT + 1, SIZE_AT);
    checkZero(bytes, FIXED_BYTES, BLOCK - Integer.BYTES);
    long contentSize = in.getLong(SIZE_AT);
    if (contentSize < 1 || contentSize > Long.MAX_VALUE - SIZE) {
      throw new Malformed(
          Flaw.INVALID, SIZE_AT, "content must have at least one byte, but has " + contentSize);
    }
    return new LiveControl(Byte.toUnsignedInt(bytes[KIND_AT]), contentSize, state(bytes, in));
  }

  private static State state(byte[] bytes, ByteBuffer in) throws Malformed {
    State first = slot(bytes, in, BLOCK);
    State second = slot(bytes, in, 2 * BLOCK);
    if (first != null) {
      return second != null && second.number > first.number ? second : first;
    }
    if (second != null) {
      return second;
    }
    throw new Malformed(
        Flaw.DAMAGED,
        BLOCK,
        "both slots of a live filter damaged: their checksums do not match, so that it is not known"
            + " whether it was closed; make it again");
  }

  /** Returns null if the slot does not match its checksum, as a torn or unused one does not. */
  private static @Nullable State slot(byte[] bytes, ByteBuffer in, int at) throws Malformed {
    if (in.getInt(at + BLOCK - Integer.BYTES) != crc(bytes, at)) {
      return null;
    }
    long number = in.getLong(at);
    int state = bytes[at + STATE_AT];
    long since = in.getLong(at + SINCE_AT);
    long process = in.getLong(at + PROCESS_AT);
    State read = new State(number, state == OPEN, since, process);
    if (number < 1 || read.at() != at) {
      throw new Malformed(
          Flaw.INVALID, at, "number of a state must fit its slot, but is " + number);
    }
    if ((state != OPEN && state != SEALED) || since < 0 || process < 0) {
      throw new Malformed(Flaw.INVALID, at + STATE_AT, "no live filter has such a state");
    }
    checkZero(bytes, at + STATE_AT + 1, at + SINCE_AT);
    checkZero(bytes, at + SLOT_BYTES, at + BLOCK - Integer.BYTES);
    return read;
  }

  private static void checkZero(byte[] bytes, int from, int to) throws Malformed {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        throw new Malformed(Flaw.INVALID, i, "a reserved byte must be zero");
      }
    }
  }

  /** Reads the control of a file. */
  public static LiveControl read(FileChannel channel) throws IOException {
    return decode(firstBytes(channel, SIZE));
  }

  /** Returns whether a file begins as a live file. */
  static boolean begins(FileChannel channel) throws IOException {
    return begins(firstBytes(channel, MAGIC.length));
  }

  private static byte[] firstBytes(FileChannel channel, int count) throws IOException {
    ByteBuffer in = ByteBuffer.allocate(count);
    while (in.hasRemaining() && channel.read(in, in.position()) >= 0) {
      // Reads on.
    }
    return Arrays.copyOf(in.array(), in.position());
  }

  /**
   * Returns the state of a live file that is open for writing, or was when its writer ended; empty
   * if it is another file, cannot be read, or is sealed.
   */
  static Optional<State> openState(Path file) {
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Uninterrupted.run(() -> readState(file)).filter(State::isOpen);
    } catch (IOException | UnsupportedOperationException e) {
      // Whoever needs its content will say so.
      return Optional.empty();
    }
  }

  private static Optional<State> readState(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file)) {
      return begins(channel) ? Optional.of(read(channel).state) : Optional.empty();
    }
  }

  /** Writes a state to its slot, and forces it to the disk. */
  static void write(State state, FileChannel channel) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(state.encode());
    long at = state.at();
    while (out.hasRemaining()) {
      channel.write(out, at + out.position());
    }
    channel.force(true);
  }
}
