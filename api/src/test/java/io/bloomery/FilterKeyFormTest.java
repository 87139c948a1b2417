package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.MappingProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The form of a filter's keys: who may ask for which, and what is made of them. */
class FilterKeyFormTest {

  private static final FilterProvider PLAIN = new MappingProvider();
  private static final Bloomery BLOOMERY = Bloomery.with(PLAIN);
  private static final byte[] SECRET = new byte[32];

  private final Filters<CharSequence> strings = BLOOMERY.keys(KeyHasher.strings());
  private final Filters<CharSequence> folded = strings.keyForm(KeyForm.IGNORE_CASE);

  private static <K> FilterBuilder<K> sized(Filters<K> filters) {
    return filters.expect(100).fpp(1e-6).variant("plain");
  }

  @TempDir private Path folder;
  private Path file;

  @BeforeEach
  void nameFile() {
    file = folder.resolve("f.bloom");
  }

  @Test
  void theBuildersFormIsAppliedAndRecorded() throws IOException {
    BloomFilter<CharSequence> filter = sized(folded).attribute("made-by", "tests").create();
    filter.put("Bob@x.org");
    assertTrue(filter.mightContain("bOB@X.ORG"));
    assertEquals(
        Map.of("bloomery.key-form", "ignore-case", "made-by", "tests"), filter.spec().attributes());
    filter.save(file);
    assertTrue(folded.open(file).mightContain("BOB@x.org"));
    assertTrue(strings.keysReadyIn(KeyForm.IGNORE_CASE).open(file).mightContain("bob@x.org"));
    assertFalse(strings.keysReadyIn(KeyForm.IGNORE_CASE).open(file).mightContain("Bob@x.org"));
    assertEquals(Map.of(), sized(strings.keyForm(KeyForm.PLAIN)).create().spec().attributes());
  }

  /** Each was "absent" once, for a key that is in the file. */
  @Test
  void whoeverOpensAFilterInAnotherFormIsToldBoth() throws IOException {
    BloomFilter<CharSequence> made = sized(folded).create();
    made.put("Bob");
    made.save(file);
    byte[] bytes = Files.readAllBytes(file);
    for (Filters<CharSequence> other :
        List.of(strings, strings.keyForm(KeyForm.TRIM), strings.keysReadyIn(KeyForm.HEX))) {
      List<Callable<?>> ways =
          List.of(
              () -> other.open(file),
              () -> other.map(file),
              () -> other.update(file, Duration.ZERO),
              () -> other.read(new ByteArrayInputStream(bytes)),
              () -> other.read(ByteBuffer.wrap(bytes)));
      for (Callable<?> way : ways) {
        UnexpectedFilterException refusal =
            assertThrows(UnexpectedFilterException.class, way::call);
        assertEquals(UnexpectedFilterException.Reason.KEY_FORM, refusal.reason());
        String message = refusal.getMessage();
        assertTrue(
            message.contains(
                "key form must be the one the filter was built with, 'ignore-case', but is '"),
            message);
        assertTrue(message.contains("say keyForm(KeyForm.parse(\"ignore-case\"))"), message);
      }
    }
    assertArrayEquals(bytes, Files.readAllBytes(file));
    try (FilterUpdate<BloomFilter<CharSequence>> update = folded.update(file, Duration.ZERO)) {
      assertTrue(update.filter().mightContain("BOB"), "and who was refused let go of the lock");
    }
  }

  @Test
  void aFilterOfHashesMeetsTheSameCheck() throws IOException {
    Filter held = sized(folded).create().filter();
    for (KeyHasher<CharSequence> other :
        List.of(KeyHasher.strings(), KeyHasher.strings().withForm(KeyForm.TRIM))) {
      assertThrows(IllegalArgumentException.class, () -> BloomFilter.of(held, other));
    }
    FilterFiles.save(held, file);
    KeyHasher<CharSequence> same = KeyHasher.strings().withForm(KeyForm.IGNORE_CASE);
    BloomFilter.of(held, same);
    try (MappedFilter mapped = BLOOMERY.files().map(file)) {
      assertThrows(
          IllegalArgumentException.class, () -> MappedBloomFilter.of(mapped, KeyHasher.strings()));
      MappedBloomFilter.of(mapped, same).mightContain("a");
    }
  }

