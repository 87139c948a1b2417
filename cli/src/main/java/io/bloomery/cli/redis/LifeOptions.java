package io.bloomery.cli.redis;

import io.bloomery.cli.option.TimeConverter;
import io.bloomery.cli.session.Failure;
import io.bloomery.redis.RedisOptions;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How long a filter lives on a server. */
final class LifeOptions {

  @Option(
      names = "--expire-after",
      paramLabel = "T",
      converter = TimeConverter.class,
      description =
          "Let the filter expire, as a whole, a time after it is complete, such as 90m, 36h or 7d"
              + " (default: it lives as long as the one whose place it takes, or has no end).")
  private Duration life;

  @Option(
      names = "--renewed-by-puts",
      description = "Let what programs put into it begin that time anew.")
  private boolean renewed;

  RedisOptions options() throws Failure {
    if (life == null) {
      if (renewed) {
        throw Failure.usage("--renewed-by-puts needs a time to begin anew; give --expire-after T");
      }
      return RedisOptions.defaults();
    }
    return Failure.usageIfRefused(
        () ->
            renewed
                ? RedisOptions.defaults().expireAfterPut(life)
                : RedisOptions.defaults().expireAfter(life));
  }
}
