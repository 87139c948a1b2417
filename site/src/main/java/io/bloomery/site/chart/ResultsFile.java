package io.bloomery.site.chart;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.StreamSupport;

/**
 * The results of a run of the benchmarks, as in its file.
 *
 * @param date the date of the run
 * @param figures one for each operation on filters of a kind and size
 */
record ResultsFile(String date, List<Figures> figures) {

  /**
   * The times of one operation in nanoseconds.
   *
   * @param kind the kind of keys
   * @param keys the number of keys in the filter
   * @param threads the number of threads
   * @param nanos medians, by participant
   */
  record Figures(
      String kind, long keys, String operation, int threads, Map<String, Double> nanos) {}

  static ResultsFile read(Path file) throws IOException {
    JsonNode json = JsonMapper.builder().build().readTree(file.toFile());
    List<Figures> figures = new ArrayList<>();
    for (JsonNode one : json.required("figures")) {
      Map<String, Double> nanos = new LinkedHashMap<>();
      one.required("nanos")
          .properties()
          .forEach(of -> nanos.put(of.getKey(), median(of.getValue())));
      figures.add(
          new Figures(
              one.required("kind").asText(),
              one.required("keys").asLong(),
              one.required("operation").asText(),
              one.required("threads").asInt(),
              nanos));
    }
    return new ResultsFile(json.required("date").asText(), figures);
  }

  private static double median(JsonNode rounds) {
    double[] sorted =
        StreamSupport.stream(rounds.spliterator(), false)
            .flatMapToDouble(round -> DoubleStream.of(round.asDouble()))
            .sorted()
            .toArray();
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * Returns the figures of one operation with long keys in one thread, by ascending number of keys.
   */
  List<Figures> of(String operation) {
    return figures.stream()
        .filter(one -> one.kind().equals("LONG") && one.threads() == 1)
        .filter(one -> one.operation().equals(operation))
        .toList();
  }
}
