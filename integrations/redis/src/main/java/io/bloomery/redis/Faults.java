package io.bloomery.redis;

import io.bloomery.filter.FilterUnavailableException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a server or the connection to it, in one sentence for each kind of fault,
 * whichever client found it. The clients' exceptions are told apart by what they say and by those
 * of the platform among their causes: the classes of one of the clients are not there.
 */
final class Faults {

  private static final String OF_A_CLUSTER =
      "is a node of a Cluster; connect with redis-cluster:// in the URI";

  private static final String REPLICA =
      "is a replica, which may lack what was put last; connect to its primary, or by sentinels,"
          + " which name it";

  private static final String TLS =
      "does not agree on TLS; use redis in place of rediss if it speaks without, or make this JVM"
          + " trust its certificate";

  private static final String ENDED =
      "has no connection to this client, or has ended it; try again when it is there";

  private static final String LATE =
      "does not reply within the client's time-out, 2 s unless another was given; try again when it"
          + " does";

  private static final String CLOSED =
      "cannot be asked, since the link to it is closed; open another link";

  /** A kind of fault that a server reports, known by words of its reply. */
  private record Reply(Pattern words, String sentence) {
    Reply(String words, String sentence) {
      this(Pattern.compile(words), sentence);
    }
  }

  private static final List<Reply> REPLIES =
      List.of(
          new Reply(
              "\\bWRONGPASS\\b|invalid password",
              "refuses the user or the password; correct them in the URI"),
          new Reply(
              "without any password configured",
              "has no password for the default user; leave it out of the URI"),
          new Reply("\\bNOAUTH\\b", "requires a password; put user:password@ before the hosts"),
          new Reply(
              "\\bNOPERM\\b|can't run this command|ACL failure in script",
              "does not permit it; give the user the permissions that docs/redis.md lists"),
          new Reply("\\bREADONLY\\b|\\bMASTERDOWN\\b", REPLICA),
          new Reply(
              "\\bNOREPLICAS\\b",
              "has fewer replicas than its min-replicas-to-write, as after another was promoted in"
                  + " its place; connect to the primary that serves, or wait for its replicas"),
          new Reply(
              "DB index is out of range|invalid DB index",
              "has no database of this number; correct it in the URI"),
          new Reply("\\bLOADING\\b", "is still loading its data; wait until it has"),
          new Reply(
              "\\bOOM\\b",
              "has no memory left for writes; raise its maxmemory, or delete what is not needed"),
          new Reply(
              "\\bBUSY\\b",
              "is busy with a script of another client; wait, or end that by SCRIPT KILL"),
          new Reply(
              "\\bCLUSTERDOWN\\b",
              "is in a Cluster that is down or lacks slots; wait, or mend what CLUSTER INFO says"),
          new Reply(
              "cluster support disabled", "is not in a Cluster; connect with redis:// in the URI"));

  /** A kind of fault of a connection, known by any of the exceptions that came of it. */
  private record Failure(Predicate<Throwable> is, String sentence) {}

  private static final List<Failure> FAILURES =
      List.of(
          new Failure(
              // Also those of Lettuce and Netty.
              e -> e.getClass().getSimpleName().endsWith("TimeoutException"),
              LATE),
          new Failure(
              e -> e instanceof UnknownHostException || e instanceof UnresolvedAddressException,
              "has an unknown host; correct its name"),
          new Failure(SSLException.class::isInstance, TLS),
          new Failure(
              e -> says(e, "Unknown reply") || says(e, "Invalid first byte"),
              "does not speak the protocol of Redis; correct the port, or use rediss for TLS"),
          new Failure(
              ConnectException.class::isInstance,
              "refuses the connection; start it, or correct host and port"),
          new Failure(
              e -> says(e, "not monitored") || says(e, "using sentinel for masterId"),
              "is sentinels that do not monitor the primary after # in the URI; correct its name"),
          new Failure(e -> says(e, "Pool not open") || says(e, "Connection is closed"), CLOSED),
          new Failure(
              e ->
                  e instanceof IOException
                      || says(e, "end of stream")
                      || says(e, "closed prematurely")
                      || says(e, "disconnected")
                      || says(e, "not connected"),
              ENDED));

  private Faults() {}

  private static boolean says(Throwable e, String words) {
    return String.valueOf(e.getMessage()).contains(words);
  }

  /** Returns what to throw for the failure of a connection. */
  static FilterUnavailableException of(String node, Throwable failure) {
    return connecting(node, false, failure);
  }

  /** Returns what to throw for the failure to connect, by TLS or without. */
  static FilterUnavailableException connecting(String node, boolean tls, Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof FilterUnavailableException known) {
      return known;
    }
    String sentence = sentence(cause);
    return new FilterUnavailableException(
        answer(node) + (tls && sentence.equals(ENDED) ? TLS : sentence), cause);
  }

  /** Returns whether a connection was ended before its server had answered, as far as is told. */
  static boolean isEndedEarly(Throwable failure) {
    return all(failure).stream().anyMatch(e -> says(e, "closed prematurely"));
  }

  private static Set<Throwable> all(Throwable failure) {
    Set<Throwable> all = Collections.newSetFromMap(new IdentityHashMap<>());
    collect(failure, all);
    return all;
  }

  private static String sentence(Throwable failure) {
    Set<Throwable> all = all(failure);
    return Stream.concat(
            REPLIES.stream()
                .filter(
                    reply ->
                        all.stream()
                            .map(e -> String.valueOf(e.getMessage()))
                            .anyMatch(reply.words().asPredicate()))
                .map(Reply::sentence),
            FAILURES.stream()
                .filter(fault -> all.stream().anyMatch(fault.is()))
                .map(Failure::sentence))
        .findFirst()
        .orElseGet(() -> "does not answer: " + failure.getMessage());
  }

  private static void collect(@Nullable Throwable failure, Set<Throwable> all) {
    if (failure != null && all.add(failure)) {
      collect(failure.getCause(), all);
      for (Throwable suppressed : failure.getSuppressed()) {
        collect(suppressed, all);
      }
    }
  }

  /** Returns what to throw for the refusal of a command, or of a script on a key. */
  static FilterUnavailableException of(String node, String refused, RedisErrorReply error) {
    return new FilterUnavailableException(
        answer(node)
            + REPLIES.stream()
                .filter(reply -> reply.words().matcher(error.message()).find())
                .findFirst()
                .map(reply -> reply.sentence() + " (" + refused + ": " + error.message() + ")")
                .orElseGet(() -> "refuses " + refused + ": " + error.message()));
  }

  /** Returns what to throw for a server that is a replica. */
  static FilterUnavailableException replica(String node) {
    return new FilterUnavailableException(answer(node) + REPLICA);
  }

  /** Returns what to throw for a redirection where the link knows no Cluster. */
  static FilterUnavailableException ofACluster(String node) {
    return new FilterUnavailableException(answer(node) + OF_A_CLUSTER);
  }

  /** Returns what to throw for a call after the link was closed. */
  static FilterUnavailableException closed(String node) {
    return new FilterUnavailableException(answer(node) + CLOSED);
  }

  /** Returns what to throw if there is no time left to wait for a server. */
  static FilterUnavailableException late(String node) {
    return new FilterUnavailableException(answer(node) + LATE);
  }

  /** Returns what to throw if the calling thread is interrupted while it waits for a connection. */
  static FilterUnavailableException interrupted(String node, InterruptedException cause) {
    return new FilterUnavailableException(
        answer(node) + "was not asked: the thread was interrupted while it waited; ask again",
        cause);
  }

  private static String answer(String node) {
    return "cannot answer: Redis at " + node + " ";
  }
}
