package io.bloomery.cli.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.LiveBloomFilter;
import io.bloomery.cli.Run;
import io.bloomery.cli.session.ExitCode;
import io.bloomery.filter.FilterPlan;
import io.bloomery.redis.JedisLink;
import io.bloomery.redis.RedisFilters;
import io.bloomery.redis.RedisLink;
import io.bloomery.redis.RedisRebuild;
import io.bloomery.redis.RedisServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What operators do with filters on a server: each next step that a message names is taken. */
class RedisOperationsTest {

  private static final int ROUNDS = 6;

  private RedisServer server;
  private String url;
  private Path lines;

  @TempDir private Path folder;

  @BeforeEach
  void startAServer() throws IOException {
    server =
        RedisServer.start(
            RedisServer.Release.SEVEN, "--appendonly", "yes", "--appendfsync", "always");
    url = server.uri() + "/0?filter=seen";
    lines = Files.writeString(folder.resolve("lines"), "One\ntwo\nthree\n");
  }

  @AfterEach
  void stopIt() {
    server.close();
  }

  private Path created(String... options) throws IOException {
    Path file = folder.resolve("file-" + String.join("", options).replaceAll("\\W", ""));
    List<Object> arguments = new ArrayList<>(List.of("create", "--force"));
    Map.of("--variant", RemoteRebuildCommand.VARIANT, "--expected", "1000")
        .forEach(
            (option, value) -> {
              if (!List.of(options).contains(option)) {
                arguments.addAll(List.of(option, value));
              }
            });
    arguments.addAll(List.of(options));
    arguments.addAll(List.of("-o", file, lines));
    Run.of(arguments.toArray()).assertEnds(ExitCode.OK);
    return file;
  }

  private static String ok(Object... arguments) {
    Run run = Run.of(arguments).assertEnds(ExitCode.OK);
    return run.out() + run.err();
  }

  private static String failed(int exitCode, Object... arguments) {
    Run run = Run.of(arguments).assertEnds(exitCode);
    assertTrue(exitCode == ExitCode.OUTGROWN || run.err().startsWith("bloomery: "), run.err());
    return run.out() + run.err();
  }

  private void assertContains(String text, String... parts) {
    for (String part : parts) {
      assertTrue(text.contains(part), () -> "'" + part + "' is not in " + text);
    }
  }

  private void assertHasTheLines() {
    assertEquals("3\n", Run.of("check", "-c", url, lines).out());
  }

  @Test
  void aFilterIsPushedAskedPulledAndReplacedIfAskedFor() throws IOException {
    Path asked = Files.writeString(folder.resolve("asked"), "One\nfour\n");
    for (String variant : List.of("standard", RemoteRebuildCommand.VARIANT)) {
      Path file = created("--variant", variant);
      ok("push", "--force", file, url);
      assertEquals("One\n", ok("check", url, asked));
      assertEquals("four\n", ok("check", "-v", url, asked));
      Path pulled = folder.resolve("pulled-" + variant);
      ok("pull", "-o", pulled, url);
      assertEquals(-1, Files.mismatch(file, pulled));
    }
    Files.writeString(lines, "four\n");
    Path other = created();
    assertContains(failed(ExitCode.USAGE, "push", other, url), "bloomery:{seen}");
    assertEquals("One\n", ok("check", url, asked));
    ok("push", "--force", other, url);
    assertEquals("four\n", ok("check", url, asked));
  }

  @Test
  void aPushSaysBeforehandWhatItTakes() throws IOException {
    Path file = created();
    assertContains(ok("push", file, url), " bytes more, and has no maxmemory", "put there");
    assertContains(ok("push", "--force", file, url), " bytes more beside the ");
    server.command("CONFIG", "SET", "maxmemory", "1000");
    String refused = failed(ExitCode.USAGE, "push", "--force", file, url);
    assertContains(refused, "does not fit", "raise maxmemory");
    server.command("CONFIG", "SET", "maxmemory", "0");
    ok("push", "--force", file, url);
    assertHasTheLines();
  }

