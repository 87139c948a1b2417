package io.bloomery.site;

import io.bloomery.site.link.BrokenLinkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Generates the site from the command line of the build. */
public final class Main {

  private Main() {}

  /**
   * Generates the site.
   *
   * @param args the root of the repository, the output folder, the version of the library, and the
   *     address of the public repository, which may be empty
   */
  public static void main(String[] args) throws IOException, BrokenLinkException {
    if (args.length != 4) {
      throw new IllegalArgumentException(
          "there must be 4 arguments, root, folder, version and repository, but are "
              + args.length);
    }
    Path folder = Path.of(args[1]);
    boolean javadoc = Files.exists(folder.resolve("api/index.html"));
    new SiteBuild(Path.of(args[0]), folder, args[2], address(args[3]), javadoc).run();
  }

  /** Returns an address from a pom; Maven does not replace unknown properties. */
  private static Optional<String> address(String named) {
    return named.startsWith("http") ? Optional.of(named.replaceAll("/$", "")) : Optional.empty();
  }
}
