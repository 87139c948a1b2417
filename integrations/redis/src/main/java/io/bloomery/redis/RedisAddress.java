package io.bloomery.redis;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, a Cluster or a group of sentinels, with credentials, from a URI such as
 * {@code redis://user:password@host:6379/0}.
 */
record RedisAddress(
    Kind kind,
    boolean tls,
    @Nullable String user,
    @Nullable String password,
    List<Host> hosts,
    int database,
    String primary) {

  static final String FORMS =
      "redis://host:6379, redis-cluster://host:6379,host:6380 or"
          + " redis-sentinel://host:26379,host:26380/0#primary, with rediss in place of redis for"
          + " TLS, and user:password@ before the hosts";

  private static final int PORT = 6379;
  private static final int SENTINEL_PORT = 26379;

  enum Kind {
    SINGLE,
    CLUSTER,
    SENTINEL
  }

  record Host(String name, int port) {
    @Override
    public String toString() {
      return name + ":" + port;
    }
  }

  /** Returns the hosts, without what is secret. */
  String place() {
    return hosts.stream().map(Host::toString).collect(Collectors.joining(", "));
  }

  /**
   * Parses a URI.
   *
   * @throws IllegalArgumentException if the URI has none of the forms, which the message lists
   */
  static RedisAddress of(String uri) {
    int end = uri.indexOf("://");
    String scheme = end < 0 ? "" : uri.substring(0, end);
    boolean tls = scheme.startsWith("rediss");
    Kind kind =
        switch (tls ? "redis" + scheme.substring("rediss".length()) : scheme) {
          case "redis" -> Kind.SINGLE;
          case "redis-cluster" -> Kind.CLUSTER;
          case "redis-sentinel" -> Kind.SENTINEL;
          default -> throw refused(uri, "its scheme is none of these");
        };
    String rest = uri.substring(end + 3);
    String primary = "";
    int fragment = rest.indexOf('#');
    if (fragment >= 0) {
      primary = decoded(uri, rest.substring(fragment + 1));
      rest = rest.substring(0, fragment);
    }
    if (rest.indexOf('?', rest.lastIndexOf('@') + 1) >= 0) {
      throw refused(
          uri, "nothing may follow a ?: a filter's name and a time-out are arguments of their own");
    }
    int database = 0;
    int slash = rest.indexOf('/');
    if (slash >= 0) {
      database = database(uri, rest.substring(slash + 1));
      rest = rest.substring(0, slash);
    }
    String user = null;
    String password = null;
    int at = rest.lastIndexOf('@');
    if (at >= 0) {
      String login = rest.substring(0, at);
      int colon = login.indexOf(':');
      user = colon > 0 ? decoded(uri, login.substring(0, colon)) : null;
      password = decoded(uri, login.substring(colon + 1));
      rest = rest.substring(at + 1);
    }
    List<Host> hosts = new ArrayList<>();
    for (String host : rest.split(",", -1)) {
      hosts.add(host(uri, host, kind == Kind.SENTINEL ? SENTINEL_PORT : PORT));
    }
    if (kind == Kind.SINGLE && hosts.size() > 1) {
      throw refused(uri, "it names several hosts, but neither a Cluster nor sentinels");
    }
    if ((kind == Kind.SENTINEL) == primary.isEmpty()) {
      throw refused(uri, "#primary is needed for sentinels, and for nothing else");
    }
    if (kind == Kind.CLUSTER && database != 0) {
      throw refused(uri, "a Cluster has no database but 0");
    }
    return new RedisAddress(kind, tls, user, password, List.copyOf(hosts), database, primary);
  }

  private static int database(String uri, String text) {
    try {
      int database = text.isEmpty() ? 0 : Integer.parseInt(text);
      if (database >= 0) {
        return database;
      }
    } catch (NumberFormatException e) {
      // Rejected below.
    }
    throw refused(uri, "its database is no number");
  }

  private static Host host(String uri, String text, int port) {
    try {
      URI parsed = new URI("redis://" + text);
      if (parsed.getHost() != null) {
        return new Host(parsed.getHost(), parsed.getPort() < 0 ? port : parsed.getPort());
      }
    } catch (URISyntaxException e) {
      // Rejected below.
    }
    throw refused(uri, "one of its hosts is no host");
  }

  private static String decoded(String uri, String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) { // its message has characters of the password
      throw refused(uri, "a % is not followed by two hexadecimal digits; write %25 for it");
    }
  }

  private static IllegalArgumentException refused(String uri, String reason) {
    int at = uri.lastIndexOf('@'); // the part before it is secret
    return new IllegalArgumentException(
        "address must be "
            + FORMS
            + ", but was '"
            + (at < 0 ? uri : "..." + uri.substring(at))
            + "': "
            + reason);
  }
}
