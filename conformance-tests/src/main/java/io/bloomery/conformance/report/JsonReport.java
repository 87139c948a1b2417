package io.bloomery.conformance.report;

import io.bloomery.conformance.ConformanceReport;
import io.bloomery.conformance.ConformanceReport.Outcome;
import io.bloomery.conformance.ConformanceReport.Status;
import io.bloomery.conformance.Rule;
import io.bloomery.conformance.TestedCode;
import io.bloomery.conformance.run.Capability;
import io.bloomery.conformance.run.Evidence;
import io.bloomery.conformance.statistics.FalseAlarmBudget;
import io.bloomery.conformance.statistics.RateCell;
import io.bloomery.conformance.statistics.RateSample;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The encoding of a report as a JSON object.
 *
 * <p>The part {@code result} contains the findings about the provider and has a hash: runs of the
 * same suite with the same provider, tier and seed have equal results, on every machine and at any
 * time. Measurements, and anything that may depend on the timing of threads, are in the part {@code
 * run}.
 */
final class JsonReport {

  /**
   * The version of the schema, incremented when a field is removed or changes its meaning, but not
   * when one is added.
   */
  static final int SCHEMA = 1;

  private static final Set<Status> EXPECTED =
      EnumSet.complementOf(EnumSet.of(Status.NOT_APPLICABLE, Status.NOT_ASKED));
  private static final Set<Status> EXECUTED = EnumSet.of(Status.KEPT, Status.BROKEN);

  private final ConformanceReport report;

  private JsonReport(ConformanceReport report) {
    this.report = report;
  }

  static JsonObject of(ConformanceReport report) {
    JsonReport json = new JsonReport(report);
    JsonObject result = json.result();
    return new JsonObject()
        .with("schema", SCHEMA)
        .with("sha256", JsonBytes.sha256(result))
        .with("result", result)
        .with("run", json.run());
  }

  private JsonObject result() {
    TestedCode suite = TestedCode.ofSuite();
    return new JsonObject()
        .with("provider", provider(report.code()))
        .with(
            "suite",
            new JsonObject()
                .with("version", suite.version())
                .with("jarSha256", sha256(suite.jarSha256())))
        .with("tier", report.tier().toString())
        .with("seed", Long.toString(report.seed()))
        .with("freshSeeds", report.freshSeeds().stream().map(String::valueOf).toList())
        .with("verdict", report.verdict().name())
        .with("alphaSpent", report.alphaSpent())
        .with("alphaLimit", FalseAlarmBudget.LIMIT)
        .with("expectedRules", ids(EXPECTED::contains))
        .with("executedRules", ids(EXECUTED::contains))
        .with("falseNegatives", falseNegatives())
        .with("rules", Arrays.stream(Rule.values()).map(this::result).toList());
  }

  private static JsonObject provider(TestedCode code) {
    return new JsonObject()
        .with("variant", code.variant())
        .with("class", code.className())
        .with("version", code.version())
        .with("jarSha256", sha256(code.jarSha256()))
        .with("capabilities", code.capabilities().stream().map(Enum::name).toList());
  }

  // The message about an unreadable jar contains folder names of the machine.
  private static Optional<String> sha256(Optional<String> jar) {
    return jar.filter(text -> text.matches("[0-9a-f]{64}"));
  }

  private List<String> ids(Predicate<Status> statuses) {
    return Arrays.stream(Rule.values())
        .filter(rule -> statuses.test(report.outcome(rule).status()))
        .map(Rule::name)
        .toList();
  }

  private JsonObject falseNegatives() {
    long queried = 0;
    for (Map.Entry<Rule, Evidence> seen : report.evidence().entrySet()) {
      queried += isKept(seen.getKey()) ? seen.getValue().keysQueried() : 0;
    }
    // A false negative may be the reason why any rule is broken.
    boolean none = report.failures().isEmpty();
    return new JsonObject()
        .with("keysQueried", queried)
        .with("missed", none ? Optional.of(0) : Optional.empty())
        .with("below", none && queried > 0 ? Math.log(1e6) / queried : null)
        .with("confidence", 1 - 1e-6);
  }

  private boolean isKept(Rule rule) {
    return report.outcome(rule).status() == Status.KEPT;
  }