  @Test
  void aFilterIsToBeDeletedOnlyIfTheOtherFitsThen() throws IOException {
    Path file = created("--expected", "8000000");
    Random random = new Random(4);
    int advised = 0;
    for (int i = 0; i < ROUNDS; i++) {
      server.command("CONFIG", "SET", "maxmemory", "0");
      ok("push", "--force", file, url);
      server.leave(random.nextInt(-4_000_000, 12_000_000));
      String refused = failed(ExitCode.USAGE, "push", "--force", file, url);
      ok("redis", "delete", url);
      // The server frees what was deleted beside its commands.
      RedisServer.await(
          "free memory", () -> server.info("memory", "lazyfree_pending_objects").equals("0"));
      boolean isAdvised = refused.contains("delete the filter first");
      Run then = Run.of("push", file, url);
      if (isAdvised) {
        advised++;
        assertEquals(ExitCode.OK, then.exitCode(), refused + then.err());
      } else if (then.exitCode() != ExitCode.OK) {
        assertContains(then.err(), "does not fit", "raise maxmemory");
        assertFalse(then.err().contains("from here"), then.err());
      }
    }
    assertTrue(advised > 0 && advised < ROUNDS, advised + " times");
  }

  @Test
  void aFilterIsShownAndListed() throws IOException {
    failed(ExitCode.BAD_FILE, "redis", "info", url);
    assertEquals("", ok("redis", "list", server.uri()));
    ok("push", created("--csv", "1", "--ignore-case"), url);
    String info = ok("redis", "info", url);
    assertContains(
        info,
        "state            serving",
        RemoteRebuildCommand.VARIANT,
        "ignore-case",
        "1,000",
        "in 2 Redis keys");
    assertContains(ok("redis", "info", "--json", url), "\"state\"", "\"serving\"", "\"redisKeys\"");
    assertEquals("seen\n", ok("redis", "list", server.uri() + "/0"));
    assertContains(failed(ExitCode.USAGE, "redis", "list", url), "without a filter");
    server.command("DEL", "bloomery:{seen/0}");
    assertContains(
        failed(ExitCode.BAD_FILE, "redis", "info", url), "unavailable", "{seen/0} is missing");
    Run check = Run.of("check", "-v", url, lines);
    check.assertEnds(ExitCode.BAD_FILE, "bloomery:{seen/0} is missing");
    assertEquals("", check.out());
    String unnamed = url.replaceFirst("\\?.*", "");
    assertContains(failed(ExitCode.USAGE, "push", created(), unnamed), "?filter=seen");
  }

  @Test
  void linesAreAddedAsTheFilterHasThem() throws IOException {
    ok("push", created("--ignore-case"), url);
    Path more = Files.writeString(folder.resolve("more"), "FOUR\nfive\n");
    assertContains(ok("redis", "add", url, more), "2 lines added, about 2 new");
    assertContains(ok("redis", "add", "--json", url, more), "\"lines\"", "\"new\"");
    assertEquals("five\nfour\n", Run.withInput("five\nfour\nsix\n", "check", url).out());
    assertContains(failed(ExitCode.USAGE, "redis", "add", "--hex", url, more), "leave them out");
    assertContains(
        failed(ExitCode.BAD_FILE, "redis", "add", server.uri() + "?filter=none", more),
        "there is no filter 'none'");
  }

