package io.bloomery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.CheckReturnValue;
import io.bloomery.file.OpenOptions;
import io.bloomery.fixture.PlainProvider;
import io.bloomery.hash.KeyHasher;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class FilterBuilderTest {

  private static final FilterBuilder<String> STRINGS =
      Bloomery.with(new PlainProvider()).keys(KeyHasher.strings());

  /** What is said of filters that are made, by the name of the call. */
  private static final Map<String, UnaryOperator<FilterBuilder<String>>> MAKING =
      Map.of(
          "expect", builder -> builder.expect(10),
          "fpp", builder -> builder.fpp(FilterBuilder.DEFAULT_FPP),
          "variant", builder -> builder.variant("plain"),
          "attribute", builder -> builder.attribute("by", "tests"));

  @TempDir private Path folder;
  private Path file;
  private byte[] bytes;

  @BeforeEach
  void save() throws IOException {
    file = folder.resolve("f.bloom");
    STRINGS.variant("plain").expect(10).create().save(file);
    bytes = Files.readAllBytes(file);
  }

  private List<Executable> openings(FilterBuilder<String> builder) {
    return List.of(
        () -> builder.open(file),
        () -> builder.openRemovable(file),
        () -> builder.map(file),
        () -> builder.update(file, Duration.ZERO),
        () -> builder.updateRemovable(file, Duration.ZERO),
        () -> builder.read(new ByteArrayInputStream(bytes)),
        () -> builder.read(Channels.newChannel(new ByteArrayInputStream(bytes))),
        () -> builder.read(ByteBuffer.wrap(bytes)));
  }

  /** Whoever said it would believe that the filter is so. */
  @Test
  void whatOnlyFiltersThatAreMadeCanBeToldIsRefusedByThoseThatAreOpened() throws IOException {
    for (Map.Entry<String, UnaryOperator<FilterBuilder<String>>> said : MAKING.entrySet()) {
      for (Executable opening : openings(said.getValue().apply(STRINGS))) {
        String message = assertThrows(IllegalStateException.class, opening).getMessage();
        assertTrue(message.contains("so that " + said.getKey() + " must not be set"), message);
      }
    }
    assertArrayEquals(bytes, Files.readAllBytes(file));
    assertEquals(10, STRINGS.confined().maxBytes(64).open(file).spec().expectedKeys());
  }

  /** The annotation is what Error Prone and other analysers look for. */
  @Test
  void resultsThatAreDroppedAreFoundByStaticAnalysis() {
    assertTrue(FilterBuilder.class.isAnnotationPresent(CheckReturnValue.class));
    assertTrue(OpenOptions.class.isAnnotationPresent(CheckReturnValue.class));
  }
}
