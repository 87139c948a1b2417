package io.bloomery.benchmarks.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.bloomery.benchmarks.paired.Figures;
import io.bloomery.benchmarks.paired.KeyKind;
import io.bloomery.benchmarks.paired.Results;
import io.bloomery.benchmarks.paired.Stats;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A {@link Report} as JSON: the components of these records are its fields. */
record ReportFile(
    String date,
    String command,
    Machine machine,
    Map<String, String> libraries,
    List<Times> figures,
    List<Stats> measures) {

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .defaultPrettyPrinter(
              new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")))
          .build();

  /** The {@link Figures} of an operation. */
  record Times(
      KeyKind kind, long keys, String operation, int threads, Map<String, double[]> nanos) {

    static Times of(Figures figures) {
      Map<String, double[]> nanos = new LinkedHashMap<>();
      figures.subjects().forEach(subject -> nanos.put(subject, figures.rounds(subject)));
      return new Times(
          figures.kind(), figures.keys(), figures.operation(), figures.threads(), nanos);
    }

    Figures figures() {
      Figures figures = new Figures(kind, keys, operation, threads);
      nanos.forEach(
          (subject, rounds) -> {
            for (double round : rounds) {
              figures.add(subject, round);
            }
          });
      return figures;
    }
  }

  static String write(Report report) {
    ReportFile file =
        new ReportFile(
            report.date(),
            report.command(),
            report.machine(),
            report.libraries(),
            report.results().figures().stream().map(Times::of).toList(),
            report.results().stats());
    try {
      return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(file) + "\n";
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException("text in memory can always be written", e);
    }
  }

  /** Reads a report; anything unexpected is rejected. */
  static Report read(String text) throws IOException {
    try {
      ReportFile file = JSON.readValue(text, ReportFile.class);
      return new Report(
          file.date,
          file.command,
          file.machine,
          file.libraries,
          new Results(file.figures.stream().map(Times::figures).toList(), file.measures));
    } catch (JsonProcessingException e) {
      throw new IOException(
          "must be a file of results that this version of lab/benchmarks/run has written: "
              + e.getOriginalMessage(),
          e);
    }
  }
}