  @Test
  void everyCommandAsksTheFilterThatItsUrlNames() throws IOException {
    Random random = new Random(11);
    Set<String> names =
        new LinkedHashSet<>(
            List.of("x", "x/", "a//b", "a/b", "p/16384", "p/16384/", "a&b", "a#b", "a?b", "a%62"));
    names.addAll(List.of("q?filter=r", "q", "100%", "a+b"));
    while (names.size() < 17) {
      StringBuilder name = new StringBuilder();
      for (int i = random.nextInt(1, 6); i > 0; i--) {
        name.append("ab./~:@%&#?+".charAt(random.nextInt("ab./~:@%&#?+".length())));
      }
      names.add(name.toString());
    }
    FilterPlan plan = Bloomery.strings().expect(100).variant(RemoteRebuildCommand.VARIANT).plan();
    try (RedisLink link = JedisLink.connect(server.uri())) {
      names.forEach(name -> RedisFilters.of(link).create(name, plan));
    }
    List<String> inUrls = ok("redis", "list", server.uri()).lines().toList();
    assertEquals(names.size(), inUrls.size());
    for (String name : inUrls) {
      String named = server.uri() + "/0?filter=" + name;
      Path own = Files.writeString(folder.resolve("own"), "own " + name + "\n");
      assertContains(ok("redis", "add", named, own), named + ": 1 lines added, about 1 new");
    }
    for (String name : inUrls) {
      String named = server.uri() + "/0?filter=" + name;
      Path own = Files.writeString(folder.resolve("own"), "own " + name + "\nother " + name + "\n");
      assertEquals("own " + name + "\n", ok("check", named, own));
      assertContains(ok("check", "-c", "--json", named, own), '"' + named + '"');
      assertContains(ok("redis", "info", named), named + "\n");
      Path pulled = folder.resolve("pulled");
      ok("pull", "--force", "-o", pulled, named);
      assertEquals("own " + name + "\n", ok("check", pulled, own));
      ok("push", "--force", pulled, named);
      ok("redis", "rebuild", named, own);
      assertEquals("2\n", ok("check", "-c", named, own));
    }
    for (String name : inUrls) {
      ok("redis", "accept", server.uri() + "/0?filter=" + name);
      ok("redis", "delete", server.uri() + "/0?filter=" + name);
    }
    assertEquals("", ok("redis", "list", server.uri()));
    for (String name : List.of("a&b", "a#b", "a?b", "q?filter=r", "100%", "%zz")) {
      assertContains(
          failed(ExitCode.USAGE, "redis", "info", server.uri() + "/0?filter=" + name), "%25");
    }
  }

  @Test
  void aFilterThatHoldsMoreThanItWasMadeForIsReported() throws IOException {
    for (String variant : List.of("standard", RemoteRebuildCommand.VARIANT)) {
      ok("push", "--force", created("--variant", variant), url);
      Path few = Files.writeString(folder.resolve("few"), "a\nb\n");
      assertContains(ok("redis", "add", "--json", url, few), "\"outgrown\": false");
      Path many =
          Files.write(
              folder.resolve("many"),
              IntStream.range(0, 20_000).mapToObj(Integer::toString).toList());
      String warned = failed(ExitCode.OUTGROWN, "redis", "add", "-q", url, many);
      assertContains(warned, " expects 1,000 keys but holds ", "'bloomery redis rebuild --exp");
      assertContains(
          failed(ExitCode.OUTGROWN, "redis", "rebuild", "--expected", "100", url, many),
          "20,000 lines are in generation",
          " expects 100 keys but holds ");
      ok("redis", "rebuild", url, many);
      ok("redis", "add", url, few);
    }
  }

  @Test
  void aFilterThatWasLostIsMadeAnew() throws IOException {
    Path file = created();
    ok("push", file, url);
    server.command("DEL", "bloomery:{seen}");
    assertContains(failed(ExitCode.BAD_FILE, "check", url, lines), "rebuild it from its source");
    assertContains(
        failed(ExitCode.BAD_FILE, "redis", "info", url), "lost", "rebuild the filter from its");
    assertContains(
        ok("redis", "list", server.uri()),
        "seen\n",
        "'seen' does not answer: it has lost its record");
    String refused = failed(ExitCode.USAGE, "push", file, url);
    assertContains(
        refused, "has lost its record", "'bloomery push --force', 'bloomery redis rebuild' or");
    // Each of the three.
    assertContains(ok("redis", "rebuild", url, lines), "3 lines are in generation 1, which serves");
    assertHasTheLines();
    server.command("DEL", "bloomery:{seen}");
    ok("push", "--force", file, url);
    assertHasTheLines();
    server.command("DEL", "bloomery:{seen}");
    assertContains(
        ok("redis", "delete", url), "what was left of a filter that had lost its record, 1 Redis");
    ok("push", file, url);
    assertHasTheLines();
    server.command("FLUSHALL");
    ok("redis", "rebuild", "--ignore-case", "--expected", "50", url, lines);
    assertEquals("3\n", Run.withInput("ONE\nTWO\nTHREE\nfour\n", "check", "-c", url).out());
  }

