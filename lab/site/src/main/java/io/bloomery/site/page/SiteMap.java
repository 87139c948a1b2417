package io.bloomery.site.page;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The pages of the site, in the order of its navigation. */
public final class SiteMap {

  private static final List<Group> GROUPS =
      List.of(
          new Group(
              "Filters",
              List.of(
                  PagePlan.of("index.html", "Start", "README.md"),
                  PagePlan.of("guide.html", "Using filters", "docs/guide.md"),
                  PagePlan.of("guard.html", "Guard", "docs/guard.md"),
                  PagePlan.of("choosing.html", "Choosing", "docs/choosing.md"),
                  PagePlan.fragment("sizing.html", "Size a filter"),
                  PagePlan.of("overlap.html", "Overlap", "docs/overlap.md"),
                  PagePlan.of("window.html", "Window", "docs/window.md"),
                  PagePlan.of("scale.html", "Beyond one table", "docs/scale.md"))),
          new Group(
              "Command and files",
              List.of(
                  PagePlan.of("command.html", "Command", "docs/command.md"),
                  PagePlan.of("cookbook.html", "Cookbook", "docs/cookbook.md"),
                  PagePlan.of("format.html", "File format", "docs/FORMAT.md"))),
          new Group(
              "Integrations",
              List.of(
                  PagePlan.of("redis.html", "Redis", "docs/redis.md"),
                  PagePlan.of("spark.html", "Spark", "docs/spark.md"),
                  PagePlan.of("streams.html", "Flink and Kafka Streams", "docs/streams.md"),
                  PagePlan.of("interop.html", "Other systems", "docs/interop.md"))),
          new Group(
              "Evidence",
              List.of(
                  PagePlan.of("performance.html", "Performance", "docs/performance.md"),
                  PagePlan.generated(
                      "performance-tables.html",
                      "Performance: all tables",
                      "lab/benchmarks/target/performance-tables.md"),
                  PagePlan.of("proof.html", "What proves what", "docs/proof.md"),
                  PagePlan.of("rates.html", "The planned rate", "docs/rates.md"),
                  PagePlan.of("peers.html", "Peers", "docs/peers.md"),
                  PagePlan.generated(
                      "peers-rules.html", "Peers: rule by rule", "lab/peers/target/peers-rules.md"),
                  PagePlan.of("rules.html", "Rules", "docs/RULES.md"),
                  PagePlan.of("reports.html", "Reports", "docs/conformance-report.md"))),
          new Group(
              "Project",
              List.of(
                  PagePlan.of("decisions.html", "Decisions", "docs/decisions.md"),
                  PagePlan.of("walks.html", "Walks through the code", "docs/walks.md"),
                  PagePlan.of("releasing.html", "Making a release", "docs/releasing.md"),
                  PagePlan.of("changes.html", "Changes", "CHANGELOG.md"),
                  PagePlan.of("contributing.html", "Contributing", "CONTRIBUTING.md"),
                  PagePlan.of("security.html", "Security", "SECURITY.md"))));

  /** Pages grouped in the navigation. */
  public record Group(String label, List<PagePlan> pages) {}

  private final List<Group> groups;

  /** Plans the pages that can be made of a checkout. */
  public SiteMap(Path root) {
    this.groups =
        GROUPS.stream()
            .map(
                group ->
                    new Group(
                        group.label(),
                        group.pages().stream().filter(plan -> plan.isIn(root)).toList()))
            .toList();
  }

  /** Returns all groups. */
  public List<Group> groups() {
    return groups;
  }

  /** Returns the pages of all groups. */
  public Stream<PagePlan> pages() {
    return groups.stream().flatMap(group -> group.pages().stream());
  }
}