  private JsonObject result(Rule rule) {
    Optional<Evidence> seen = Optional.ofNullable(report.evidence().get(rule));
    Status status = report.outcome(rule).status();
    return new JsonObject()
        .with("id", rule.name())
        .with("title", rule.title())
        .with("statement", rule.statement())
        .with("capability", rule.capability() == Capability.NONE ? null : rule.capability().name())
        .with("status", status.name())
        .with("seed", Long.toString(report.seed()))
        .with("reproduce", status.isFailure() ? reproduce(rule) : null)
        .with("evidence", isKept(rule) ? seen.map(JsonReport::counts) : null)
        .with(
            "rates",
            seen.map(Evidence::rates).orElse(List.of()).stream().map(JsonReport::rate).toList());
  }

  private String reproduce(Rule rule) {
    String variant = report.variant();
    String name =
        variant.matches("[A-Za-z0-9._][A-Za-z0-9._-]*")
            ? variant
            : "'" + variant.replace("'", "'\\''") + "'";
    return String.join(
        " ",
        "bloomery conformance --provider",
        name,
        "--tier",
        report.tier().toString(),
        "--seed",
        Long.toString(report.seed()),
        "--rule",
        rule.name());
  }

  private static JsonObject counts(Evidence seen) {
    List<JsonObject> inputs = new ArrayList<>();
    seen.inputs()
        .forEach(
            (kind, tried) ->
                inputs.add(
                    new JsonObject()
                        .with("kind", kind)
                        .with("refused", tried.refused())
                        .with("accepted", tried.accepted())));
    return new JsonObject()
        .with("keysQueried", seen.keysQueried())
        .with("inputs", inputs)
        .with("rounds", seen.rounds())
        .with("notes", seen.notes());
  }

  private static JsonObject rate(RateCell cell) {
    RateSample sample = cell.sample();
    return new JsonObject()
        .with("what", sample.what())
        .with("keys", sample.keys())
        .with("bits", sample.bits())
        .with("probes", sample.probes())
        .with("filters", sample.filters())
        .with("trials", sample.trials())
        .with("hits", sample.hits())
        .with("measured", sample.rate())
        .with("lowest", sample.lowest())
        .with("highest", sample.highest())
        .with("side", cell.side().name())
        .with("bound", cell.bound())
        .with("tail", cell.tail())
        .with("detectable", cell.detectableRate())
        .with("within", cell.isWithin());
  }

  private JsonObject run() {
    return new JsonObject()
        .with("summary", report.summary())
        .with("started", report.started().toString())
        .with("seconds", seconds(report.duration()))
        .with("processorSeconds", seconds(report.processorTime()))
        .with(
            "java",
            new JsonObject()
                .with("version", System.getProperty("java.runtime.version"))
                .with("vm", System.getProperty("java.vm.name")))
        .with(
            "system",
            new JsonObject()
                .with("name", System.getProperty("os.name"))
                .with("version", System.getProperty("os.version"))
                .with("architecture", System.getProperty("os.arch")))
        .with("cores", Runtime.getRuntime().availableProcessors())
        .with("heapBytes", Runtime.getRuntime().maxMemory())
        .with("raceSensitivity", report.raceSensitivity())
        .with("casesNeeded", report.casesNeeded())
        .with(
            "coverage",
            report.coverage().entrySet().stream()
                .map(
                    counted ->
                        new JsonObject()
                            .with("class", counted.getKey())
                            .with("cases", counted.getValue()))
                .toList())
        .with("doubts", report.doubts())
        .with("rules", Arrays.stream(Rule.values()).map(this::run).toList());
  }

  private JsonObject run(Rule rule) {
    Outcome outcome = report.outcome(rule);
    Optional<Evidence> seen = Optional.ofNullable(report.evidence().get(rule));
    return new JsonObject()
        .with("id", rule.name())
        .with("seconds", seconds(outcome.duration()))
        .with("detail", Optional.of(outcome.detail()).filter(detail -> !detail.isEmpty()))
        .with("cause", Optional.of(outcome.cause()).filter(cause -> !cause.isEmpty()))
        .with("evidence", isKept(rule) ? null : seen.map(JsonReport::counts))
        .with("maxAllocatedBytes", seen.map(Evidence::maxAllocated).filter(bytes -> bytes > 0))
        .with("slowestNanos", seen.map(Evidence::slowestNanos).filter(nanos -> nanos > 0));
  }

  private static double seconds(Duration duration) {
    return duration.toNanos() / 1e9;
  }
}
