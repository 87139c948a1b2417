package com.example.visits;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.processor.api.ContextualFixedKeyProcessor;
import org.apache.kafka.streams.processor.api.FixedKeyRecord;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;

/** Of the pages that users visit, those that a user has not visited before: a filter for each. */
public final class FirstVisits {

  static final String FILTERS = "filters";

  private FirstVisits() {}

  /** Returns a topology from visits, whose key is a user and whose value a page. */
  public static Topology topology() {
    StreamsBuilder builder = new StreamsBuilder();
    builder.addStateStore(
        Stores.keyValueStoreBuilder(
            Stores.persistentKeyValueStore(FILTERS), Serdes.String(), Serdes.ByteArray()));
    builder.stream("visits", Consumed.with(Serdes.String(), Serdes.String()))
        .processValues(Unseen::new, FILTERS)
        .to("first-visits", Produced.with(Serdes.String(), Serdes.String()));
    return builder.build();
  }

  /** Keeps no filter between two records, so that what is committed is what the store has. */
  private static final class Unseen extends ContextualFixedKeyProcessor<String, String, String> {

    @Override
    public void process(FixedKeyRecord<String, String> visit) {
      KeyValueStore<String, byte[]> filters = context().getStateStore(FILTERS);
      BloomFilter<String> seen = open(filters.get(visit.key()));
      if (seen.put(visit.value())) {
        filters.put(visit.key(), bytes(seen));
        context().forward(visit);
      }
    }
  }

  private static BloomFilter<String> open(byte[] bytes) {
    if (bytes == null) {
      return Bloomery.strings().expect(1_000).fpp(0.001).create();
    }
    try {
      return Bloomery.strings().read(new ByteArrayInputStream(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static byte[] bytes(BloomFilter<String> filter) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      filter.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }
}
