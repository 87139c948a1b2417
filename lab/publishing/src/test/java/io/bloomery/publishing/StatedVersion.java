package io.bloomery.publishing;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which version pages tell users to depend on, and where they get it from. */
final class StatedVersion {

  private static final String BEFORE =
      """
      Nothing has been released yet. Until then, install it from this checkout into your local Maven repository:

      ```sh
      mvn install -DskipTests
      ```

      Then import the BOM and depend on""";

  private static final String AFTER = "Releases are on Maven Central. Import the BOM and depend on";

  /** Behind an artifact of ours: in XML its version, or in one line with it. */
  private static final Pattern VERSION =
      Pattern.compile(
          "(<artifactId>bloomery-[a-z-]+</artifactId>\\s*<version>)[^<]*(?=</version>)"
              + "|(io\\.bloomery:bloomery-[a-z-]+:)[0-9][A-Za-z0-9.-]*");

  private final String released;
  private final String current;

  /**
   * Takes the two versions that the root pom states.
   *
   * @param released empty while nothing has been released
   */
  StatedVersion(String released, String current) {
    this.released = released;
    this.current = current;
  }

  /** Returns a page as it has to be. */
  String in(String page) {
    String version = released.isEmpty() ? current : released;
    String text = released.isEmpty() ? page.replace(AFTER, BEFORE) : page.replace(BEFORE, AFTER);
    return VERSION
        .matcher(text)
        .replaceAll(
            found ->
                Matcher.quoteReplacement(
                    (found.group(1) == null ? found.group(2) : found.group(1)) + version));
  }

  static boolean saysWhereToGetIt(String page) {
    return page.contains(BEFORE) || page.contains(AFTER);
  }
}