  @Test
  void aFilterIsRebuiltWhileItServes() throws IOException {
    ok("push", created("--ignore-case"), url);
    Path all = Files.writeString(folder.resolve("all"), "a\nb\nc\nd\n");
    String said = ok("redis", "rebuild", "--fpp", "0.02", url, all);
    assertContains(said, "beside the", "4 lines are in generation 2");
    assertEquals("2\n", Run.withInput("A\nD\nOne\n", "check", "-c", url).out());
    assertContains(ok("redis", "info", url), "ignore-case", "0.02", "expected keys    4");
    assertContains(failed(ExitCode.USAGE, "redis", "rebuild", url, "-"), "--expected 1000000");
    assertContains(
        ok("redis", "rebuild", "--json", "--expected", "9", url, "-"), "\"generation\": 3");
    assertContains(
        failed(ExitCode.USAGE, "redis", "rebuild", "--variant", "counting", url, all),
        "must be standard or blocked");
    assertContains(
        failed(ExitCode.BAD_FILE, "redis", "rebuild", url, folder.resolve("none")), "no such file");
    assertContains(ok("redis", "info", url), "generation       3\n");
  }

  @Test
  void aFilterThatIsPulledReplacesNoOpenLiveFile() throws IOException {
    ok("push", created(), url);
    Path open = folder.resolve("open.bloom");
    try (LiveBloomFilter<String> live = Bloomery.strings().expect(1_000).openOrCreate(open)) {
      byte[] before = Files.readAllBytes(open);
      String refused = failed(ExitCode.BAD_FILE, "pull", "--force", "-o", open, url);
      assertContains(refused, open + ": ", "open for writing ");
      assertArrayEquals(before, Files.readAllBytes(open));
      assertTrue(live.put("b"));
    }
  }

  @Test
  void whatIsRebuiltFromLinesIsNoIntersection() throws IOException {
    BloomFilter<String> filter = Bloomery.strings().open(created());
    Path both = folder.resolve("both.bloom");
    filter.intersection(filter).save(both);
    ok("push", both, url);
    Path before = folder.resolve("before.bloom");
    ok("pull", "-o", before, url);
    assertContains(ok("info", before), "intersection     true");
    ok("redis", "rebuild", url, lines);
    Path after = folder.resolve("after.bloom");
    ok("pull", "-o", after, url);
    assertContains(ok("info", after), "estimated keys   about 3");
  }

  @Test
  void whatWasBrokenOffIsReplacedOrDeleted() throws IOException {
    Path file = created();
    try (RedisLink link = JedisLink.connect(server.uri())) {
      RedisFilters filters = RedisFilters.of(link);
      RedisRebuild brokenOff =
          filters.rebuild(
              "seen", Bloomery.strings().expect(10).variant(RemoteRebuildCommand.VARIANT).plan());
      assertContains(
          failed(ExitCode.BAD_FILE, "check", url, lines), "is not there yet", "load or rebuild it");
      assertContains(failed(ExitCode.BAD_FILE, "redis", "info", url), "loading", "not there yet");
      ok("push", file, url);
      assertHasTheLines();
      brokenOff.close();
      assertHasTheLines();
      filters.delete("seen");
      filters.rebuild(
          "seen", Bloomery.strings().expect(10).variant(RemoteRebuildCommand.VARIANT).plan());
    }
    assertContains(ok("redis", "delete", url), "not there yet, 2 Redis keys");
    ok("push", file, url);
    assertContains(ok("redis", "delete", url), "deleted the filter, 2 Redis keys");
    Run again = Run.of("redis", "delete", "--json", url).assertEnds(ExitCode.NONE);
    assertContains(again.out(), "\"redisKeys\": 0");
    assertEquals(0L, server.command("DBSIZE"));
  }

