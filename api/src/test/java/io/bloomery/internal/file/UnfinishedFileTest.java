package io.bloomery.internal.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnfinishedFileTest {

  @TempDir private Path folder;

  @Test
  void whoeverIsDoneTakesNothingOfTheOthers() throws IOException {
    Path target = folder.toAbsolutePath().resolve("seen.bloom");
    try (UnfinishedFile one = UnfinishedFile.of(target);
        UnfinishedFile other = UnfinishedFile.of(target)) {
      one.moveToTarget();
      assertTrue(Files.exists(other.path()));
    }
    try (Stream<Path> paths = Files.list(folder)) {
      assertEquals(List.of(target), paths.toList());
    }
  }

  @Test
  void whatIsClosedTakesNoMoreAndIsNotThere() throws IOException {
    Path target = folder.toAbsolutePath().resolve("seen.bloom");
    UnfinishedFile file = UnfinishedFile.of(target);
    OutputStream out = file.output();
    out.write(1);
    file.close();
    file.close();
    assertThrows(ClosedChannelException.class, () -> out.write(1));
    assertThrows(ClosedChannelException.class, file::force);
    try (Stream<Path> paths = Files.list(folder)) {
      assertEquals(List.of(), paths.toList());
    }
  }
}
