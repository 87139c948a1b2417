package io.bloomery.examples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.file.UnexpectedFilterException;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterStats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles, by looking them up in compiled sources, the snippets of the pages, and runs them. */
class ReadmeTest {

  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  /** Reads source text as the compiler does: how it is laid out does not matter. */
  private static String condensed(String source) {
    return source.replaceAll("\\s+", "");
  }

  private static String sources() throws IOException {
    Path withServer = // whose module has a Redis server, and tests of its own
        ROOT.resolve("integrations/redis/src/test/java/io/bloomery/redis/Penetration.java");
    try (Stream<Path> here = Files.walk(Path.of("src/main/java"))) {
      return Stream.concat(here, Stream.of(withServer))
          .filter(path -> path.toString().endsWith(".java"))
          .map(
              path -> {
                try {
                  return condensed(Files.readString(path));
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              })
          .collect(Collectors.joining("\n"));
    }
  }

  @Test
  void everySnippetStandsInASourceFileHere() throws IOException {
    String pages =
        Files.readString(ROOT.resolve("README.md"))
            + Files.readString(ROOT.resolve("docs/guide.md"))
            + Files.readString(ROOT.resolve("docs/choosing.md"))
            + Files.readString(ROOT.resolve("docs/cookbook.md"))
            + Files.readString(ROOT.resolve("docs/interop.md"))
            + Files.readString(ROOT.resolve("docs/guard.md"))
            + Files.readString(ROOT.resolve("docs/window.md"));
    List<String> snippets =
        SNIPPET
            .matcher(pages)
            .results()
            .map(MatchResult::group)
            .map(block -> block.substring("```java\n".length(), block.length() - 3))
            .toList();
    assertTrue(snippets.size() >= 8, "snippets found: " + snippets.size());
    String sources = sources();
    for (String snippet : snippets) {
      assertTrue(sources.contains(condensed(snippet)), "in no example:\n" + snippet);
    }
  }

  @Test
  void theFirstSnippetDoesWhatItsCommentsSay() throws IOException {
    Path file = Path.of("seen.bloom");
    try {
      QuickStart.main();
      BloomFilter<String> seen = Bloomery.strings().open(file);
      assertTrue(seen.mightContain("https://example.org/"));
      assertFalse(seen.mightContain("https://example.com/"));
      assertFalse(seen.put("https://example.org/"));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  @Test
  void ownKeysAreFoundByWhatTheyHold() {
    BloomFilter<ReadmeSnippets.User> users = ReadmeSnippets.ownKeys();
    assertTrue(users.mightContain(new ReadmeSnippets.User("ada@example.org", "another name")));
    assertFalse(users.mightContain(new ReadmeSnippets.User("bob@example.org", "Bob")));
  }

  @Test
  void everyFieldOfAKeyCounts() {
    BloomFilter<ReadmeSnippets.Account> accounts = ReadmeSnippets.fields();
    accounts.put(new ReadmeSnippets.Account("ada@example.org", 1));
    assertTrue(accounts.mightContain(new ReadmeSnippets.Account("ada@example.org", 1)));
    assertFalse(accounts.mightContain(new ReadmeSnippets.Account("ada@example.org", 2)));
    assertFalse(accounts.mightContain(new ReadmeSnippets.Account("bob@example.org", 1)));
  }

  @Test
  void aFilterWithASecretOpensWithItAlone(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("names.bloom");
    BloomFilter<String> again = ReadmeSnippets.secret(file);
    assertTrue(again.spec().hashId().startsWith("siphash-2-4/utf8/secret="));
    assertThrows(UnexpectedFilterException.class, () -> Bloomery.strings().open(file));
  }

  @Test
  void streamsAndMergesKeepEveryWord(@TempDir Path folder) throws Exception {
    List<String> today = IntStream.range(0, 5_000).mapToObj(i -> "today-" + i).toList();
    List<String> yesterday = Stream.of("yesterday", "password").toList();
    BloomFilter<String> words = ReadmeSnippets.threads(today, yesterday);
    BloomFilter<Long> ids = Bloomery.longs().expect(100).create();
    ids.put(4711L);
    assertTrue(ReadmeSnippets.fast(words, today, ids));
    List<BitSet> which = ReadmeSnippets.bank(words, words, List.of("password", "never"));
    assertEquals("[{0, 1}, {}]", which.toString());
    assertTrue(today.stream().allMatch(words));
    assertTrue(yesterday.stream().allMatch(words));
    FilterStats stats = ReadmeSnippets.stats(words);
    assertEquals(5_002, (double) stats.approximateKeys().orElseThrow(), 50);
    words.save(folder.resolve("words.bloom"));
    assertTrue(ReadmeSnippets.fromTheCommandLine(folder.resolve("words.bloom")));
    assertTrue(ReadmeSnippets.mapped(folder.resolve("words.bloom")).isSound());
    Path live = folder.resolve("live.bloom");
    assertEquals(List.of("a", "b"), ReadmeSnippets.live(live, List.of("a", "b", "a")));
    assertEquals(List.of("c"), ReadmeSnippets.live(live, List.of("b", "c")));
    ReadmeSnippets.updated(folder.resolve("words.bloom"));
    assertTrue(Bloomery.strings().open(folder.resolve("words.bloom")).mightContain("example.org"));
    BloomFilter<String> opened = ReadmeSnippets.attributes(folder.resolve("hosts.bloom"));
    assertEquals("{made-by=crawler-7}", opened.spec().attributes().toString());
    assertTrue(
        ReadmeSnippets.swapped(folder.resolve("words.bloom")).get().mightContain("password"));
  }

  @Test
  void filesAreCheckedAndMerged(@TempDir Path folder) throws IOException {
    BloomFilter<String> monday = Bloomery.strings().expect(100).create();
    BloomFilter<String> tuesday = monday.copy();
    monday.put("monday");
    tuesday.put("tuesday");
    Path one = folder.resolve("monday.bloom");
    Path other = folder.resolve("tuesday.bloom");
    Path week = folder.resolve("week.bloom");
    monday.save(one);
    tuesday.save(other);
    assertTrue(ReadmeSnippets.files(one, other, week).isSound());
    BloomFilter<String> both = ReadmeSnippets.serialization(Bloomery.strings().open(week));
    assertTrue(both.mightContain("monday") && both.mightContain("tuesday"));
  }

  @Test
  void removedKeysAreGone() {
    assertFalse(ReadmeSnippets.removal().mightContain("session-1"));
    assertEquals(0, ReadmeSnippets.removal().approximateCount("session-1"));
  }

  @Test
  void aGrowingFilterTakesMoreThanItExpects() {
    BloomFilter<String> urls = ReadmeSnippets.growth();
    IntStream.range(0, 50_000).forEach(i -> urls.put("url-" + i));
    assertTrue(IntStream.range(0, 50_000).allMatch(i -> urls.mightContain("url-" + i)));
    assertTrue(urls.stats().falsePositiveRate() <= 0.01);
  }

  @Test
  void aBudgetIsPlannedWithin() {
    assertTrue(ReadmeSnippets.budget().bitsPerKey() <= 16);
  }

  @Test
  void plansGiveTheNumbersInTheirComments() {
    List<FilterPlan> plans = ReadmeSnippets.plans();
    assertEquals(9.59, plans.get(0).bitsPerKey(), 0.005);
    assertEquals(0.018, plans.get(1).falsePositiveRate(1_000_000), 0.0005);
    assertEquals(874_454, plans.get(2).spec().expectedKeys());
  }

  @Test
  void thePageOfTheRulesImportsTheJunitThatTheSuiteIsBuiltWith() throws IOException {
    String parent = Files.readString(ROOT.resolve("pom.xml"));
    Matcher version = Pattern.compile("<junit.version>(.*)</junit.version>").matcher(parent);
    assertTrue(version.find());
    assertTrue(
        condensed(Files.readString(ROOT.resolve("docs/RULES.md")))
            .contains(
                "<artifactId>junit-bom</artifactId><version>" + version.group(1) + "</version>"));
  }

  /** Otherwise Maven takes a Surefire that finds no test, and calls that a success. */
  @Test
  void thePageOfTheRulesPinsOurSurefireAndFailsWhereNoTestRan() throws IOException {
    Pattern pinned =
        Pattern.compile("<artifactId>maven-surefire-plugin</artifactId>(<version>.*?</version>)");
    Matcher ours = pinned.matcher(condensed(Files.readString(ROOT.resolve("pom.xml"))));
    assertTrue(ours.find());
    String page = condensed(Files.readString(ROOT.resolve("docs/RULES.md")));
    List<String> blocks =
        Pattern.compile("<artifactId>maven-surefire-plugin</artifactId>.*?</plugin>")
            .matcher(page)
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(2, blocks.size());
    for (String block : blocks) {
      assertTrue(block.contains(ours.group(1)), block);
      assertTrue(block.contains("<failIfNoTests>true</failIfNoTests>"), block);
    }
  }

  /** Of others an old Surefire takes no notice. */
  @Test
  void thePageOfTheRulesShowsATestThatIsPublic() throws IOException {
    assertTrue(
        Files.readString(ROOT.resolve("docs/RULES.md"))
            .contains("\npublic class MyFilterTest extends FilterContract {\n"));
  }
}
