package io.bloomery.internal.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileInputTest {

  @TempDir private Path folder;
  private Path path;

  @BeforeEach
  void write() throws IOException {
    path = Files.write(folder.resolve("three"), new byte[] {1, 2, 3});
  }

  @Test
  void whatIsShutGoesOnAndWhatIsClosedDoesNot() throws IOException {
    FileInput in = FileInput.of(path);
    assertEquals(1, in.read());
    in.shut();
    in.shut();
    assertEquals(2, in.read());
    in.close();
    in.close();
    in.shut();
    IOException e = assertThrows(IOException.class, in::read);
    assertEquals(path + ": must be read before it is closed", e.getMessage());
  }
}
