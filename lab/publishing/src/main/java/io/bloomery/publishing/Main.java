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
 * Checks a Maven repository in a folder, and prints a table: {@code Main REPOSITORY STRANGERS}.
 *
 * <p>The last argument is a file of lines, each with an artifact, a space and the name of a project
 * that used it from that repository. The exit status is 1 if there are problems, which are printed
 * above the table.
 */
public final class Main {

  private Main() {}

  /** Checks the repository given by a folder and a file. */
  public static void main(String[] arguments) throws IOException {
    if (arguments.length != 2) {
      System.err.println("usage: Main REPOSITORY STRANGERS");
      System.exit(2);
    }
    Map<String, Set<String>> users = users(Path.of(arguments[1]));
    List<String> findings = new ArrayList<>();
    StringBuilder table = new StringBuilder(line("artifact", "SBOM", "used by"));
    List<Artifact> artifacts = Artifact.in(Path.of(arguments[0]));
    if (artifacts.isEmpty()) {
      findings.add("nothing is published in " + arguments[0]);
    }
    for (Artifact artifact : artifacts) {
      List<String> sbom = SbomCheck.findings(artifact);
      Set<String> used = users.getOrDefault(artifact.name(), Set.of());
      sbom.forEach(finding -> findings.add(artifact.name() + ": " + finding));
      if (used.isEmpty()) {
        findings.add(artifact.name() + ": no stranger's project used it");
      }
      table.append(
          line(
              artifact.name(),
              sbom.isEmpty() ? "yes" : "WRONG",
              used.isEmpty() ? "NOBODY" : String.join(", ", used)));
    }
    findings.forEach(System.err::println);
    System.out.print(table);
    System.exit(findings.isEmpty() ? 0 : 1);
  }

  private static Map<String, Set<String>> users(Path file) throws IOException {
    Map<String, Set<String>> users = new TreeMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", 2);
      users.computeIfAbsent(words[0], name -> new TreeSet<>()).add(words[1]);
    }
    return users;
  }

  private static String line(String artifact, String sbom, String users) {
    return String.format(Locale.ROOT, "%-30s %-5s %s\n", artifact, sbom, users);
  }
}
