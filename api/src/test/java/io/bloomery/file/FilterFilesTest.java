package io.bloomery.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.file.UnexpectedFilterException.Reason;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.ThreadMode;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FilterFilesTest {

  private static final Bloomery BLOOMERY = Bloomery.with(new PlainProvider());
  private static final FilterFiles FILES = BLOOMERY.files();
  private static final Filters<String> STRINGS = BLOOMERY.keys(KeyHasher.strings());
  private static final byte[] SECRET = new byte[32];

  @TempDir private Path folder;

  private Path save(String name, Filters<?> filters) throws IOException {
    Path path = folder.resolve(name);
    filters.expect(1_000).variant("plain").create().save(path);
    return path;
  }

  /** Of a variant that is nowhere, and with content that nobody could read. */
  @Test
  void aHeaderIsToldWithoutTheContent() throws IOException {
    FilterSpec spec = FilterSpec.of(1_000, 0.01, "acme/keys").withAttributes(Map.of("by", "tests"));
    Filter filter = new PlainProvider("other").create(spec, ThreadMode.CONFINED);
    Path path = folder.resolve("other.bloom");
    FilterFiles.save(filter, path);
    byte[] bytes = Files.readAllBytes(path);
    Arrays.fill(bytes, 128, bytes.length, (byte) -1);
    Files.write(path, bytes);
    FilterHeader header = FilterFiles.inspect(path);
    assertEquals("other", header.variant());
    assertEquals(spec, header.spec());
    assertEquals(filter.layout(), header.layout());
    assertEquals(filter.payloadSize(), header.payloadSize());
    assertEquals(bytes.length, header.serializedSize());
    assertEquals("other" + filter.layout() + " for " + spec, header.toString());
  }

  @Test
  void whatHasNoHeaderOrIsCutIsRefused() throws IOException {
    Path path = save("a.bloom", STRINGS);
    byte[] bytes = Files.readAllBytes(path);
    for (int length : new int[] {0, 15, 100, 128, bytes.length - 1}) {
      Files.write(path, Arrays.copyOf(bytes, length));
      assertThrows(FilterFormatException.class, () -> FilterFiles.inspect(path), "of " + length);
    }
    Files.write(path, Arrays.copyOf(bytes, bytes.length + 1));
    assertThrows(FilterFormatException.class, () -> FilterFiles.inspect(path));
    assertThrows(FileSystemException.class, () -> FilterFiles.inspect(folder));
    Path missing = folder.resolve("missing");
    assertThrows(NoSuchFileException.class, () -> FilterFiles.inspect(missing));
  }

  /** Who guards against hostile files by catching IOException catches all of these. */
  @Test
  void whatIsAnotherFilterThanTheOneAskedForIsAnIoExceptionWithItsReason() throws IOException {
    Path plain = save("plain.bloom", STRINGS);
    Path folded = save("folded.bloom", STRINGS.keyForm(KeyForm.IGNORE_CASE));
    Path secret = save("secret.bloom", STRINGS.secret(SECRET));
    Path longs = save("longs.bloom", BLOOMERY.keys(KeyHasher.longs()));
    Filters<String> small = STRINGS.maxBytes(8);
    FilterFiles none = Bloomery.with().files();
    checkRefused(Reason.KEYS, () -> STRINGS.open(longs));
    checkRefused(Reason.KEY_FORM, () -> STRINGS.open(folded));
    checkRefused(Reason.KEY_FORM, () -> STRINGS.keyForm(KeyForm.TRIM).map(plain));
    checkRefused(Reason.SECRET, () -> STRINGS.open(secret));
    checkRefused(Reason.SECRET, () -> STRINGS.secret(SECRET).open(plain));
    checkRefused(Reason.SIZE, () -> small.open(plain));
    checkRefused(
        Reason.SIZE,
        () -> FILES.open(plain, OpenOptions.confined().within(FilterLimits.ofBytes(8))));
    checkRefused(Reason.VARIANT, () -> none.open(plain));
    checkRefused(Reason.VARIANT, () -> STRINGS.openRemovable(plain));
    Path target = folder.resolve("merged.bloom");
    checkRefused(Reason.MERGE, () -> FILES.merge(target, List.of(plain, folded)));
    assertTrue(Files.notExists(target));
  }

  private static void checkRefused(Reason reason, Executable opening) {
    UnexpectedFilterException e = assertThrows(UnexpectedFilterException.class, opening);
    assertEquals(reason, e.reason(), e::getMessage);
  }

  @Test
  void aCheckSeesTheHeaderAndItsRefusalComesOutAsItIs() throws IOException {
    Path path = save("a.bloom", STRINGS);
    IOException refusal = new IOException("no");
    OpenOptions refusing =
        OpenOptions.shared()
            .check(
                header -> {
                  assertEquals(1_000, header.spec().expectedKeys());
                  throw refusal;
                });
    assertSame(refusal, assertThrows(IOException.class, () -> FILES.open(path, refusing)));
    assertSame(refusal, assertThrows(IOException.class, () -> FILES.map(path, refusing)));
    assertEquals(1_000, FILES.open(path, refusing.check(header -> {})).spec().expectedKeys());
  }
}
