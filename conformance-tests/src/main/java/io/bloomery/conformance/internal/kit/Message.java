package io.bloomery.conformance.internal.kit;

import io.bloomery.conformance.statistics.RateCell;
import io.bloomery.conformance.statistics.RateSample;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * A message of a supervised JVM on its standard output: a line with a token known only to its
 * supervisor, a kind, and bytes in Base64. Any other lines were printed by the provider and are not
 * messages.
 */
public record Message(Kind kind, String content) {

  /** The kind of message. */
  public enum Kind {
    /** Whether the suite detects known faults there. */
    SELF_CHECK,
    /** The provider is loaded. */
    READY,
    /** The check of a rule begins. */
    BEGIN,
    /** A case is about to be tried. */
    CASE,
    /** The rule makes progress. */
    PROGRESS,
    /** The outcome of the rule, and the totals of all rules so far. */
    END,
    /** The same, if the check did not end: the JVM is no longer usable. */
    STUCK,
    /** What the provider offers. */
    OFFER,
    /** The task is complete. */
    DONE,
    /** The provider cannot be loaded. */
    REFUSED
  }

  /** Writes the content of a message. */
  public interface Writer<T> {
    void write(DataOutput out, T value) throws IOException;
  }

  /** Reads the content of a message. */
  public interface Reader<T> {
    T read(DataInput in) throws IOException;
  }

  public static <T> Message of(Kind kind, T value, Writer<T> writer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      writer.write(new DataOutputStream(bytes), value);
    } catch (IOException e) {
      throw new UncheckedIOException("memory takes all bytes", e);
    }
    return new Message(kind, Base64.getEncoder().encodeToString(bytes.toByteArray()));
  }

  public static Message of(Kind kind, String text) {
    return of(kind, text, Message::writeText);
  }

  public <T> T read(Reader<T> reader) throws IOException {
    byte[] bytes = Base64.getDecoder().decode(content);
    return reader.read(new DataInputStream(new ByteArrayInputStream(bytes)));
  }

  public String text() throws IOException {
    return read(Message::readText);
  }

  /** Returns the line, which begins with a line end, because the current line may not be empty. */
  public byte[] line(String token) {
    return ("\n" + token + kind + " " + content + "\n").getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Returns the message in a line, or empty if it contains none. */
  public static Optional<Message> ofLine(String token, String line) {
    String[] words = line.split(" ", -1);
    if (!line.startsWith(token) || words.length != 2) {
      return Optional.empty();
    }
    try {
      Kind kind = Kind.valueOf(words[0].substring(token.length()));
      return Optional.of(new Message(kind, words[1]));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  public static void writeText(DataOutput out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  public static String readText(DataInput in) throws IOException {
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  public static <T> void writeList(DataOutput out, List<? extends T> list, Writer<T> writer)
      throws IOException {
    out.writeInt(list.size());
    for (T element : list) {
      writer.write(out, element);
    }
  }

  public static <T> List<T> readList(DataInput in, Reader<T> reader) throws IOException {
    List<T> list = new ArrayList<>();
    for (int left = in.readInt(); left > 0; left--) {
      list.add(reader.read(in));
    }
    return list;
  }

  public static void writeRate(DataOutput out, RateCell cell) throws IOException {
    RateSample sample = cell.sample();
    writeText(out, sample.what());
    out.writeLong(sample.keys());
    out.writeInt(sample.filters());
    out.writeInt(sample.probes());
    out.writeLong(sample.bits());
    out.writeLong(sample.trials());
    out.writeLong(sample.hits());
    out.writeBoolean(cell.side() == RateCell.Side.NOT_ABOVE);
    out.writeDouble(cell.bound());
    out.writeDouble(cell.tail());
  }

  public static RateCell readRate(DataInput in) throws IOException {
    RateSample sample =
        new RateSample(
            readText(in),
            in.readLong(),
            in.readInt(),
            in.readInt(),
            in.readLong(),
            in.readLong(),
            in.readLong());
    return new RateCell(
        sample,
        in.readBoolean() ? RateCell.Side.NOT_ABOVE : RateCell.Side.NOT_BELOW,
        in.readDouble(),
        in.readDouble());
  }
}
