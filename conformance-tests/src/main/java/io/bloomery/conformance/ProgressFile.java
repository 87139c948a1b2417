package io.bloomery.conformance;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * A file to which a child JVM appends records, each as soon as it is known, so that the last one
 * tells what it was doing when it ended. Each record is authenticated by a key and its number in
 * the file: a provider that finds the file can neither add a record nor move or change one.
 */
final class ProgressFile {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int KEY_BYTES = 32;

  private final OutputStream out;
  private final Mac mac;
  private int records;

  /** Returns a new key. */
  static SecretKey newKey() {
    byte[] key = new byte[KEY_BYTES];
    new SecureRandom().nextBytes(key);
    return new SecretKeySpec(key, ALGORITHM);
  }

  /** Opens a file for writing. */
  ProgressFile(File file, SecretKey key) throws IOException {
    out = new FileOutputStream(file);
    mac = mac(key);
  }

  /** Appends a record; it survives any end of this JVM. */
  synchronized void write(Serializable written) {
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try (ObjectOutputStream objects = new ObjectOutputStream(bytes)) {
        objects.writeObject(written);
      }
      byte[] content = bytes.toByteArray();
      byte[] code = code(mac, records++, content);
      out.write(
          ByteBuffer.allocate(Integer.BYTES + content.length + code.length)
              .putInt(content.length)
              .put(content)
              .put(code)
              .array());
    } catch (IOException e) {
      throw new UncheckedIOException("the progress of the run cannot be written", e);
    }
  }

  /** Reads all records up to the end, or up to one that was not completed or is not authentic. */
  static void read(File file, SecretKey key, Consumer<Object> action) throws IOException {
    Mac mac = mac(key);
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(new FileInputStream(file)))) {
      for (int number = 0; in.available() >= Integer.BYTES; number++) {
        byte[] content = in.readNBytes(Math.max(0, in.readInt()));
        byte[] code = in.readNBytes(mac.getMacLength());
        if (!MessageDigest.isEqual(code, code(mac, number, content))) {
          return;
        }
        action.accept(new ObjectInputStream(new ByteArrayInputStream(content)).readObject());
      }
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("both JVMs have the same classes", e);
    }
  }

  private static byte[] code(Mac mac, int number, byte[] content) {
    mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
    return mac.doFinal(content);
  }

  private static Mac mac(SecretKey key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
