package io.bloomery.cli.redis;

import io.bloomery.cli.foreign.LineSelector;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Json;
import io.bloomery.cli.session.Members;
import io.bloomery.cli.session.Promise;
import io.bloomery.cli.session.Session;
import io.bloomery.cli.session.Urls;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.interop.ForeignFilter;
import io.bloomery.interop.ForeignFormat;
import io.bloomery.redis.JedisLink;
import io.bloomery.redis.RedisFilter;
import io.bloomery.redis.RedisFilters;
import io.bloomery.redis.RedisMemory;
import io.bloomery.redis.RedisOptions;
import io.bloomery.redis.RedissonExport;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A filter on a Redis server, named by the URL of the server and {@code ?filter=NAME}.
 *
 * @param url the URL to show to users, without a password
 */
public record RemoteFilter(String url, String server, String name) {

  static final String EXAMPLE = "redis://localhost:6379/0?filter=seen";

  private static final Pattern SCHEME = Pattern.compile("rediss?(-cluster|-sentinel)?://.*");
  private static final Pattern OF_A_FILTER =
      Pattern.compile(
          "(?<server>rediss?(-cluster|(?<sentinel>-sentinel))?://((?!\\?filter=).)*)\\?filter=(?<name>[^#?&]+)"
              + "(?<primary>#.*)?");

  /** Those characters of a name that mean something else in a URL. */
  private static final Pattern ESCAPED = Pattern.compile("[%&#?]");

  /** An operation on the filters of a server. */
  interface Action<T> {
    T with(RedisFilters filters, String name) throws Failure, IOException;
  }

  /** Returns whether an argument names a filter on a server and not a file. */
  static boolean isNamedBy(String argument) {
    return SCHEME.matcher(argument).matches();
  }

  /**
   * Parses a URL.
   *
   * @throws Failure if it does not name a filter
   */
  static RemoteFilter of(String argument) throws Failure {
    String shown = Urls.withoutLogin(argument);
    Matcher url = OF_A_FILTER.matcher(argument);
    if (!url.matches() || (url.group("primary") != null && url.group("sentinel") == null)) {
      throw Failure.usage(
          shown
              + " must be the URL of a filter on a Redis server, such as "
              + EXAMPLE
              + ", with %25, %26, %23 and %3F for %, &, # and ? in the name");
    }
    return new RemoteFilter(
        shown,
        url.group("server") + Objects.requireNonNullElse(url.group("primary"), ""),
        decoded(shown, url.group("name")));
  }

  private static String decoded(String url, String name) throws Failure {
    try {
      return URLDecoder.decode(name.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      throw Failure.usage(url + " must have %25 for each % in the name");
    }
  }

  /** Returns the name of a filter as a URL has it. */
  static String inUrl(String name) {
    return ESCAPED
        .matcher(name)
        .replaceAll(found -> String.format(Locale.ROOT, "%%%02X", (int) found.group().charAt(0)));
  }

  /**
   * Parses the URL of a server, without a filter.
   *
   * @throws Failure if it is none, or names a filter
   */
  static RemoteFilter server(String argument) throws Failure {
    if (!isNamedBy(argument) || argument.contains("?")) {
      throw Failure.usage(
          "%s must be the URL of a Redis server, without a filter, such as %s",
          Urls.withoutLogin(argument), EXAMPLE.substring(0, EXAMPLE.indexOf('?')));
    }
    return new RemoteFilter(Urls.withoutLogin(argument), argument, "");
  }

  /**
   * Returns the filter that an argument names, or nothing if the argument is a file.
   *
   * @throws Failure if the argument is a URL that does not name a filter
   */
  public static Optional<RemoteFilter> namedBy(String argument) throws Failure {
    return Urls.isUrl(argument) ? Optional.of(of(argument)) : Optional.empty();
  }

  /** Compares the spec of a filter with the options of the command. */
  public interface Check {
    void accept(FilterSpec spec) throws Failure;
  }

  /**
   * Opens the filter for queries, over a connection that lasts as long as the command.
   *
   * @throws Failure if {@code check} rejects the filter, or the server cannot answer
   */
  public LineSelector asked(Check check) throws Failure {
    RedisFilter filter;
    try {
      filter = RedisFilters.of(JedisLink.connect(server)).open(name);
    } catch (RuntimeException e) {
      throw failure(e);
    }
    check.accept(filter.spec());
    return (batch, hits) -> {
      try {
        return filter.select(batch.hashes(), 0, batch.size(), hits);
      } catch (RuntimeException e) {
        throw failure(e);
      }
    };
  }

  /**
   * Reads the filter of this name that another system has on the server.
   *
   * @throws Failure if there is none, or the server cannot answer
   */
  public ForeignFilter read(ForeignFormat format) throws Failure {
    if (format != ForeignFormat.REDISSON) {
      throw Failure.usage(
          "%s may be a filter of --format %s, but --format is %s; name a file of it",
          url, ForeignFormat.REDISSON, format);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JedisLink link = JedisLink.connect(server)) {
      RedissonExport.write(link, name, bytes);
      return format.read(bytes.toByteArray());
    } catch (RuntimeException e) {
      throw failure(e);
    } catch (IOException e) {
      throw Failure.file(url, e.getMessage());
    }
  }

  /**
   * Performs an operation on the filters of the server.
   *
   * @throws Failure if there is no server, or it cannot answer
   */
  <T> T connected(Action<T> action) throws Failure, IOException {
    return connected(RedisOptions.defaults(), action);
  }

  /** Performs an operation on the filters of the server, with options. */
  <T> T connected(RedisOptions options, Action<T> action) throws Failure, IOException {
    try (JedisLink link = JedisLink.connect(server)) {
      return action.with(RedisFilters.of(link, options), name);
    } catch (RuntimeException e) {
      throw failure(e);
    }
  }

  /** Says what a new filter takes on each primary, before it is begun. */
  void sayMemory(Session session, List<RedisMemory> memory) {
    memory.forEach(each -> session.say("%s: %s", url, each));
  }

  /** Reports what was done to the filter, and returns the exit code: whether it has outgrown. */
  int report(
      Session session,
      boolean json,
      Promise promise,
      Members more,
      String sentence,
      Object... values)
      throws IOException {
    report(session, json, more.with("outgrown", promise.isOutgrown()), sentence, values);
    return promise.report(
        session, url, "make it larger, as with 'bloomery redis rebuild --expected N'");
  }

  /** Reports what was done: as a JSON object with the URL and {@code more}, or in a sentence. */
  void report(Session session, boolean json, Members more, String sentence, Object... values)
      throws IOException {
    if (json) {
      Json.print(session, new Members().with("url", url).with(more));
    } else {
      session.say("%s: %s", url, String.format(Locale.ROOT, sentence, values));
    }
  }

  private Failure failure(RuntimeException e) {
    if (e instanceof FilterUnavailableException) {
      return Failure.file(url, e.getMessage());
    }
    if (e instanceof IllegalArgumentException || e instanceof IllegalStateException) {
      return Failure.usage(url + ": " + e.getMessage());
    }
    throw e;
  }
}
