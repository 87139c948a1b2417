package io.bloomery.cli.key;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.hash.KeyHasher;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Checks that the command hashes parts of arrays as the library hashes keys. */
class KeyHashTest {

  private static final byte[] SECRET = "sixteen bytes or more".getBytes(UTF_8);
  private static final KeyHashes SECRET_HASHES = KeyHashes.of(SECRET);

  @Property(tries = 2_000, seed = "1")
  void bytesAreHashedAsByTheLibraryWhereverTheyLieAndInPieces(
      @ForAll @Size(max = 600) byte[] key, @ForAll @IntRange(max = 40) int cut) {
    assertHashes(KeyHasher.utf8Bytes(), KeyHash.TEXT, key, cut);
    assertHashes(KeyHasher.utf8Bytes().secret(SECRET), SECRET_HASHES.text(), key, cut);
  }

  private static void assertHashes(
      KeyHasher<byte[]> library, KeyHash command, byte[] key, int cut) {
    long hash = library.hash(key);
    assertEquals(library.id(), command.id());
    assertEquals(hash, command.hash(key));
    byte[] around = new byte[key.length + 9];
    Arrays.fill(around, (byte) 7);
    System.arraycopy(key, 0, around, 4, key.length);
    assertEquals(hash, command.hash(around, 4, key.length));
    List<byte[]> pieces = new ArrayList<>();
    for (int from = 0; from < key.length; from += cut + 1) {
      pieces.add(Arrays.copyOfRange(key, from, Math.min(key.length, from + cut + 1)));
    }
    assertEquals(hash, command.hash(pieces));
  }

  @Property(tries = 2_000, seed = "2")
  void integersAreHashedAsByTheLibrary(@ForAll long key) {
    byte[] bytes =
        ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(3, key).array();
    assertEquals(KeyHasher.longs().hash(key), KeyHash.INTEGERS.hash(bytes, 3, Long.BYTES));
    assertEquals(KeyHasher.longs().id(), KeyHash.INTEGERS.id());
    assertEquals(
        KeyHasher.longs().secret(SECRET).hash(key),
        SECRET_HASHES.integers().hash(bytes, 3, Long.BYTES));
    assertEquals(KeyHasher.longs().secret(SECRET).id(), SECRET_HASHES.integers().id());
  }
}
