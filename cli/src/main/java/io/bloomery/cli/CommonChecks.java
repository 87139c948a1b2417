package io.bloomery.cli;

import io.bloomery.cli.redis.TakesUrl;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Urls;
import java.nio.file.Path;
import java.util.Arrays;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** What is required of the arguments of every command, and not checked by picocli. */
final class CommonChecks {

  private CommonChecks() {}

  /**
   * Checks that only options that are lists are given more than once, and that no URL or empty name
   * is given for that of a file.
   *
   * @throws Failure if not
   */
  static void check(ParseResult parsed) throws Failure {
    for (ParseResult each = parsed; each != null; each = each.subcommand()) {
      for (ArgSpec argument : each.commandSpec().args()) {
        if (argument instanceof OptionSpec option) {
          // In a group, picocli takes the last one.
          checkOnce(option, each);
        }
        if (!takesUrl(argument, each)) {
          checkNoUrl(argument);
        }
        if (takesPath(argument)) {
          checkNotEmpty(argument);
        }
      }
    }
  }

  private static void checkOnce(OptionSpec option, ParseResult parsed) throws Failure {
    if (!option.isMultiValue() && option.originalStringValues().size() > 1) {
      throw Failure.usage(
          "option '%s' should be specified only once; try '%s --help'",
          option.longestName(), parsed.commandSpec().qualifiedName());
    }
  }

  private static boolean takesUrl(ArgSpec argument, ParseResult parsed) {
    if (argument instanceof PositionalParamSpec positional) {
      return positional.paramLabel().equals("URL")
          || (positional.index().min() == 0
              && parsed.commandSpec().userObject() instanceof TakesUrl);
    }
    return !takesPath(argument);
  }

  private static boolean takesPath(ArgSpec argument) {
    return Arrays.asList(argument.auxiliaryTypes()).contains(Path.class);
  }

  /** Refuses an empty name, which Java takes for the current folder. */
  private static void checkNotEmpty(ArgSpec argument) throws Failure {
    if (argument.originalStringValues().contains("")) {
      throw Failure.usage(
          name(argument) + " must not be empty; name a file, or . for the current folder");
    }
  }

  private static String name(ArgSpec argument) {
    return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
  }

  private static void checkNoUrl(ArgSpec argument) throws Failure {
    for (String value : argument.originalStringValues()) {
      if (Urls.isUrl(value)) {
        throw Failure.usage(
            "%s must be a file, not a URL, but was %s; of filters on a Redis server,"
                + " 'bloomery check' asks one, 'bloomery pull' and 'bloomery push' copy one to and"
                + " from a file, and 'bloomery redis --help' lists the rest",
            name(argument), value);
      }
    }
  }
}
