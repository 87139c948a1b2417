package io.bloomery.cli.trial;

import io.bloomery.cli.session.Members;
import java.util.ArrayList;
import java.util.List;

/** The results of all variants in JSON: an array of objects. */
final class DemoJson {

  private DemoJson() {}

  static List<Members> of(Trials trials) {
    List<Members> results = new ArrayList<>();
    trials.results().forEach(result -> results.add(of(result)));
    trials
        .refusals()
        .forEach(
            (variant, refusal) ->
                results.add(new Members().with("variant", variant).with("refusal", refusal)));
    return results;
  }

  private static Members of(TrialResult result) {
    ExactRate rate = result.rateMeasured();
    return new Members()
        .with("variant", result.variant())
        .with("structure", result.description().structure())
        .with("queryCost", result.description().queryCost())
        .with("keys", result.keys())
        .with("expectedKeys", result.expected())
        .with("filters", result.filters())
        .with("falseNegatives", result.falseNegatives())
        .with("targetRate", result.targetRate())
        .with("rateMeasured", rate.value())
        .with("rateLow", rate.low())
        .with("rateHigh", rate.high())
        .with("rateBound", result.rateBound())
        .with("boundFalseAlarm", ExactRate.ALPHA)
        .with("absentQueried", rate.trials())
        .with("falsePositives", rate.hits())
        .with("rateKept", result.rateKept())
        .with("bitsPerKey", result.bitsPerKey())
        .with("nanosPerAdd", result.nanosPerAdd())
        .with("nanosPerQuery", result.nanosPerQuery())
        .with("removed", result.removed())
        .with("reopenedAsSaved", result.reopenedAsSaved());
  }
}
