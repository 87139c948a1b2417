package io.bloomery.redis;

import static io.bloomery.redis.Servers.Client.JEDIS;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Verdict;
import io.bloomery.conformance.ConformanceRunner;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.run.Tier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The rules on filters of a real server. Each call takes a round trip there: a build checks a tenth
 * of the rules, drawn, on one that is cut into small chunks, in the tier that has few, and a night
 * all of them, on whole ones as well, in the next. How many these are is told in {@code
 * docs/decisions.md}.
 */
@Execution(ExecutionMode.CONCURRENT)
class RedisConformanceTest {

  private static final long SEED = Long.getLong("bloomery.conformance.seed", 20261121);

  /** How long a rule may go on: some make a million puts between two signs of life. */
  private static final Duration LIMIT = Duration.ofMinutes(15);

  @Test
  void drawnRulesAreKept() {
    List<Rule> rules = new ArrayList<>(List.of(Rule.values()));
    Collections.shuffle(rules, Servers.draw());
    check("blocked", 7, Tier.SMOKE, Set.copyOf(rules.subList(0, rules.size() / 10)));
  }

  @ParameterizedTest
  @CsvSource({"standard, 1", "blocked, 1", "blocked, 7"})
  @Tag("nightly")
  void allRulesAreKeptByMore(String variant, int chunks) {
    check(variant, chunks, Tier.QUICK, EnumSet.allOf(Rule.class));
  }

  private static void check(String variant, int chunks, Tier tier, Set<Rule> rules) {
    RedisServer server = Servers.shared(RedisServer.Release.SEVEN);
    try (RedisLink link = JEDIS.connect(server.uri())) {
      ConformanceReport report =
          new ConformanceRunner()
              .tier(tier)
              .rules(rules)
              .seed(SEED)
              .limit(LIMIT)
              .run(new RedisProvider(variant, link, chunks));
      System.out.println(report.summary());
      assertEquals(Verdict.PASS, report.verdict(), report::toString);
    }
  }
}
