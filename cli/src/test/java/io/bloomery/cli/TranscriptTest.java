package io.bloomery.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TranscriptTest {

  @TempDir private Path folder;
  private Transcript transcript;

  @BeforeEach
  void openAShell() {
    transcript = new Transcript(new Shell(folder), folder.resolve("script"));
  }

  @Test
  void whatScriptsPrintStandsBelowThem() throws Exception {
    String page =
        """
        A page.

        ```sh
        echo a >file
        ```

        More.

        ```sh
        cat file
        echo b >&2
        printf c
        ```

        ```text
        a
        b
        c
        ```

        Besides:

        ```text
        another text
        ```
        """;
    assertEquals(page, transcript.scripts(page));
    assertEquals(page, transcript.scripts(page.replace("a\nb\nc", "wrong")));
    assertEquals(page, transcript.scripts(page.replace("```text\na\nb\nc\n```\n\n", "")));
    assertEquals(
        page, transcript.scripts(page.replace("file\n```\n", "file\n```\n\n```text\n```\n")));
  }

  @Test
  void whatIsTypedIsFollowedByItsOutput() throws Exception {
    String page =
        """
        ```sh
        exit 1
        ```

        ```console
        $ echo a >file
        $ cat file; false || echo $?
        a
        1
        ```

        End.
        """;
    assertEquals(page, transcript.sessions(page));
    assertEquals(page, transcript.sessions(page.replace("a\n1\n", "")));
    assertEquals(page, transcript.sessions(page.replace("file\n$", "file\nwrong\nwrong\n$")));
  }

  @Test
  void aCommandThatFailsIsNamed() {
    AssertionError failed =
        assertThrows(
            AssertionError.class, () -> transcript.scripts("```sh\necho a\nfalse\necho b\n```\n"));
    assertEquals("ended with 1:\necho a\nfalse\necho b\na\n", failed.getMessage());
    assertTrue(
        assertThrows(AssertionError.class, () -> transcript.sessions("```console\n$ exit 3\n```\n"))
            .getMessage()
            .startsWith("ended with 3:\nexit 3\n"));
  }
}
