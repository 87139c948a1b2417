package io.bloomery.redis;

import io.bloomery.file.FilterHeader;
import io.bloomery.filter.FilterSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;

/** What a filter or window that is there has otherwise than one that is wanted. */
final class Difference {

  private final List<String> facts = new ArrayList<>();

  /**
   * Checks that a filter has none.
   *
   * @throws IllegalArgumentException if it has; the message has each
   */
  static void check(Name name, Generation there, FilterHeader wanted, Life life) {
    Difference difference = new Difference();
    FilterHeader found = there.header();
    difference.add("variant", found.variant(), wanted.variant());
    difference.addSpec(found.spec(), wanted.spec());
    if (difference.facts.isEmpty()) { // or sizes follow from them
      difference.add("size in bytes", found.payloadSize(), wanted.payloadSize());
      difference.add("layout", found.layout(), wanted.layout());
    }
    difference.add("life", there.life(), life);
    difference.refuse(
        "filter '" + name + "'",
        name.recordKeyText(),
        "plan it as it is, open it, or rebuild it as planned");
  }

  /** Adds a fact, if it differs. */
  void add(String fact, Object is, Object asked) {
    if (!Objects.equals(is, asked)) {
      facts.add(fact + " " + is + ", not " + asked);
    }
  }

  /** Adds the facts of a spec that differ. */
  void addSpec(FilterSpec is, FilterSpec asked) {
    add("expected keys", is.expectedKeys(), asked.expectedKeys());
    add("false-positive rate", is.falsePositiveRate(), asked.falsePositiveRate());
    add("hash", is.hashId(), asked.hashId());
    SortedSet<String> attributes = new TreeSet<>(is.attributes().keySet());
    attributes.addAll(asked.attributes().keySet());
    for (String attribute : attributes) {
      add(
          "attribute " + attribute,
          is.attributes().getOrDefault(attribute, "none"),
          asked.attributes().getOrDefault(attribute, "none"));
    }
  }

  /**
   * Refuses what is there if a fact was added.
   *
   * @param next what to do
   * @throws IllegalArgumentException if one was; the message has each
   */
  void refuse(String what, String recordKey, String next) {
    if (!facts.isEmpty()) {
      throw new IllegalArgumentException(
          what
              + " is there already, but is another than planned, as Redis key "
              + recordKey
              + " says: "
              + String.join("; ", facts)
              + "; "
              + next);
    }
  }
}
