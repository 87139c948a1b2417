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
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is left of a secret on the heap of another JVM, which has wiped its own copy. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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
  private static boolean containsAnyPiece(byte[] all, byte[] secret, int mask) {
    byte[] masked = secret.clone();
    for (int i = 0; i < masked.length; i++) {
      masked[i] ^= (byte) mask;
    }
    for (int from = 0; from < secret.length; from += PIECE) {
      if (contains(all, Arrays.copyOfRange(masked, from, from + PIECE))) {
        return true;
      }
    }
    return false;
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
    assertFalse(containsAnyPiece(heap, secret, 0x36), "what HMAC makes of it first");
    assertFalse(containsAnyPiece(heap, secret, 0x5c), "what HMAC makes of it then");
  }
}
