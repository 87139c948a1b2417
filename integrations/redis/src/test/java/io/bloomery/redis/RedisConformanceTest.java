package io.bloomery.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rules on filters of a real server, whole and cut into small chunks. Each put takes a round
 * trip there: a build checks the rules that need few of them, and a night all.
 */
class RedisConformanceTest {

  private static final long SEED = Long.getLong("bloomery.conformance.seed", 20261121);

  private static final Set<Rule> OF_EACH_BUILD =
      EnumSet.of(
          Rule.R02, Rule.R06, Rule.R08, Rule.R10, Rule.R26, Rule.R41, Rule.R45, Rule.R47, Rule.R48);

  @ParameterizedTest
  @CsvSource({"standard, 1", "split-block, 7"})
  void rulesThatNeedFewRoundTripsAreKept(String variant, int chunks) {
    check(variant, chunks, OF_EACH_BUILD);
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
              .run(new RedisProvider(variant, link, chunks));
      assertEquals(Set.of(), report.failures(), report::toString);
      for (Rule rule : rules) {
        assertEquals(false, report.outcome(rule).status() == ConformanceReport.Status.NOT_RUN);
      }
    }
  }
}
