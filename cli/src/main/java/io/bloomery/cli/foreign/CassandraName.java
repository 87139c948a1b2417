package io.bloomery.cli.foreign;

import io.bloomery.interop.ForeignFormat;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names of Cassandra's files of filters, which alone have the version of their format: as
 * nb-1-big-Filter.db, or with the names of keyspace and table before it.
 */
final class CassandraName {

  private static final Pattern NAME =
      Pattern.compile("(?:.*-)?([a-z][a-z])-[0-9a-z_]+-(big-|bti-)?Filter\\.db");

  private CassandraName() {}

  /** Returns the format that a file has by its name, if it is such a name. */
  static Optional<ForeignFormat> format(Path file) {
    Path last = file.getFileName();
    Matcher name = NAME.matcher(last == null ? "" : last.toString());
    if (!name.matches()) {
      return Optional.empty();
    }
    char version = name.group(1).charAt(0);
    if (version > 'm' || "bti-".equals(name.group(2))) {
      return Optional.of(ForeignFormat.CASSANDRA_4);
    }
    if (version < 'j') {
      return Optional.empty(); // before 2.0
    }
    return Optional.of(version == 'm' ? ForeignFormat.CASSANDRA_3 : ForeignFormat.CASSANDRA_2);
  }
}
