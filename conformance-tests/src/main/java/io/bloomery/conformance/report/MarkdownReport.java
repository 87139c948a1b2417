package io.bloomery.conformance.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** A report as Markdown, generated only from its JSON. */
final class MarkdownReport {

  private static final Map<String, String> VERDICTS =
      Map.of(
          "PASS", "It keeps every rule that applies to it, of those asked for.",
          "FAIL", "It breaks a rule.",
          "INCONCLUSIVE", "The run tested nothing: a rule was not run, or there are doubts.");

  private static final Set<String> FAILURES = Set.of("BROKEN", "NOT_RUN");

  private final StringBuilder page = new StringBuilder();
  private final JsonObject result;
  private final JsonObject run;
  private final Map<String, JsonObject> runs = new TreeMap<>();

  private MarkdownReport(JsonObject report) throws IOException {
    this.result = report.object("result");
    this.run = report.object("run");
    for (JsonObject rule : run.objects("rules")) {
      runs.put(rule.text("id"), rule);
    }
  }

  /**
   * Generates the report from a file written earlier.
   *
   * @throws IOException if it cannot be read, is not a report, or was modified
   */
  static String of(Path json) throws IOException {
    byte[] bytes = Files.readAllBytes(json);
    try {
      return of(JsonBytes.parse(bytes));
    } catch (IOException e) {
      throw new IOException("a conformance report " + e.getMessage() + ": " + json, e);
    }
  }

  /**
   * Generates the report from an object.
   *
   * @throws IOException if it is not a report, or was modified
   */
  static String of(JsonObject report) throws IOException {
    long schema = report.count("schema");
    if (schema != JsonReport.SCHEMA) {
      throw new IOException(
          "must have schema " + JsonReport.SCHEMA + ", but has " + schema + "; use its release");
    }
    String sha256 = JsonBytes.sha256(report.object("result"));
    if (!sha256.equals(report.text("sha256"))) {
      throw new IOException(
          "must be as it was written, but its result has the SHA-256 "
              + sha256
              + " instead of "
              + report.text("sha256"));
    }
    return new MarkdownReport(report).page(sha256);
  }

  private String page(String sha256) throws IOException {
    String verdict = result.text("verdict");
    if (!VERDICTS.containsKey(verdict)) {
      throw new IOException("must have a verdict of " + new TreeMap<>(VERDICTS).keySet());
    }
    String variant = MarkdownTable.escaped(result.object("provider").text("variant"));
    page.append("# Conformance of ").append(variant).append("\n\n");
    verbatim(run.text("summary"));
    page.append("**").append(verdict).append("**: ").append(VERDICTS.get(verdict)).append("\n\n");
    page.append(identity(sha256)).append('\n');
    failures();
    doubts();
    coverage();
    rules();
    rates();
    inputs();
    races();
    notes();
    return page.toString().stripTrailing() + '\n';
  }

  /** Adds lines that are displayed verbatim. */
  private void verbatim(String text) {
    text.lines()
        .map(line -> line.replaceAll("\\p{Cntrl}", " ").stripTrailing())
        .forEach(line -> page.append(line.isEmpty() ? "" : "    " + line).append('\n'));
    page.append('\n');
  }

  private void heading(String heading) {
    page.append("## ").append(heading).append("\n\n");
  }

  private MarkdownTable identity(String sha256) throws IOException {
    JsonObject provider = result.object("provider");
    JsonObject suite = result.object("suite");
    JsonObject java = run.object("java");
    JsonObject system = run.object("system");
    MarkdownTable table = new MarkdownTable("Run", "");
    table.row("Provider", provider.text("class") + ", " + code(provider));
    table.row("Capabilities", listed(provider.texts("capabilities")));
    table.row("Suite", code(suite));
    table.row("Tier", result.text("tier"));
    table.row("Seed", result.text("seed"));
    if (!result.texts("freshSeeds").isEmpty()) {
      table.row("Fresh seeds", listed(result.texts("freshSeeds")));
    }
    table.row("False negatives", falseNegatives());
    table.row("Rules expected", Integer.toString(result.texts("expectedRules").size()));
    table.row("Rules executed", Integer.toString(result.texts("executedRules").size()));
    table.row(
        "False alarms",
        "a filter that is right fails with a probability of at most "
            + rate(result, "alphaSpent")
            + "; the limit is "
            + rate(result, "alphaLimit"));
    table.row("Started", run.text("started") + ", took " + seconds(run) + " s");
    table.row("Java", java.text("version") + ", " + java.text("vm"));
    table.row(
        "System",
        String.format(
            Locale.ROOT,
            "%s %s, %s, %d cores, heap of %,d MiB",
            system.text("name"),
            system.text("version"),
            system.text("architecture"),
            run.count("cores"),
            run.count("heapBytes") >> 20));
    table.row("SHA-256 of the result", sha256);
    return table;
  }

