package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PageTest {

  private static final Path SOURCES = Path.of("src/test/java/io/bloomery/redis");
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);

  private static String condensed(String code) {
    return code.replaceAll("\\s+", "");
  }

  @Test
  void everySnippetOfThePageCompiles() throws IOException {
    String sources = condensed(Files.readString(SOURCES.resolve("Snippets.java")));
    List<String> snippets =
        SNIPPET
            .matcher(Files.readString(Path.of("../../docs/redis.md")))
            .results()
            .map((MatchResult found) -> found.group(1))
            .toList();
    assertEquals(3, snippets.size());
    for (String snippet : snippets) {
      assertTrue(sources.contains(condensed(snippet)), "in no source:\n" + snippet);
    }
  }

  @Test
  void snippetsDoWhatTheirCommentsSay() {
    try (RedisLink link = JedisLink.connect(Servers.shared(RedisServer.Release.SIX).uri())) {
      RedisFilters filters = RedisFilters.of(link);
      FilterPlan plan = Bloomery.strings().expect(100).fpp(1e-4).variant("split-block").plan();
      filters.create("blocked", plan);
      RedisSnapshot<String> blocked = Snippets.snapshot(filters);
      assertFalse(blocked.mightContain("10.0.0.1"));
      RedisFilter seen = filters.create("seen", plan);
      Snippets.rebuild(filters, plan, new long[] {1, 2});
      assertTrue(seen.mightContain(1));
      assertEquals(2, seen.generation());
    }
  }
}
