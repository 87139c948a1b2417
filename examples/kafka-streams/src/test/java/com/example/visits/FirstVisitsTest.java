package com.example.visits;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.IntStream;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.state.KeyValueStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstVisitsTest {

  @TempDir private Path folder;

  private TopologyTestDriver driver(String state) {
    Properties properties = new Properties();
    properties.putAll(
        Map.of(
            StreamsConfig.APPLICATION_ID_CONFIG, "test",
            StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "none:1",
            StreamsConfig.STATE_DIR_CONFIG, folder.resolve(state).toString()));
    return new TopologyTestDriver(FirstVisits.topology(), properties);
  }

  private static List<String> passed(TopologyTestDriver driver, String user, List<String> pages) {
    TestInputTopic<String, String> visits =
        driver.createInputTopic(
            "visits", Serdes.String().serializer(), Serdes.String().serializer());
    pages.forEach(page -> visits.pipeInput(user, page));
    return driver
        .createOutputTopic("first-visits", new StringDeserializer(), new StringDeserializer())
        .readValuesToList();
  }

  private static List<String> pages(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "page-" + i).toList();
  }

  @Test
  void eachUserSeesAPageForTheFirstTimeOnce() {
    try (TopologyTestDriver driver = driver("one")) {
      List<String> twice = new ArrayList<>(pages(0, 200));
      twice.addAll(pages(0, 200));
      // A page that is taken for one of those before is one in a thousand, and the same each time.
      assertEquals(pages(0, 200), passed(driver, "ada", twice));
      assertEquals(pages(0, 9), passed(driver, "bob", pages(0, 9)), "a filter of his own");
    }
  }

  /** What a new instance gets is what the changelog has, record by record. */
  @Test
  void aRestoredStoreKnowsWhatWasSeen() {
    List<KeyValue<String, byte[]>> changelog;
    try (TopologyTestDriver driver = driver("first")) {
      passed(driver, "ada", pages(0, 200));
      changelog =
          driver
              .createOutputTopic(
                  "test-filters-changelog", new StringDeserializer(), new ByteArrayDeserializer())
              .readKeyValuesToList();
    }
    assertTrue(changelog.stream().allMatch(change -> change.value.length < 2_000));
    try (TopologyTestDriver driver = driver("second")) {
      KeyValueStore<String, byte[]> filters = driver.getKeyValueStore(FirstVisits.FILTERS);
      changelog.forEach(change -> filters.put(change.key, change.value));
      assertEquals(pages(200, 210), passed(driver, "ada", pages(150, 210)));
    }
  }
}