  @Test
  void aFilterWithoutAFormRefusesThoseWhoHaveOne() throws IOException {
    sized(strings).create().save(file);
    String message =
        assertThrows(UnexpectedFilterException.class, () -> folded.open(file)).getMessage();
    assertEquals(
        file
            + ": key form must be the one the filter was built with, 'plain', but is 'ignore-case';"
            + " leave the key form out",
        message);
  }

  private static Filter filter(String form) {
    FilterSpec spec =
        FilterSpec.of(10, 0.1, KeyHasher.strings().id())
            .withAttributes(Map.of(KeyForm.ATTRIBUTE, form));
    return PLAIN.create(spec, ThreadMode.CONFINED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "nfc", "trim, hex", "IGNORE-CASE", "hex,trim"})
  void aFormThatIsNotKnownIsRefusedForKeysAlone(String form) throws IOException {
    FilterFiles.save(filter(form), file);
    for (Filters<CharSequence> any : List.of(strings, folded)) {
      String message =
          assertThrows(UnexpectedFilterException.class, () -> any.open(file)).getMessage();
      assertTrue(message.contains("with, '" + form + "', but is"), message);
      assertTrue(message.endsWith("use the version that made it"), message);
    }
    assertEquals(1, BLOOMERY.files().open(file, OpenOptions.confined()).spec().attributes().size());
    assertTrue(BLOOMERY.files().verify(file).isSound());
  }

  @Test
  void plainMayBeWrittenOut() {
    BloomFilter.of(filter("plain"), KeyHasher.strings());
  }

  private record User(String email) {}

  private static long hash(String text) {
    return KeyHasher.strings().hash(text);
  }

  @Test
  void aFormStaysWithTheHasherWhateverItIsMadeInto() {
    KeyForm form = KeyForm.IGNORE_CASE.trimmed();
    KeyHasher<User> users = KeyHasher.strings().withForm(form).compose(User::email);
    KeyHasher<User> later = KeyHasher.strings().compose(User::email).withForm(form);
    KeyHasher<User> ready = KeyHasher.strings().compose(User::email).readyIn(form);
    for (KeyHasher<User> hasher : List.of(users, later, ready)) {
      assertSame(form, hasher.keyForm());
      assertSame(form, hasher.secret(SECRET).keyForm());
      assertEquals("xxh3-64/utf8", hasher.id());
    }
    assertEquals(hash("ada"), users.hash(new User(" Ada")));
    assertEquals(hash("ada"), later.hash(new User("ADA\t")));
    assertEquals(hash(" Ada"), ready.hash(new User(" Ada")));
    assertEquals(
        KeyHasher.strings().secret(SECRET).hash("ada"), users.secret(SECRET).hash(new User("Ada")));
    assertEquals(
        KeyHasher.strings().secret(SECRET).hash("ada"),
        KeyHasher.strings().secret(SECRET).withForm(form).hash("Ada "));
    assertEquals(
        KeyHasher.strings().withSeed(7).hash("ada"),
        KeyHasher.strings().withSeed(7).withForm(form).hash("Ada"));
    assertEquals(
        Map.of("bloomery.key-form", "trim,ignore-case"),
        sized(strings.keyForm(form).secret(SECRET)).create().spec().attributes());
  }

  @Test
  void textAndBytesOfOneFormAreOneKey() {
    byte[] key = " \u00c4\ud801\udc00".getBytes(StandardCharsets.UTF_8);
    KeyForm form = KeyForm.IGNORE_CASE.trimmed();
    long expected = hash("\u00e4\ud801\udc28");
    assertEquals(expected, KeyHasher.strings().withForm(form).hash(" \u00c4\ud801\udc00"));
    assertEquals(expected, KeyHasher.utf8Bytes().withForm(form).hash(key));
    assertEquals(expected, KeyHasher.byteArrays().withForm(form).hash(key));
    ByteBuffer buffer = ByteBuffer.wrap(key);
    assertEquals(expected, KeyHasher.byteBuffers().withForm(form).hash(buffer));
    assertEquals(0, buffer.position());
    assertEquals(" \u00c4\ud801\udc00", new String(key, StandardCharsets.UTF_8), "not changed");
    assertEquals(
        KeyHasher.byteArrays().hash(new byte[] {15, -1}),
        KeyHasher.strings().withForm(KeyForm.HEX).hash("0fFF"));
    assertEquals(hash("\ud800a"), KeyHasher.strings().withForm(form).hash("\ud800A "));
    assertThrows(NullPointerException.class, () -> KeyHasher.strings().withForm(form).hash(null));
  }

