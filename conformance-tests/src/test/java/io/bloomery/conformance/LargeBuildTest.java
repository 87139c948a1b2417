package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LargeBuildTest {

  @TempDir private Path folder;

  private void build(String heap, long keys, long bytes) throws Exception {
    String said =
        SmallJvm.output(
            SmallJvm.of(
                List.of(heap),
                LargeBuild.class,
                Long.toString(keys),
                Long.toString(bytes),
                folder.toString()));
    System.out.print(said);
    assertArrayEquals(new String[0], folder.toFile().list());
  }

  // The hashes would take 48 MB beside the 134 of the build.
  @Test
  void hashesThatHaveNoRoomAreInAFile() throws Exception {
    build("-Xmx200m", 6_000_000, 136_000_000);
  }

  // The hashes would take 8 GB, and a single table 22.
  @Test
  @Tag("nightly")
  void aBillionKeysAreBuiltInFourGigabytes() throws Exception {
    build("-Xmx4g", 1_000_000_000, 1_000_000_000);
  }
}
