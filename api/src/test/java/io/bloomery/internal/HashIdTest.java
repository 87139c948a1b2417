package io.bloomery.internal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.hash.KeyHasher;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashIdTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "splitmix64/i64        | longs() or ints()",
        "xxh3-64/bytes         | byteArrays() or byteBuffers()",
        "xxh3-64/uuid          | uuids()",
        "xxh3-64/utf8/seed=-7  | of(KeyHasher.strings().withSeed(-7))",
        "xxh3-64/i64/seed=0    | of(KeyHasher.longs().withSeed(0))",
        "xxh3-64/(utf8,i64)    | of(KeyHasher.fields(...))",
        "xxh3-64/(i64)/seed=3  | of(KeyHasher.fields(...).withSeed(3))",
        "siphash-2-4/i64/secret=0123456789abcdef | longs() or ints() with secret(...)",
      })
  void aFilterOfOtherKeysSaysWhichMethodOpensIt(String id, String method) {
    assertEquals(
        "keys must be those the filter was built for, "
            + method
            + " ("
            + id
            + "), but are strings() or utf8Bytes() (xxh3-64/utf8); open it with "
            + method,
        HashId.mismatch(id, "xxh3-64/utf8"));
  }

  @ParameterizedTest
  @CsvSource({
    "acme/customers",
    "murmur3/utf8",
    "xxh3-64/i64",
    "xxh3-64/utf16",
    "splitmix64/utf8",
    "splitmix64/i64/seed=1",
    "siphash-2-4/utf8",
    "xxh3-64/utf8/salt=1"
  })
  void anIdThatIsNoneOfOursIsNotGivenAMethod(String id) {
    assertEquals(
        "keys must be those the filter was built for, keys hashed as "
            + id
            + ", but are longs() or ints() (splitmix64/i64); open it with of(hasher), by a hasher"
            + " with the id "
            + id,
        HashId.mismatch(id, "splitmix64/i64"));
  }

  @Test
  void everyHasherOfThisLibraryHasAMethod() {
    List<KeyHasher<?>> plain =
        List.of(
            KeyHasher.strings(),
            KeyHasher.utf8Bytes(),
            KeyHasher.byteArrays(),
            KeyHasher.byteBuffers(),
            KeyHasher.longs(),
            KeyHasher.ints(),
            KeyHasher.uuids(),
            KeyHasher.<Map.Entry<String, Long>>fields(
                KeyHasher.strings().compose(Map.Entry::getKey),
                KeyHasher.longs().compose(Map.Entry::getValue)));
    for (KeyHasher<?> hasher : plain) {
      for (String id :
          List.of(hasher.id(), hasher.withSeed(5).id(), hasher.secret(new byte[16]).id())) {
        String message = HashId.mismatch(id, "acme/none");
        assertTrue(message.contains("() ") || message.contains("(KeyHasher."), message);
        assertTrue(message.contains(" (" + id + "), but are keys hashed as acme/none"), message);
      }
    }
  }
}