  @Test
  void aKeyThatIsNotWrittenInTheFormIsRefused() {
    BloomFilter<CharSequence> hex = sized(strings.keyForm(KeyForm.HEX)).create();
    hex.put("00ff");
    assertThrows(IllegalArgumentException.class, () -> hex.put("00f"));
    assertThrows(IllegalArgumentException.class, () -> hex.mightContain("absent"));
    assertThrows(IllegalArgumentException.class, () -> hex.select(List.of("00ff", "xx")));
    assertEquals(1, hex.stats().approximateKeys().orElseThrow());
  }

  @Test
  void keysThatAreNeitherTextNorBytesHaveNoForm() {
    KeyHasher<String> two = KeyHasher.fields(KeyHasher.strings(), KeyHasher.strings());
    for (KeyHasher<?> hasher :
        List.of(
            KeyHasher.longs(),
            KeyHasher.longs().withSeed(7),
            KeyHasher.ints(),
            KeyHasher.uuids(),
            two)) {
      assertSame(hasher, hasher.withForm(KeyForm.PLAIN));
      assertSame(hasher, hasher.readyIn(KeyForm.PLAIN));
      for (KeyForm form : List.of(KeyForm.TRIM, KeyForm.HEX)) {
        String message =
            assertThrows(IllegalArgumentException.class, () -> hasher.withForm(form)).getMessage();
        assertTrue(message.contains("'" + form + "' was for " + hasher.id()), message);
        assertThrows(IllegalArgumentException.class, () -> hasher.readyIn(form));
      }
    }
  }

  @Test
  void aFieldWithAFormOfItsOwnIsRefusedAndToldWhatToDo() {
    for (KeyHasher<CharSequence> formed :
        List.of(
            KeyHasher.strings().withForm(KeyForm.TRIM),
            KeyHasher.strings().readyIn(KeyForm.TRIM))) {
      String message =
          assertThrows(
                  IllegalArgumentException.class,
                  () ->
                      KeyHasher.fields(
                          KeyHasher.strings().compose(User::email), formed.compose(User::email)))
              .getMessage();
      assertTrue(message.startsWith("field 2 must have no key form of its own"), message);
    }
    KeyHasher<User> folded =
        KeyHasher.fields(
            KeyHasher.utf8Bytes().compose(user -> KeyForm.IGNORE_CASE.apply(user.email())));
    assertEquals(folded.hash(new User("ADA")), folded.hash(new User("ada")));
  }

  @Test
  void aHasherTakesOneForm() {
    for (KeyHasher<CharSequence> trims :
        List.of(
            KeyHasher.strings().withForm(KeyForm.TRIM),
            KeyHasher.strings().readyIn(KeyForm.TRIM))) {
      assertSame(trims, trims.withForm(KeyForm.TRIM));
      assertSame(trims, trims.readyIn(KeyForm.TRIM));
      for (KeyForm other : List.of(KeyForm.PLAIN, KeyForm.HEX)) {
        assertThrows(IllegalArgumentException.class, () -> trims.withForm(other));
        assertThrows(IllegalArgumentException.class, () -> trims.readyIn(other));
      }
    }
  }

  @Test
  void aHasherOfOthersSaysItsFormOrThatKeysAreReady() {
    KeyHasher<String> own =
        new KeyHasher<>() {
          @Override
          public String id() {
            return "test/own";
          }

          @Override
          public long hash(String key) {
            return key.hashCode();
          }
        };
    assertSame(KeyForm.PLAIN, own.keyForm());
    assertThrows(IllegalArgumentException.class, () -> own.withForm(KeyForm.TRIM));
    assertEquals("a".hashCode(), own.readyIn(KeyForm.TRIM).hash("a"));
    assertSame(KeyForm.TRIM, own.readyIn(KeyForm.TRIM).keyForm());
  }
}
