package io.bloomery.cli.foreign;

import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.Likeness;
import io.bloomery.cli.session.Session;
import io.bloomery.interop.ForeignFormat;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** The names of the formats of other systems, and the parsing of them. */
public final class ForeignNames {

  private static final int MOST = 40; // a file may have any number of columns

  /** The names of the formats, for the help and for completion by a shell. */
  public static final class Formats implements Iterable<String> {

    @Override
    public Iterator<String> iterator() {
      return formats().iterator();
    }
  }

  private ForeignNames() {}

  private static List<String> formats() {
    return Arrays.stream(ForeignFormat.values()).map(ForeignFormat::id).toList();
  }

  /**
   * Returns the format with a name.
   *
   * @throws Failure if there is none
   */
  public static ForeignFormat format(Session session, String option, String name) throws Failure {
    for (ForeignFormat format : ForeignFormat.values()) {
      if (format.id().equals(name)) {
        return format;
      }
    }
    if (session.bloomery().providers().variants().contains(name)) {
      throw Failure.usage(
          option
              + " must name a format of another system, but '"
              + name
              + "' is a variant of Bloomery's own, which hashes keys like no other; "
              + (option.equals(ForeignOptions.FORMAT)
                  ? "leave the option out"
                  : "make the filter again from its keys, as in 'bloomery create --variant "
                      + name
                      + " -o FILE KEYS'"));
    }
    throw unknown(option, name, formats());
  }

  /**
   * Returns the failure for an unknown name, which suggests the most similar name or else lists
   * all.
   */
  static Failure unknown(String option, String name, List<String> names) {
    return Failure.usage(
        option
            + " has no '"
            + name
            + "'; "
            + Likeness.nearest(name, names)
                .map(near -> "did you mean '" + near + "'?")
                .orElse("it must be one of " + listed(names)));
  }

  private static String listed(List<String> names) {
    return names.size() <= MOST
        ? String.join(", ", names)
        : String.join(", ", names.subList(0, MOST)) + " and " + (names.size() - MOST) + " others";
  }
}
