package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rules on filters of a real server, whole and cut into small chunks. Each put takes a round
 * trip there: a build checks the rules that need few of them, and a night all. How many they need
 * is told in {@code docs/decisions.md}.
 */
class RedisConformanceTest {

  private static final long SEED = Long.getLong("bloomery.conformance.seed", 20261121);

  /** How long a rule may go on: some make a million puts between two signs of life. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @Test
  void oneKeyKeepsTheRulesThatNeedFewRoundTrips() {
    check(
        Chunks.STANDARD,
        1,
        EnumSet.of(
            Rule.R17, Rule.R18, Rule.R19, Rule.R22, Rule.R23, Rule.R26, Rule.R36, Rule.R41,
            Rule.R74));
  }

  @Test
  void manyKeysKeepTheRulesThatNeedFewRoundTrips() {
    check(
        "split-block",
        7,
        EnumSet.of(Rule.R17, Rule.R18, Rule.R19, Rule.R22, Rule.R23, Rule.R38, Rule.R41, Rule.R45));
  }

  @ParameterizedTest
  @CsvSource({"standard, 1", "split-block, 1", "split-block, 7"})
  @Tag("nightly")
  void allRulesAreKept(String variant, int chunks) {
    check(variant, chunks, EnumSet.allOf(Rule.class));
  }

  private static void check(String variant, int chunks, Set<Rule> rules) {
    RedisServer server = Servers.shared(RedisServer.Release.SEVEN);
    try (RedisLink link = JedisLink.connect(server.uri(), Duration.ofSeconds(60))) {
      ConformanceReport report =
          new ConformanceRunner()
              .rules(rules)
              .seed(SEED)
              .limit(LIMIT)
              .run(new RedisProvider(variant, link, chunks));
      assertEquals(Set.of(), report.failures(), report::toString);
      for (Rule rule : rules) {
        assertEquals(false, report.outcome(rule).status() == ConformanceReport.Status.NOT_RUN);
      }
    }
  }
}
