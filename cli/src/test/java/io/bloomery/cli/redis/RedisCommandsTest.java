package io.bloomery.cli.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisCommandsTest {

  private static RedisServer server;

  @TempDir private Path folder;

  @BeforeAll
  static void startAServer() {
    server = RedisServer.start(RedisServer.Release.SIX);
  }

  @AfterAll
  static void stopIt() {
    server.close();
  }

  private static String url(String name) {
    return server.uri() + "/0?filter=" + name;
  }

  private Path filter(String name, String variant, String lines) throws IOException {
    Path words = Files.writeString(folder.resolve(name + ".txt"), lines);
    Path file = folder.resolve(name);
    Run.command("create --variant %s --expected 1000 -o %s %s", variant, file, words)
        .assertEnds(ExitCode.OK);
    return file;
  }

  @Test
  void aFilterIsPushedCheckedAndPulled() throws IOException {
    for (String variant : new String[] {"standard", RemoteRebuildCommand.VARIANT}) {
      Path file = filter(variant, variant, "one\ntwo\n");
      String url = url("round-" + variant);
      Run.of("push", file, url).assertEnds(ExitCode.OK);
      Path asked = Files.writeString(folder.resolve("asked"), "one\nthree\n");
      Run check = Run.of("check", url, asked).assertEnds(ExitCode.OK);
      assertEquals("one\n", check.out());
      assertEquals("three\n", Run.of("check", "-v", url, asked).out());
      Path pulled = folder.resolve("pulled-" + variant);
      Run.of("pull", "-o", pulled, url).assertEnds(ExitCode.OK);
      assertEquals(-1, Files.mismatch(file, pulled));
    }
  }

  @Test
  void aFilterIsReplacedOnlyIfAskedFor() throws IOException {
    String url = url("replaced");
    Run.of("push", filter("a", RemoteRebuildCommand.VARIANT, "one\n"), url).assertEnds(ExitCode.OK);
    Path other = filter("b", RemoteRebuildCommand.VARIANT, "two\n");
    Run.of("push", other, url).assertEnds(ExitCode.USAGE, "bloomery:{replaced}");
    Path asked = Files.writeString(folder.resolve("asked"), "one\ntwo\n");
    assertEquals("one\n", Run.of("check", url, asked).out());
    Run.of("push", "--force", other, url).assertEnds(ExitCode.OK);
    assertEquals("two\n", Run.of("check", url, asked).out());
  }

  @Test
  void whatWasLostIsAnErrorAndNotAbsent() throws IOException {
    String url = url("lost");
    Run.of("push", filter("a", "standard", "one\n"), url);
    Path asked = Files.writeString(folder.resolve("asked"), "one\n");
    server.command("DEL", "bloomery:{lost/0}");
    Run check = Run.of("check", "-v", url, asked).assertEnds(ExitCode.BAD_FILE);
    assertEquals("", check.out());
    assertTrue(check.err().contains("bloomery:{lost/0} is missing"), check.err());
  }

  @Test
  void aUrlThatNamesNoFilterOrServerIsAnErrorWithoutItsPassword() throws IOException {
    Path file = filter("a", "standard", "one\n");
    Run unnamed =
        Run.of("push", file, "redis://:secret@localhost:1")
            .assertEnds(ExitCode.USAGE, "?filter=seen");
    Run nobody =
        Run.of("push", file, "redis://:secret@localhost:1?filter=a").assertEnds(ExitCode.BAD_FILE);
    Run.of("pull", "-o", folder.resolve("x"), url("none"))
        .assertEnds(ExitCode.BAD_FILE, "there is no filter 'none'");
    for (Run run : new Run[] {unnamed, nobody}) {
      assertTrue(!run.err().contains("secret"), run.err());
    }
  }
}
