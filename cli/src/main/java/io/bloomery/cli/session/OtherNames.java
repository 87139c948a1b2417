package io.bloomery.cli.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Names that other tools, or other commands of this one, use for the options of a command. Names
 * with the same meaning need not be similar: of ours, "--attribute" is most similar to "--rate".
 */
final class OtherNames {

  private static final List<String> RATE = List.of("--fpp");
  private static final List<String> KEYS = List.of("--expected", "--keys");
  private static final List<String> MEMORY = List.of("--max-bytes", "--bytes");

  /** The options that a name may stand for; a command has at most one of them. */
  private static final Map<String, List<String>> OURS =
      Map.ofEntries(
          Map.entry("--rate", RATE),
          Map.entry("--error", RATE),
          Map.entry("--error-rate", RATE),
          Map.entry("--false-positive-rate", RATE),
          Map.entry("--false-positive-probability", RATE),
          Map.entry("--false-positives", RATE),
          Map.entry("--fp", RATE),
          Map.entry("--fpr", RATE),
          Map.entry("--fp-rate", RATE),
          Map.entry("--probability", RATE),
          Map.entry("--precision", RATE),
          Map.entry("-p", RATE),
          Map.entry("--expected", KEYS),
          Map.entry("--expected-keys", KEYS),
          Map.entry("--expected-insertions", KEYS),
          Map.entry("--expected-elements", KEYS),
          Map.entry("--expected-items", KEYS),
          Map.entry("--expect", KEYS),
          Map.entry("--keys", KEYS),
          Map.entry("--capacity", KEYS),
          Map.entry("--elements", KEYS),
          Map.entry("--items", KEYS),
          Map.entry("--entries", KEYS),
          Map.entry("--size", KEYS),
          Map.entry("-n", KEYS),
          Map.entry("--memory", MEMORY),
          Map.entry("--max-memory", MEMORY),
          Map.entry("--max-size", MEMORY),
          Map.entry("--type", List.of("--variant", "--provider")),
          Map.entry("--kind", List.of("--variant", "--provider")),
          Map.entry("--variant", List.of("--provider")),
          Map.entry("--out", List.of("--output")),
          Map.entry("--overwrite", List.of("--force")),
          Map.entry("-f", List.of("--force")),
          Map.entry("--insensitive", List.of("--ignore-case")),
          Map.entry("--column", List.of("--csv")),
          Map.entry("--field", List.of("--csv")),
          Map.entry("--separator", List.of("--delimiter")),
          Map.entry("--secret", List.of("--secret-file")),
          Map.entry("--key-file", List.of("--secret-file")));

  private OtherNames() {}

  /**
   * Returns the option of the command that an argument, {@code --name} or {@code --name=value}, may
   * stand for.
   */
  static Optional<String> ours(String argument, Set<String> options) {
    String name = argument.split("=", 2)[0];
    return OURS.getOrDefault(name, List.of()).stream().filter(options::contains).findFirst();
  }
}
