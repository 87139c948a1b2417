package io.bloomery.cli.session;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Names that other tools, or other commands of this one, use for the options of a command. Names
 * with the same meaning need not be similar: of ours, "--attribute" is most similar to "--rate".
 */
final class OtherNames {

  /** Our names and those that mean the same; a command has at most one of ours in a row. */
  private static final Map<String, String> OTHERS =
      Map.ofEntries(
          Map.entry(
              "--fpp",
              "--rate --error --error-rate --false-positive-rate --false-positive-probability"
                  + " --false-positives --fp --fpr --fp-rate --probability --precision -p"),
          Map.entry(
              "--expected --keys",
              "--expected --expected-keys --expected-insertions --expected-elements"
                  + " --expected-items --expect --keys --capacity --elements --items --entries"
                  + " --size -n"),
          Map.entry("--max-bytes --bytes", "--memory --max-memory --max-size"),
          Map.entry("--variant --provider", "--type --kind --variant"),
          Map.entry("--output", "--out"),
          Map.entry("--force", "--overwrite -f"),
          Map.entry("--ignore-case", "--insensitive"),
          Map.entry("--csv", "--column --field"),
          Map.entry("--delimiter", "--separator"),
          Map.entry("--secret-file", "--secret --key-file"));

  private OtherNames() {}

  /**
   * Returns the option of the command that an argument, {@code --name} or {@code --name=value}, may
   * stand for.
   */
  static Optional<String> ours(String argument, Set<String> options) {
    String name = argument.split("=", 2)[0];
    return OTHERS.entrySet().stream()
        .filter(row -> List.of(row.getValue().split(" ")).contains(name))
        .flatMap(row -> Stream.of(row.getKey().split(" ")))
        .filter(options::contains)
        .findFirst();
  }
}
