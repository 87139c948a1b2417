package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.filter.FilterPlan;
import io.bloomery.guard.ReadOnlyGuard;
import io.bloomery.hash.KeyHasher;
import io.bloomery.window.SlidingBloomFilter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

class PageTest {

  private static final Path SOURCES = Path.of("src/test/java/io/bloomery/redis");

  private static String page() throws IOException {
    return Files.readString(Path.of("../../docs/redis.md"));
  }

  private static List<String> blocks(String language) throws IOException {
    return Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
        .matcher(page())
        .results()
        .map((MatchResult found) -> found.group(1))
        .toList();
  }

  private static String condensed(String code) {
    return code.replaceAll("\\s+", "");
  }

  @Test
  void everySnippetOfThePageCompiles() throws IOException {
    String sources =
        condensed(
            Files.readString(SOURCES.resolve("Snippets.java"))
                + Files.readString(SOURCES.resolve("SharedFilters.java")));
    List<String> snippets = blocks("java");
    assertEquals(11, snippets.size());
    for (String snippet : snippets) {
      assertTrue(sources.contains(condensed(snippet)), "in no source:\n" + snippet);
    }
    assertEquals(1, blocks("xml").size());
    assertEquals(2, blocks("sh").size()); // the tests of the command run them
    assertEquals(2 * (11 + 1 + 2), page().split("```", -1).length - 1, "another block");
    assertFalse(
        page().replaceAll("(?s)```.*?```", "").contains("\n    "), "a block without fences");
  }

  @Test
  void theDependenciesOfThePageAreThoseOfTheBuild() throws IOException {
    String build = Files.readString(Path.of("../../pom.xml"));
    String jedis = property(build, "jedis.version");
    String lettuce = property(build, "lettuce.version");
    assertTrue(page().contains("tested with " + jedis + " and " + lettuce + "."));
    String block = condensed(blocks("xml").get(0));
    assertTrue(block.contains("io.lettuce,lettuce-core," + lettuce + "-->"), block);
    String versions =
        Pattern.compile("<artifactId>(.*?)</artifactId><version>(.*?)</version>")
            .matcher(block)
            .results()
            .map(found -> found.group(1) + " " + found.group(2))
            .collect(Collectors.joining(", "));
    String ours = property(build, "revision");
    assertEquals(
        "bloomery-redis " + ours + ", bloomery-blocked " + ours + ", jedis " + jedis, versions);
  }

  private static String property(String pom, String name) {
    Matcher value = Pattern.compile("<" + name + ">(.*?)</").matcher(pom);
    assertTrue(value.find(), name);
    return value.group(1);
  }

  @Test
  void snippetsDoWhatTheirCommentsSay() {
    RedisLink link = Servers.Client.JEDIS.shared(RedisServer.Release.SIX);
    RedisFilters filters = RedisFilters.of(link);
    FilterPlan plan = Bloomery.strings().expect(100).fpp(1e-4).variant("blocked").plan();
    filters.create("blocked", plan);
    RedisSnapshot<String> blocked = Snippets.snapshot(filters);
    assertFalse(blocked.mightContain("10.0.0.1"));
    assertTrue(Snippets.window(link));
    assertFalse(Snippets.window(link));
    RedisFilter seen = filters.create("seen", plan);
    Snippets.rebuild(filters, plan, List.of(List.of("one", "two"), List.of("three")));
    assertTrue(BloomFilter.<String>of(seen, KeyHasher.strings()).mightContain("three"));
    assertEquals(2, seen.generation());
  }

  @Test
  void anAlertIsSentOnceAndEachTimeIfNobodyKnows() {
    RedisLink link = Servers.Client.JEDIS.shared(RedisServer.Release.SIX);
    RedisSlidingBloomFilter<String> told = window(link, "alerts");
    assertTrue(Snippets.alert(told, "disk full"));
    assertFalse(Snippets.alert(told, "disk full"));
    assertTrue(Snippets.alert(told, "no memory"));
    RedisWindows.of(link).delete("alerts");
    assertTrue(Snippets.alert(told, "disk full"));
    assertTrue(Snippets.alert(told, "disk full"));
  }

  @Test
  void aConsumerThatEndsLosesAMessageOrRepeatsItByTheOrderOfItsSteps() {
    RedisLink link = Servers.Client.JEDIS.shared(RedisServer.Release.SIX);
    Snippets.Message message = new Snippets.Message("7");
    List<Snippets.Message> handled = new ArrayList<>();
    Consumer<Snippets.Message> ends =
        each -> {
          throw new IllegalStateException("this process ends before it has done anything");
        };
    RedisSlidingBloomFilter<String> begun = window(link, "begun");
    assertThrows(
        IllegalStateException.class, () -> Snippets.handleAtMostOnce(begun, message, ends));
    Snippets.handleAtMostOnce(begun, message, handled::add);
    assertEquals(List.of(), handled);

    Consumer<Snippets.Message> endsLater = handled::add;
    RedisSlidingBloomFilter<String> done = window(link, "done");
    assertThrows(
        IllegalStateException.class,
        () -> Snippets.handleAtLeastOnce(done, message, endsLater.andThen(ends)));
    for (int i = 0; i < 3; i++) { // delivered again, and then no more
      Snippets.handleAtLeastOnce(done, message, handled::add);
    }
    assertEquals(List.of(message, message), handled);
  }

  private static RedisSlidingBloomFilter<String> window(RedisLink link, String name) {
    return RedisWindows.of(link)
        .create(
            name,
            SlidingBloomFilter.builder(Bloomery.strings().expect(1000).fpp(1e-5).variant("blocked"))
                .lasting(Duration.ofHours(1)));
  }

  @Test
  void aGuardAsksTheTableForWhatMayBeThereAndForAllWhereTheFilterCannotAnswer() {
    RedisServer server = Servers.shared(RedisServer.Release.SIX);
    RedisLink link = Servers.Client.JEDIS.shared(RedisServer.Release.SIX);
    RedisFilters filters = RedisFilters.of(link);
    filters.create("users", Bloomery.strings().expect(100).fpp(1e-4).variant("standard").plan());
    Snippets.Table table = new Snippets.Table();
    ReadOnlyGuard<String, Snippets.User> users = Snippets.guard(filters, table);
    assertEquals(0, table.lookups());
    assertEquals("bob", users.get("bob").orElseThrow().name());
    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(SharedFilters.class)
            .initializers(
                all ->
                    ((GenericApplicationContext) all)
                        .registerBean(Snippets.Table.class, () -> table))
            .sources(AutoConfigured.class)
            .web(WebApplicationType.NONE)
            .properties("users.redis=" + server.uri(), "users.time-out=20s")
            .run()) {
      ReadOnlyGuard<String, Snippets.User> bean = context.getBean(Asker.class).guard();
      assertTrue(bean.get("bob").isPresent());
      int before = table.lookups();
      assertTrue(bean.get("ada").isEmpty());
      assertEquals(before, table.lookups());
      filters.delete("users");
      assertTrue(bean.get("ada").isEmpty());
      assertEquals(before + 1, table.lookups());
    }
  }

  /** A bean that the guard is injected into. */
  record Asker(ReadOnlyGuard<String, Snippets.User> guard) {}

  @EnableAutoConfiguration
  @Import(Asker.class)
  static class AutoConfigured {}
}
