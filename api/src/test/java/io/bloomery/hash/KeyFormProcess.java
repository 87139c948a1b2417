package io.bloomery.hash;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;

/** Prints one checksum of what every form makes of every code point and of drawn texts. */
final class KeyFormProcess {

  private static final String LETTERS =
      "aZ\u03a3\u03c3\u03c2_ '\u0130\u0131I\u00df\u1e9e\u023a\u212a\ua7c0\u00a0\u2007\u3000\u001f\u0301-.0";

  private KeyFormProcess() {}

  public static void main(String... args) throws NoSuchAlgorithmException {
    System.out.println(checksum());
  }

  static String checksum() throws NoSuchAlgorithmException {
    MessageDigest sum = MessageDigest.getInstance("SHA-256");
    for (KeyForm form : List.of(KeyForm.TRIM, KeyForm.IGNORE_CASE, KeyForm.IGNORE_CASE.trimmed())) {
      for (int c = 0; c <= Character.MAX_CODE_POINT; c++) {
        update(sum, form.apply(Character.toString(c) + "\u03a3" + Character.toString(c)));
      }
      SplittableRandom random = new SplittableRandom(38);
      for (int i = 0; i < 50_000; i++) {
        update(sum, form.apply(drawn(random)));
      }
    }
    return HexFormat.of().formatHex(sum.digest());
  }

  private static void update(MessageDigest sum, byte[] key) {
    sum.update(ByteBuffer.allocate(Integer.BYTES).putInt(key.length).array());
    sum.update(key);
  }

  private static byte[] drawn(SplittableRandom random) {
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    for (int left = random.nextInt(12); left > 0; left--) {
      int at = random.nextInt(LETTERS.length());
      String part =
          switch (random.nextInt(4)) {
            case 0 -> Character.toString(0x10570 + random.nextInt(80)); // Vithkuqi
            case 1 -> Character.toString(0x10d40 + random.nextInt(80)); // Garay
            default -> LETTERS.substring(at, at + 1);
          };
      key.writeBytes(part.getBytes(StandardCharsets.UTF_8));
      if (random.nextInt(20) == 0) {
        key.write(random.nextInt(256));
      }
    }
    return key.toByteArray();
  }
}
