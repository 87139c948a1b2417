package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a filter that is there has otherwise than one that is wanted. */
final class Difference {

  private final Name name;
  private final List<String> facts = new ArrayList<>();

  private Difference(Name name) {
    this.name = name;
  }

  /**
   * Checks that there is none.
   *
   * @throws IllegalArgumentException if there is; the message has each
   */
  static void check(Name name, Generation there, FilterHeader wanted, Life life) {
    Difference difference = new Difference(name);
    FilterHeader found = there.header();
    FilterSpec is = found.spec();
    FilterSpec asked = wanted.spec();
    difference.add("variant", found.variant(), wanted.variant());
    difference.add("expected keys", is.expectedKeys(), asked.expectedKeys());
    difference.add("false-positive rate", is.falsePositiveRate(), asked.falsePositiveRate());
    difference.add("hash", is.hashId(), asked.hashId());
    SortedSet<String> attributes = new TreeSet<>(is.attributes().keySet());
    attributes.addAll(asked.attributes().keySet());
    for (String attribute : attributes) {
      difference.add(
          "attribute " + attribute,
          is.attributes().getOrDefault(attribute, "none"),
          asked.attributes().getOrDefault(attribute, "none"));
    }
    if (difference.facts.isEmpty()) { // or sizes follow from them
      difference.add("size in bytes", found.payloadSize(), wanted.payloadSize());
      difference.add("layout", found.layout(), wanted.layout());
    }
    difference.add("life", there.life(), life);
    difference.refuse();
  }

  private void add(String fact, Object is, Object asked) {
    if (!Objects.equals(is, asked)) {
      facts.add(fact + " " + is + ", not " + asked);
    }
  }

  private void refuse() {
    if (!facts.isEmpty()) {
      throw new IllegalArgumentException(
          "filter '"
              + name
              + "' is there already, but is another than planned, as Redis key "
              + name.recordKeyText()
              + " says: "
              + String.join("; ", facts)
              + "; plan it as it is, open it, or rebuild it as planned");
    }
  }
}