  @Test
  void aRecordThatIsNoneIsNamedWithWhatToDo() throws IOException {
    for (List<String> damage :
        List.of(
            List.of("SET", "bloomery:{seen}", "text"),
            List.of("HSET", "bloomery:{seen}", "format", "9"),
            List.of("HDEL", "bloomery:{seen}", "chunks"))) {
      ok("push", "--force", created(), url);
      server.command(damage.toArray(String[]::new));
      String step = "delete the filter, then rebuild it";
      assertContains(ok("redis", "list", server.uri()), "seen\n", "'seen' does not answer", step);
      for (String command : List.of("info", "accept", "rebuild", "add")) {
        List<Object> arguments = new ArrayList<>(List.of("redis", command, url));
        if (List.of("rebuild", "add").contains(command)) {
          arguments.add(lines);
        }
        assertContains(failed(ExitCode.BAD_FILE, arguments.toArray()), step);
      }
      ok("redis", "delete", url);
      ok("redis", "rebuild", url, lines);
      assertHasTheLines();
    }
  }

  @Test
  void aServerThatRefusesNamesTheNextStep() throws IOException {
    ok("push", created(), url);
    assertContains(
        failed(ExitCode.BAD_FILE, "check", url.replace("/0?", "/99?"), lines),
        "has no database of this number; correct it");
    server.command("ACL", "SETUSER", "ada", "on", ">word", "~bloomery:*", "+@all", "-getrange");
    String ada = url.replace("://", "://ada:word@");
    for (List<String> command :
        List.of(List.of("check"), List.of("redis", "add"), List.of("redis", "rebuild"))) {
      List<Object> arguments = new ArrayList<>(command);
      arguments.addAll(List.of(ada, lines));
      assertContains(
          failed(ExitCode.BAD_FILE, arguments.toArray()), "does not permit it; give the user");
    }
    for (String command : List.of("push", "pull", "check")) {
      assertContains(ok(command, "--help").replaceAll("\\s+", " "), "the server does not answer");
    }
  }

  @Test
  void aServerThatWasStartedAgainIsAccepted() throws IOException {
    ok("push", created(), url);
    server.kill();
    server.startAgain();
    assertContains(failed(ExitCode.BAD_FILE, "check", url, lines), "accept the server");
    assertContains(ok("redis", "accept", url), "accepted; generation 1 answers");
    assertHasTheLines();
    assertContains(
        failed(ExitCode.BAD_FILE, "redis", "accept", server.uri() + "?filter=none"),
        "there is no filter 'none'");
  }

  @Test
  void aUrlInPlaceOfAFileIsToldWhereToGo() throws IOException {
    ok("push", created(), url);
    for (Object[] arguments :
        new Object[][] {{"info", url}, {"add", url, lines}, {"remove", url, lines}}) {
      assertContains(failed(ExitCode.USAGE, arguments), "bloomery redis --help");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"se/c@ret", "se#c@ret", "se?c@ret", "se/c@ret?x", "se/c%ret"})
  void noMessageHasAPassword(String password) throws IOException {
    String secret = url.replace("://", "://ada:" + password + "@");
    Path file = created();
    for (Object[] arguments :
        new Object[][] {
          {"push", file, secret},
          {"pull", "-o", folder.resolve("x"), secret},
          {"check", secret, lines},
          {"info", secret},
          {"add", secret, lines},
          {"verify", secret},
          {"create", "-o", secret, lines},
          {"redis", "info", secret},
          {"redis", "list", secret},
          {"redis", "list", secret.replace("?filter=seen", "")},
          {"redis", "add", secret, lines},
          {"redis", "rebuild", secret, lines},
          {"redis", "accept", secret},
          {"redis", "delete", secret}
        }) {
      Run run = Run.of(arguments);
      assertFalse(run.exitCode() == ExitCode.OK, arguments[0] + run.err());
      String said = run.out() + run.err();
      assertFalse(said.matches("(?s).*(se[/#?]c|c@|ret@|\"re).*"), said);
    }
  }

