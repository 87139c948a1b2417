package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Subject;
import io.bloomery.benchmarks.paired.Subject.Role;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The participants as sorted in tables: ours, peers, limits. */
final class Field {

  private static final Map<String, Subject> SUBJECTS =
      Subject.all().stream().collect(Collectors.toMap(Subject::name, Function.identity()));
  private static final List<String> ORDER =
      Subject.all().stream()
          .sorted(Comparator.comparing(subject -> side(subject.name())))
          .map(Subject::name)
          .toList();

  /** The side that a subject belongs to. */
  enum Side {
    OURS,
    PEER,
    LIMIT
  }

  private Field() {}

  static Side side(String name) {
    Subject subject = SUBJECTS.get(name);
    if (subject == null) {
      return Side.PEER;
    }
    return subject.ours() ? Side.OURS : subject.role() == Role.LIMIT ? Side.LIMIT : Side.PEER;
  }

  static List<String> sorted(Collection<String> names) {
    return names.stream().sorted(Comparator.comparingInt(ORDER::indexOf)).toList();
  }

  /**
   * Returns whether one of ours is expected to be as fast as a peer: both have the same role, or
   * the peer is Guava.
   */
  static boolean rivals(String ours, String peer) {
    if (side(ours) != Side.OURS || side(peer) != Side.PEER) {
      return false;
    }
    Subject other = SUBJECTS.get(peer);
    return peer.equals(Subject.REFERENCE)
        || (other != null && other.role() == SUBJECTS.get(ours).role());
  }

  /** Returns a name as written in tables. */
  static String label(String name) {
    return switch (side(name)) {
      case OURS -> "**" + name + "**";
      case PEER -> name;
      case LIMIT -> "*" + name + "*";
    };
  }
}
