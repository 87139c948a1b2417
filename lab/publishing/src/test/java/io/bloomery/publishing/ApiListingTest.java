package io.bloomery.publishing;

import static java.util.function.Predicate.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what each published module offers with the listing of it that is committed; with {@code
 * -Dbloomery.record=true} writes the listings.
 */
class ApiListingTest {

  private static final int MAX_TYPES = 14;
  private static final Path LISTINGS = SourceTree.ROOT.resolve("docs/api");
  private static final String RECORD =
      "mvn test -pl lab/publishing -am -Dtest=ApiListingTest -Dbloomery.record=true"
          + " -DfailIfNoTests=false -Dsurefire.failIfNoSpecifiedTests=false";

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.bloomery.publishing.PublishedModule#withApi")
  void theListingThatIsCommittedIsWhatTheModuleOffers(PublishedModule module) throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add("# What this module offers to everybody. Not by hand: " + RECORD);
    lines.addAll(module.listing());
    Path listing = LISTINGS.resolve(module.name() + ".txt");
    if (Boolean.getBoolean("bloomery.record")) {
      Files.createDirectories(LISTINGS);
      Files.write(listing, lines);
    }
    List<String> committed = Files.exists(listing) ? Files.readAllLines(listing) : List.of();
    List<String> differences = new ArrayList<>();
    lines.stream().filter(not(committed::contains)).forEach(line -> differences.add("+" + line));
    committed.stream().filter(not(lines::contains)).forEach(line -> differences.add("-" + line));
    assertTrue(
        committed.equals(lines),
        () ->
            String.join("\n", differences)
                + "\nThe public API is not what "
                + SourceTree.ROOT.relativize(listing)
                + " says. If it should be so, for years: "
                + RECORD);
  }

  @Test
  void everyPublishedModuleHasAListingAndNothingElseHas() throws IOException {
    Set<String> expected =
        PublishedModule.withApi().stream()
            .map(module -> module.name() + ".txt")
            .collect(Collectors.toCollection(TreeSet::new));
    assertTrue(expected.size() > 10, expected::toString);
    try (Stream<Path> files = Files.list(LISTINGS)) {
      assertEquals(
          expected,
          files
              .map(file -> file.getFileName().toString())
              .collect(Collectors.toCollection(TreeSet::new)));
    }
  }

  /** The files are read on the class path, the descriptors on the module path. */
  @Test
  void serviceFilesNameTheProvidersThatDescriptorsName() throws IOException {
    int files = 0;
    for (PublishedModule module : PublishedModule.withApi()) {
      Path services = module.folder().resolve("src/main/resources/META-INF/services");
      List<String> named = new ArrayList<>();
      if (Files.isDirectory(services)) {
        try (Stream<Path> each = Files.list(services).sorted()) {
          for (Path file : each.toList()) {
            named.add(
                "  provides "
                    + file.getFileName()
                    + " with "
                    + String.join(", ", Files.readAllLines(file)));
          }
        }
      }
      List<String> listing = Files.readAllLines(LISTINGS.resolve(module.name() + ".txt"));
      if (listing.get(1).startsWith("module ")) {
        assertEquals(
            listing.stream().filter(line -> line.startsWith("  provides ")).toList(),
            named,
            module.name());
        files += named.size();
      }
    }
    assertTrue(files >= 6, "service files " + files);
  }

  private static List<String> linesOfApi() throws IOException {
    return Files.readAllLines(LISTINGS.resolve("io.bloomery.txt"));
  }

  @Test
  void typesThatUsersOfFiltersSeeAreFew() throws IOException {
    List<String> types =
        linesOfApi().stream()
            .filter(line -> line.matches("(@\\w+ )*public [a-z@ ]+io\\.bloomery\\.[A-Z].*"))
            .toList();
    assertTrue(!types.isEmpty() && types.size() <= MAX_TYPES, () -> types.size() + ": " + types);
  }

  @Test
  void onlyModulesOfThisProjectSeeWhatIsInternal() throws IOException {
    assertEquals(
        List.of(
            "  exports io.bloomery.internal to io.bloomery.blocked, io.bloomery.counting, io.bloomery.fuse,"
                + " io.bloomery.partitioned, io.bloomery.redis, io.bloomery.scalable, io.bloomery.standard,"
                + " io.bloomery.vector, io.bloomery.window",
            "  exports io.bloomery.internal.file to io.bloomery.guard, io.bloomery.interop,"
                + " io.bloomery.window",
            "  uses io.bloomery.internal.CellKernel",
            "  uses io.bloomery.internal.PairKernel",
            "  uses io.bloomery.internal.ProbeKernel"),
        linesOfApi().stream().filter(line -> line.contains("internal")).toList());
  }

  // What a listing must show, in a type of its own.

  interface Unseen {
    /** Seems to belong to whoever extends this type. */
    default void inherited() {}
  }

  @SuppressWarnings("unused")
  abstract static class Sample<K extends Comparable<? super K>> implements Unseen {

    public static final String NAME = "a name";
    protected final @Nullable String field = null;

    protected Sample(int number) {}

    public abstract <T> Map<K, ? extends @Nullable T> generic(Function<? super T, K> function)
        throws IOException;

    public byte @Nullable [] arrays(byte[] @Nullable [] bytes, String... more) {
      return null;
    }

    @Deprecated
    public static void old(Collection<?> any) {}

    void notOffered() {}

    private void notOfferedEither() {}
  }

  @Test
  void aListingShowsModifiersGenericsExceptionsConstantsAndNullness() {
    assertEquals(
        """
        abstract static class io.bloomery.publishing.ApiListingTest$Sample\
        <K extends Comparable<? super K>> implements io.bloomery.publishing.ApiListingTest$Unseen
          public static final String NAME = "a name"
          protected Sample(int)
          public byte @Nullable [] arrays(byte[] @Nullable [], String...)
          protected final @Nullable String field
          public abstract <T> java.util.Map<K, ? extends @Nullable T>\
         generic(java.util.function.Function<? super T, K>) throws java.io.IOException
          public default void inherited()
          @Deprecated public static void old(java.util.Collection<?>)
        """
            .strip(),
        String.join("\n", ApiListing.lines(Sample.class)));
  }
}