  @Test
  void aFilterExpiresAndInfoSaysWhen() throws IOException {
    Path file = created();
    ok("push", "--expire-after", "36h", file, url);
    assertContains(ok("redis", "info", url), "life left", "129,");
    ok("push", "--force", file, url);
    assertContains(ok("redis", "info", "--json", url), "\"secondsLeft\"", "129");
    ok("redis", "rebuild", "--expire-after", "3d", "--renewed-by-puts", url, lines);
    assertContains(ok("redis", "info", url), "life left", "259,");
    assertHasTheLines();
    assertContains(
        failed(ExitCode.USAGE, "push", "--renewed-by-puts", file, url), "--expire-after T");
    assertContains(
        failed(ExitCode.USAGE, "push", "--expire-after", "0s", file, url), "from 1 s to 36500");
    Run.of("redis", "rebuild", "--expire-after", "1s", url, lines);
    while (Run.of("check", url, lines).exitCode() != ExitCode.BAD_FILE) {
      Thread.onSpinWait();
    }
    // Its chunks are there for another minute.
    assertEquals("", ok("redis", "list", server.uri()));
    assertContains(failed(ExitCode.BAD_FILE, "redis", "info", url), "nothing of that name");
    ok("push", file, url);
    assertFalse(ok("redis", "info", url).contains("life left"));
  }

  /** A filter as Redisson's tryInit and add make it, of the golden file. */
  @Test
  void aFilterOfRedissonIsAskedAndPulled() throws IOException {
    byte[] golden =
        Files.readAllBytes(
            Path.of("../interop/src/test/resources/golden/redisson").resolve("string-n100"));
    int header = new String(golden, StandardCharsets.ISO_8859_1).indexOf('\n');
    for (String field : new String(golden, 0, header, StandardCharsets.US_ASCII).split(" ", -1)) {
      if (field.contains("=")) {
        server.command("HSET", "{theirs}:config", field.split("=", 2)[0], field.split("=", 2)[1]);
      }
    }
    for (int bit = 0; bit < 8 * (golden.length - header - 1); bit++) {
      if ((golden[header + 1 + bit / 8] & 0x80 >> bit % 8) != 0) {
        server.command("SETBIT", "theirs", Integer.toString(bit), "1");
      }
    }
    String theirs = url.replace("seen", "theirs");
    Path keys = folder.resolve("keys");
    Files.write(keys, IntStream.range(0, 100).mapToObj(i -> "key-" + i).toList());
    String[] format = {"--format", "redisson", "--encoding", "StringCodec"};
    assertEquals(
        "100\n",
        Run.of("check", "-c", format[0], format[1], format[2], format[3], theirs, keys).out());
    Path file = folder.resolve("theirs.redisson");
    ok("pull", "--format", "redisson", "-o", file, theirs);
    assertArrayEquals(golden, Files.readAllBytes(file));
    assertContains(
        failed(ExitCode.USAGE, "check", "--format", "redisson", "--encoding", "Kryo5Codec", theirs),
        "but is Kryo5Codec");
    assertContains(
        failed(ExitCode.USAGE, "pull", "--format", "guava", "-o", folder.resolve("b"), theirs),
        "--format redisson, but --format is guava");
    assertContains(
        failed(ExitCode.BAD_FILE, "pull", "--format", "redisson", "-o", folder.resolve("b"), url),
        "'seen' is not there");
  }

  @Test
  void theGroupAloneSaysWhatIsInIt() {
    Run run = Run.of("redis").assertEnds(ExitCode.USAGE);
    assertContains(run.err(), "rebuild", "accept");
    assertContains(
        failed(ExitCode.USAGE, "redis", "lst"), "unknown command 'lst'; did you mean 'list'?");
    assertContains(failed(ExitCode.USAGE, "redis", "info"), "try 'bloomery redis info --help'");
  }
}
