package io.bloomery.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.SavingProcess;
import io.bloomery.internal.SecretHash;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a secret on the heap of another JVM, which has wiped its own copy. */
@Timeout(value = 600, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SecretOnHeapTest {

  static final int LENGTH = 32;

  private static final int PIECE = 8;

  private static boolean contains(byte[] all, byte[] part) {
    for (int i = 0; i <= all.length - part.length; i++) {
      if (all[i] == part[0] && Arrays.equals(all, i, i + part.length, part, 0, part.length)) {
        return true;
      }
    }
    return false;
  }

  /** Eight random bytes are somewhere in 10 MB by chance in one of 10^12 runs. */
  private static boolean containsAnyPiece(byte[] all, byte[] secret, int from) {
    for (int at = from; at < secret.length; at += PIECE) {
      if (contains(all, Arrays.copyOfRange(secret, at, at + PIECE))) {
        return true;
      }
    }
    return false;
  }

  private static byte[] innerHash(String label, byte[] secret) throws NoSuchAlgorithmException {
    byte[] block = Arrays.copyOf(label.getBytes(StandardCharsets.US_ASCII), 64);
    for (int i = 0; i < block.length; i++) {
      block[i] ^= 0x36;
    }
    MessageDigest sha = MessageDigest.getInstance("SHA-256");
    sha.update(block);
    return sha.digest(secret);
  }

  private static byte[] hmac(String label, byte[] secret) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(label.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
    return mac.doFinal(secret);
  }

  @Test
  void nothingOfASecretStaysOnTheHeap(@TempDir Path folder) throws Exception {
    SecureRandom random = new SecureRandom();
    byte[] secret = new byte[LENGTH];
    byte[] kept = new byte[LENGTH];
    random.nextBytes(secret);
    random.nextBytes(kept);
    Path dump = folder.resolve("heap.hprof");
    Process process =
        SavingProcess.java(List.of(), SecretOnHeapProcess.class, dump.toString())
            .redirectErrorStream(true)
            .start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(secret);
      in.write(kept);
    }
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), said);
    assertTrue(said.contains("/secret=" + SecretHash.of(secret).fingerprint()), said);
    byte[] heap = Files.readAllBytes(dump);
    assertTrue(contains(heap, kept), "what was kept on purpose");
    assertFalse(containsAnyPiece(heap, secret, 0), "the secret");
    for (String label :
        List.of("bloomery/siphash-2-4/key/v1", "bloomery/siphash-2-4/fingerprint/v1")) {
      assertFalse(containsAnyPiece(heap, innerHash(label, secret), 0), "HMAC's inner hash");
      assertFalse(containsAnyPiece(heap, hmac(label, secret), 2 * PIECE), "what is not the key");
    }
  }
}
