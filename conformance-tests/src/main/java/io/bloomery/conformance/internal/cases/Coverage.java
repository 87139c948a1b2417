package io.bloomery.conformance.internal.cases;

import io.bloomery.filter.ThreadMode;
import java.io.Serializable;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** The number of cases that a run has checked in each of several classes. */
public final class Coverage implements Serializable {

  private static final long serialVersionUID = 1;

  private static final long KIB = 1 << 10;
  private static final Map<String, Predicate<Sized>> CLASSES = classes();

  /** The classes of filters that require many calls. */
  public static final Set<String> LARGE =
      Set.of(
          "10,000 to 99,999 keys",
          "100,000 keys and more",
          "64 KiB to 1 MiB",
          "above 1 MiB",
          "history with age by queries",
          "history with age by puts",
          "history with age by changes");

  private final Map<String, Integer> counts = new LinkedHashMap<>();

  /** Creates an empty coverage. */
  public Coverage() {
    CLASSES.keySet().forEach(name -> counts.put(name, 0));
  }

  /** A case and the planned size of its filter. */
  private record Sized(Case drawn, long bytes) {}

  private static Map<String, Predicate<Sized>> classes() {
    Map<String, Predicate<Sized>> classes = new LinkedHashMap<>();
    keys(classes, "1 to 9 keys", 1, 10);
    keys(classes, "10 to 99 keys", 10, 100);
    keys(classes, "100 to 999 keys", 100, 1_000);
    keys(classes, "1,000 to 9,999 keys", 1_000, 10_000);
    keys(classes, "10,000 to 99,999 keys", 10_000, 100_000);
    keys(classes, "100,000 keys and more", 100_000, Long.MAX_VALUE);
    rates(classes, "rate above 0.5", 0.5, 1);
    rates(classes, "rate 0.1 to 0.5", 0.1, 0.5);
    rates(classes, "rate 0.01 to 0.1", 0.01, 0.1);
    rates(classes, "rate 0.001 to 0.01", 1e-3, 0.01);
    rates(classes, "rate 10^-6 to 0.001", 1e-6, 1e-3);
    rates(classes, "rate below 10^-6", 0, 1e-6);
    sizes(classes, "up to 1 KiB", 0, KIB);
    sizes(classes, "1 to 64 KiB", KIB, 64 * KIB);
    sizes(classes, "64 KiB to 1 MiB", 64 * KIB, KIB * KIB);
    sizes(classes, "above 1 MiB", KIB * KIB, Long.MAX_VALUE);
    cases(classes, "less put than expected", drawn -> drawn.put() < drawn.keys());
    cases(classes, "as many put as expected", drawn -> drawn.put() == drawn.keys());
    cases(classes, "more put than expected", drawn -> drawn.put() > drawn.keys());
    cases(classes, "a hash put again and again", drawn -> drawn.times() > 1);
    cases(classes, "uniform hashes", drawn -> drawn.pattern() == Pattern.UNIFORM);
    cases(classes, "hashes with a pattern", drawn -> drawn.pattern() != Pattern.UNIFORM);
    cases(classes, "shared", drawn -> drawn.mode() == ThreadMode.SHARED);
    cases(classes, "confined", drawn -> drawn.mode() == ThreadMode.CONFINED);
    cases(classes, "batches up to 1,024", drawn -> drawn.length() <= 1_024);
    cases(classes, "batches above 1,024", drawn -> drawn.length() > 1_024);
    cases(classes, "batches that begin within an array", drawn -> drawn.from() > 0);
    cases(classes, "no history", drawn -> drawn.history().isEmpty());
    for (Step step : Step.values()) {
      String name = "history with " + step.name().toLowerCase(Locale.ROOT);
      cases(classes, name.replace('_', ' '), drawn -> drawn.history().contains(step));
    }
    cases(classes, "history of more steps", drawn -> drawn.history().size() > 1);
    return classes;
  }

  private static void cases(
      Map<String, Predicate<Sized>> classes, String name, Predicate<Case> holds) {
    classes.put(name, sized -> holds.test(sized.drawn));
  }

  private static void keys(
      Map<String, Predicate<Sized>> classes, String name, long from, long below) {
    cases(classes, name, drawn -> drawn.keys() >= from && drawn.keys() < below);
  }

  private static void rates(
      Map<String, Predicate<Sized>> classes, String name, double from, double below) {
    cases(classes, name, drawn -> drawn.rate() >= from && drawn.rate() < below);
  }

  private static void sizes(
      Map<String, Predicate<Sized>> classes, String name, long from, long below) {
    classes.put(name, sized -> sized.bytes >= from && sized.bytes < below);
  }

  /** Counts a case in each class that it belongs to. */
  public void add(Case drawn, long plannedBytes) {
    Sized sized = new Sized(drawn, plannedBytes);
    CLASSES.forEach(
        (name, holds) -> {
          if (holds.test(sized)) {
            counts.merge(name, 1, Integer::sum);
          }
        });
  }

  /** Adds the counts of another instance. */
  public void add(Coverage other) {
    add(other.counts);
  }

  /** Adds counts from elsewhere. */
  public void add(Map<String, Integer> others) {
    others.forEach((name, count) -> counts.merge(name, count, Integer::sum));
  }

  /** Returns the number of cases in each class. */
  public Map<String, Integer> counts() {
    return new LinkedHashMap<>(counts);
  }

  /**
   * Returns the offered classes with too few cases.
   *
   * @param atLeast the required number of cases
   */
  public List<String> missed(Offer offer, int atLeast) {
    return missed(notOffered(offer), atLeast);
  }

  /**
   * Returns the classes with too few cases.
   *
   * @param notOffered the classes that need not have any
   * @param atLeast the required number of cases
   */
  public List<String> missed(Collection<String> notOffered, int atLeast) {
    TreeSet<String> missed = new TreeSet<>();
    counts.forEach(
        (name, count) -> {
          if (count < atLeast && !notOffered.contains(name)) {
            missed.add(name + " (" + count + " of " + atLeast + ")");
          }
        });
    return List.copyOf(missed);
  }

  /** Returns the classes that no case can belong to, because the provider rejects such specs. */
  public static List<String> notOffered(Offer offer) {
    return CLASSES.keySet().stream().filter(name -> !isOffered(name, offer)).toList();
  }

  // Specs that every provider must offer belong to all other classes.
  private static boolean isOffered(String name, Offer offer) {
    return switch (name) {
      case "rate 10^-6 to 0.001" -> offer.has(1_000, 1e-5);
      case "rate below 10^-6" -> offer.has(1_000, 5e-7);
      default -> true;
    };
  }
}
