package io.bloomery.benchmarks.report;

import io.bloomery.benchmarks.paired.Entrant;
import io.bloomery.benchmarks.paired.Entrant.Role;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Those who take part, as tables and charts sort them: ours, peers, limits. */
final class Field {

  private static final Map<String, Entrant> ENTRANTS =
      Entrant.all().stream().collect(Collectors.toMap(Entrant::name, Function.identity()));
  private static final List<String> ORDER =
      Entrant.all().stream()
          .sorted(Comparator.comparing(entrant -> side(entrant.name())))
          .map(Entrant::name)
          .toList();

  /** Whom an entrant stands for. */
  enum Side {
    OURS,
    PEER,
    LIMIT
  }

  private Field() {}

  static Side side(String name) {
    Entrant entrant = ENTRANTS.get(name);
    if (entrant == null) {
      return Side.PEER;
    }
    return entrant.ours() ? Side.OURS : entrant.role() == Role.LIMIT ? Side.LIMIT : Side.PEER;
  }

  static List<String> sorted(Collection<String> names) {
    return names.stream().sorted(Comparator.comparingInt(ORDER::indexOf)).toList();
  }

  /** Returns whether one of ours has to be as fast as a peer: both do the same, or it is Guava. */
  static boolean rivals(String ours, String peer) {
    if (side(ours) != Side.OURS || side(peer) != Side.PEER) {
      return false;
    }
    Entrant other = ENTRANTS.get(peer);
    return peer.equals(Entrant.REFERENCE)
        || (other != null && other.role() == ENTRANTS.get(ours).role());
  }

  /** Returns a name as tables write it. */
  static String label(String name) {
    return switch (side(name)) {
      case OURS -> "**" + name + "**";
      case PEER -> name;
      case LIMIT -> "*" + name + "*";
    };
  }
}
