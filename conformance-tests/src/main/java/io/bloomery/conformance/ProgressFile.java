package io.bloomery.conformance;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.function.Consumer;
import java.util.stream.Stream;
import javax.crypto.KeyGenerator;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * A file to which a child JVM appends records, a line for each, as soon as they are known: the last
 * one tells what it was doing when it ended. Lines are authenticated by a key, so that a provider
 * that finds the file can at most repeat one; each {@link RunResults} replaces the one before.
 */
final class ProgressFile {

  private static final String ALGORITHM = "HmacSHA256";

  private final OutputStream out;
  private final SecretKey key;
  private boolean isComplete;

  /** Opens a file for writing. */
  ProgressFile(File file, SecretKey key) throws IOException {
    this.out = new FileOutputStream(file, true);
    this.key = key;
  }

  static SecretKey newKey() {
    try {
      return KeyGenerator.getInstance(ALGORITHM).generateKey();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  /**
   * Appends a record, which survives any end of this JVM, unless the last one has been written: a
   * thread that shows progress may still run then.
   */
  synchronized void write(Serializable written) {
    if (isComplete) {
      return;
    }
    isComplete = written == ChildTask.Mark.DONE || written == ChildTask.Mark.STUCK;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      new ObjectOutputStream(bytes).writeObject(written);
      String content = Base64.getEncoder().encodeToString(bytes.toByteArray());
      out.write((code(key, content) + " " + content + "\n").getBytes(StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new UncheckedIOException("the progress of the run cannot be written", e);
    }
  }

  /** Reads all records up to the first that is not authentic, or not complete. */
  static void read(File file, SecretKey key, Consumer<Object> action) throws IOException {
    try (Stream<String> lines = Files.lines(file.toPath(), StandardCharsets.ISO_8859_1)) {
      lines
          .map(line -> line.split(" ", 2))
          .takeWhile(line -> line.length == 2 && line[0].equals(code(key, line[1])))
          .forEach(line -> action.accept(object(line[1])));
    }
  }

  private static Object object(String content) {
    try {
      byte[] bytes = Base64.getDecoder().decode(content);
      return new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject();
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("both JVMs have the same classes", e);
    }
  }

  private static String code(SecretKey key, String content) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      byte[] code = mac.doFinal(content.getBytes(StandardCharsets.ISO_8859_1));
      return Base64.getEncoder().encodeToString(code);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
