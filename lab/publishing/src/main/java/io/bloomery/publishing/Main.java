package io.bloomery.publishing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks a Maven repository in a folder, and prints a table: {@code Main REPOSITORY SECOND
 * STRANGERS}.
 *
 * <p>The last argument is a file of lines, each with an artifact, a space and the name of a project
 * that used it from that repository. The exit status is 1 if there are problems, which are printed
 * above the table.
 */
public final class Main {

  private Main() {}

  /** Checks the repository given by two folders and a file. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 3) {
      System.err.println("usage: Main REPOSITORY SECOND-REPOSITORY STRANGERS");
      System.exit(2);
    }
    RepositoryCheck check = new RepositoryCheck(Path.of(arguments[0]), Path.of(arguments[1]));
    List<RepositoryCheck.Row> rows = check.rows();
    List<String> findings = new ArrayList<>();
    if (rows.isEmpty()) {
      findings.add("nothing is published in " + arguments[0]);
    }
    for (RepositoryCheck.Row row : rows) {
      String name = row.artifact().name();
      row.sbom().forEach(finding -> findings.add(name + ": " + finding));
      row.different().forEach(finding -> findings.add(name + ": " + finding));
    }
    Map<String, Set<String>> users = users(Path.of(arguments[2]));
    for (RepositoryCheck.Row row : rows) {
      if (!users.containsKey(row.artifact().name())) {
        findings.add(row.artifact().name() + ": no stranger's project used it");
      }
    }
    findings.forEach(System.err::println);
    System.out.print(table(rows, users));
    System.exit(findings.isEmpty() ? 0 : 1);
  }

  static Map<String, Set<String>> users(Path file) throws IOException {
    Map<String, Set<String>> users = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", 2);
      users.computeIfAbsent(words[0], name -> new TreeSet<>()).add(words[1]);
    }
    return users;
  }

  static String table(List<RepositoryCheck.Row> rows, Map<String, Set<String>> users) {
    StringBuilder table = new StringBuilder(line("artifact", "SBOM", "reproducible", "used by"));
    for (RepositoryCheck.Row row : rows) {
      table.append(
          line(
              row.artifact().name(),
              row.sbom().isEmpty() ? "yes" : "WRONG",
              row.different().isEmpty() ? "yes" : "NO",
              String.join(", ", users.getOrDefault(row.artifact().name(), Set.of("NOBODY")))));
    }
    return table.toString();
  }

  private static String line(Object... cells) {
    return String.format(Locale.ROOT, "%-30s %-5s %-12s %s\n", cells);
  }
}
