package io.bloomery.hash;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.fixture.PlainProvider;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

/** Reads a secret, and bytes to keep, and writes down all that is then on its heap. */
final class SecretOnHeapProcess {

  /** What the test finds, so that it would find a secret. */
  private static final byte[] KEPT = new byte[SecretOnHeapTest.LENGTH];

  private SecretOnHeapProcess() {}

  private record User(String email, Long tenant) {}

  public static void main(String[] arguments) throws IOException {
    byte[] secret = new byte[SecretOnHeapTest.LENGTH];
    // Unbuffered: a buffer would keep what it has read.
    try (FileInputStream in = new FileInputStream(FileDescriptor.in)) {
      if (in.read(secret) != secret.length || in.read(KEPT) != KEPT.length) {
        throw new IOException("too few bytes to read");
      }
    }
    KeyHasher<CharSequence> utf8 = KeyHasher.strings().secret(secret);
    KeyHasher<User> users =
        KeyHasher.fields(
                KeyHasher.strings().compose(User::email), KeyHasher.longs().compose(User::tenant))
            .secret(secret);
    BloomFilter<Long> filter =
        Bloomery.with(new PlainProvider())
            .keys(KeyHasher.longs())
            .secret(secret)
            .expect(100)
            .variant("plain")
            .create();
    Arrays.fill(secret, (byte) 0);
    long hashes = utf8.hash("abc") + users.hash(new User("ada@example.org", 1L));
    filter.put(hashes);
    List<?> holders = List.of(utf8, users, filter);
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(arguments[0], true);
    System.out.println(holders);
  }
}