  private static String code(JsonObject origin) throws IOException {
    String version = origin.has("version") ? origin.text("version") : "no version";
    return origin.has("jarSha256")
        ? version + ", jar with SHA-256 " + origin.text("jarSha256")
        : version + ", not from a jar";
  }

  private static String listed(List<String> texts) {
    return texts.isEmpty() ? "none" : String.join(", ", texts);
  }

  private String falseNegatives() throws IOException {
    JsonObject found = result.object("falseNegatives");
    String queried = count(found, "keysQueried") + " queries of keys that had been put";
    if (!found.has("missed")) {
      return "see the failures; rules that are kept made " + queried;
    }
    String missed = count(found, "missed") + " in " + queried;
    return found.has("below")
        ? missed + "; their share is below " + rate(found, "below") + " with 99.9999 % confidence"
        : missed;
  }

  private void failures() throws IOException {
    boolean first = true;
    for (JsonObject rule : result.objects("rules")) {
      if (FAILURES.contains(rule.text("status"))) {
        if (first) {
          heading("Failures");
          first = false;
        }
        JsonObject detail = run(rule);
        page.append("### ").append(MarkdownTable.escaped(name(rule))).append("\n\n");
        page.append(rule.text("status")).append(": ");
        page.append(MarkdownTable.escaped(rule.text("statement"))).append("\n\n");
        if (detail.has("detail")) {
          verbatim(detail.text("detail"));
        }
        page.append("To see it again:\n\n");
        verbatim(rule.text("reproduce"));
      }
    }
  }

  private static String name(JsonObject rule) throws IOException {
    return rule.text("id") + " " + rule.text("title");
  }

  private JsonObject run(JsonObject rule) throws IOException {
    JsonObject found = runs.get(rule.text("id"));
    if (found == null) {
      throw new IOException("must have " + rule.text("id") + " at run.rules, but has not");
    }
    return found;
  }

  private void doubts() throws IOException {
    List<String> doubts = run.texts("doubts");
    if (!doubts.isEmpty()) {
      heading("Doubts");
      for (String doubt : doubts) {
        verbatim(doubt);
      }
    }
  }

  private void rules() throws IOException {
    MarkdownTable table =
        new MarkdownTable(
            "Rule", "Title", "Status", "Keys queried", "Bad inputs", "Races", "Seconds");
    int others = 0;
    for (JsonObject rule : result.objects("rules")) {
      if (rule.text("status").equals("NOT_ASKED")) {
        others++;
        continue;
      }
      long keys = 0;
      long inputs = 0;
      long rounds = 0;
      JsonObject holder = holder(rule);
      if (holder.has("evidence")) {
        JsonObject seen = holder.object("evidence");
        keys = seen.count("keysQueried");
        rounds = seen.count("rounds");
        for (JsonObject kind : seen.objects("inputs")) {
          inputs += kind.count("refused") + kind.count("accepted");
        }
      }
      table.row(
          rule.text("id"),
          rule.text("title"),
          rule.text("status"),
          some(keys),
          some(inputs),
          some(rounds),
          run(rule).number("seconds") == 0 ? "" : seconds(run(rule)));
    }
    heading("Rules");
    page.append(table).append('\n');
    if (others > 0) {
      page.append("The run was not for ").append(others).append(" further rules.\n\n");
    }
  }

  /** Returns the object that contains the evidence of a rule. */
  private JsonObject holder(JsonObject rule) throws IOException {
    return rule.has("evidence") ? rule : run(rule);
  }

  private void rates() throws IOException {
    MarkdownTable table =
        new MarkdownTable(
            "Rule",
            "Filters or keys",
            "n",
            "m",
            "k",
            "T",
            "N",
            "X",
            "Measured",
            "From",
            "To",
            "Must be",
            "Tail",
            "Detects",
            "Bound");
    for (JsonObject rule : result.objects("rules")) {
      for (JsonObject cell : rule.objects("rates")) {
        String side = cell.text("side").equals("NOT_BELOW") ? "at least " : "at most ";
        table.row(
            rule.text("id"),
            cell.text("what"),
            count(cell, "keys"),
            count(cell, "bits"),
            count(cell, "probes"),
            count(cell, "filters"),
            count(cell, "trials"),
            count(cell, "hits"),
            rate(cell, "measured"),
            rate(cell, "lowest"),
            rate(cell, "highest"),
            side + rate(cell, "bound"),
            rate(cell, "tail"),
            rate(cell, "detectable"),
            cell.flag("within") ? "kept" : "BROKEN");
      }
    }
    if (!table.isEmpty()) {
      heading("Rates");
      page.append(
          """
          T filters of m bits and k probes were given n keys each, and queried N times for keys that
          were not put: X were found. From and to are the ends of the Clopper-Pearson interval of
          99.9999 %. Tail is the probability of such a count, or one further off, at the bound; a
          rule is broken below 1e-13. Detects: a rate as bad as this, or worse, is seen with a
          probability of at least 1 - 1e-6.

          """);
      page.append(table).append('\n');
    }
  }

  private void coverage() throws IOException {
    MarkdownTable table = new MarkdownTable("Cases", "Tried");
    for (JsonObject counted : run.objects("coverage")) {
      table.row(counted.text("class"), count(counted, "cases"));
    }
    if (!table.isEmpty()) {
      heading("Cases tried");
      long needed = run.count("casesNeeded");
      if (needed > 0) {
        page.append("Each class that is offered needs ").append(needed).append(".\n\n");
      }
      page.append(table).append('\n');
    }
  }

  private void inputs() throws IOException {
    MarkdownTable kinds = new MarkdownTable("Rule", "Kind", "Refused", "Accepted");
    MarkdownTable costs = new MarkdownTable("Rule", "Most allocated, bytes", "Slowest, ms");
    for (JsonObject rule : result.objects("rules")) {
      JsonObject holder = holder(rule);
      if (holder.has("evidence")) {
        for (JsonObject kind : holder.object("evidence").objects("inputs")) {
          kinds.row(
              rule.text("id"), kind.text("kind"), count(kind, "refused"), count(kind, "accepted"));
        }
      }
      JsonObject cost = run(rule);
      if (cost.has("maxAllocatedBytes") || cost.has("slowestNanos")) {
        costs.row(
            rule.text("id"),
            cost.has("maxAllocatedBytes") ? count(cost, "maxAllocatedBytes") : "",
            cost.has("slowestNanos")
                ? String.format(Locale.ROOT, "%.3f", cost.number("slowestNanos") / 1e6)
                : "");
      }
    }
    if (!kinds.isEmpty() || !costs.isEmpty()) {
      heading("Bad inputs");
    }
    if (!kinds.isEmpty()) {
      page.append(kinds).append('\n');
    }
    if (!costs.isEmpty()) {
      page.append(costs).append('\n');
    }
  }

  private void races() throws IOException {
    MarkdownTable table = new MarkdownTable("Rule", "Rounds");
    for (JsonObject rule : result.objects("rules")) {
      JsonObject holder = holder(rule);
      if (holder.has("evidence") && holder.object("evidence").count("rounds") > 0) {
        table.row(rule.text("id"), count(holder.object("evidence"), "rounds"));
      }
    }
    if (!table.isEmpty()) {
      heading("Races");
      page.append(
          String.format(
              Locale.ROOT,
              "Two threads that lose updates on purpose were seen to in %.0f %% of rounds.\n\n",
              100 * run.number("raceSensitivity")));
      page.append(table).append('\n');
    }
  }

  private void notes() throws IOException {
    StringBuilder list = new StringBuilder();
    for (JsonObject rule : result.objects("rules")) {
      JsonObject holder = holder(rule);
      if (holder.has("evidence")) {
        for (String note : holder.object("evidence").texts("notes")) {
          list.append("- ")
              .append(rule.text("id"))
              .append(": ")
              .append(MarkdownTable.escaped(note))
              .append('\n');
        }
      }
    }
    if (!list.isEmpty()) {
      heading("Notes");
      page.append(list).append('\n');
    }
  }

  private static String some(long count) {
    return count == 0 ? "" : String.format(Locale.ROOT, "%,d", count);
  }

  private static String count(JsonObject object, String name) throws IOException {
    return String.format(Locale.ROOT, "%,d", object.count(name));
  }

  /** Returns a rate with four digits. */
  private static String rate(JsonObject object, String name) throws IOException {
    if (!object.has(name)) {
      return "unknown";
    }
    double rate = object.number(name);
    return rate == 0 ? "0" : String.format(Locale.ROOT, "%.4g", rate);
  }

  private static String seconds(JsonObject object) throws IOException {
    return String.format(Locale.ROOT, "%.3f", object.number("seconds"));
  }
}
