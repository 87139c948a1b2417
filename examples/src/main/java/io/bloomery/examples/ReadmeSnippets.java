package io.bloomery.examples;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBank;
import io.bloomery.LiveBloomFilter;
import io.bloomery.MappedBloomFilter;
import io.bloomery.RemovableBloomFilter;
import io.bloomery.StoredBloomFilter;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.FilterUpdate;
import io.bloomery.file.SerializableFilter;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterPlan;
import io.bloomery.filter.FilterStats;
import io.bloomery.hash.KeyForm;
import io.bloomery.hash.KeyHasher;
import io.bloomery.hash.LongKeyHasher;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;

/** The snippets of docs/guide.md and of other pages, one method each. */
public final class ReadmeSnippets {

  /** A key type of the application's own. */
  public record User(String email, String name) {}

  /** A key of two fields. */
  public record Account(String email, long tenant) {}

  private ReadmeSnippets() {}

  /** Filters of keys that are not strings. */
  public static BloomFilter<User> ownKeys() {
    BloomFilter<User> users =
        Bloomery.<User>of(KeyHasher.strings().compose(User::email))
            .expect(10_000)
            .fpp(0.001)
            .create();
    users.put(new User("ada@example.org", "Ada"));
    return users;
  }

  /** Filters of keys of several fields. */
  public static BloomFilter<Account> fields() {
    BloomFilter<Account> accounts =
        Bloomery.of(
                KeyHasher.fields(
                    KeyHasher.strings().compose(Account::email),
                    KeyHasher.longs().compose(Account::tenant)))
            .expect(10_000)
            .create();
    return accounts;
  }

  /** Filters of keys that are written in more than one way. */
  public static BloomFilter<String> forms() {
    BloomFilter<String> emails =
        Bloomery.strings().keyForm(KeyForm.IGNORE_CASE.trimmed()).expect(10_000).create();
    emails.put("Ada@example.org ");
    emails.mightContain("ADA@EXAMPLE.ORG"); // true
    return emails;
  }

  /** Filters of keys that nobody can choose to make them fail. */
  public static BloomFilter<String> secret(Path file) throws IOException {
    byte[] secret = new byte[32];
    new SecureRandom().nextBytes(secret); // keep it where passwords are kept: it is in no file
    BloomFilter<String> names = Bloomery.strings().secret(secret).expect(10_000).create();
    names.save(file);
    BloomFilter<String> again = Bloomery.strings().secret(secret).open(file); // refuses any other
    return again;
  }

  /** Filters built by many threads, and merged. */
  public static BloomFilter<String> threads(List<String> today, List<String> yesterday) {
    BloomFilter<String> words =
        today.parallelStream().collect(Bloomery.strings().expect(100_000).toFilter());
    words.putAll(yesterday.stream().collect(Bloomery.strings().expect(100_000).toFilter()));
    return words;
  }

  /** What a filter knows of itself. */
  public static FilterStats stats(BloomFilter<String> words) {
    FilterStats stats = words.stats();
    stats.fill(); // share of bits that are set
    stats.falsePositiveRate(); // of keys never put, from the bits as they are
    stats.approximateKeys(); // how many different keys were put
    stats.isOverfull(); // more than expected, so that the rate is no longer kept
    stats.excessKeys(); // how many more
    return stats;
  }

  /** Files that are checked and merged without being loaded. */
  public static VerificationResult files(Path monday, Path tuesday, Path week) throws IOException {
    FilterFiles files = FilterFiles.installed();
    VerificationResult found = files.verify(monday); // isSound(), damage()
    files.merge(week, List.of(monday, tuesday));
    return found;
  }

  /** What a framework carries that serializes objects. */
  public static BloomFilter<String> serialization(BloomFilter<String> seen) {
    SerializableFilter sent = SerializableFilter.of(seen.filter()); // a field of your function
    BloomFilter<String> there = BloomFilter.of(sent.filter(), KeyHasher.strings());
    return there;
  }

  /** Sizes before anything is built. */
  public static List<FilterPlan> plans() {
    FilterPlan size = Bloomery.strings().expect(1_000_000).fpp(0.01).plan();
    FilterPlan rate = Bloomery.strings().within(1L << 20).lowestFpp(1_000_000);
    FilterPlan keys = Bloomery.strings().within(1L << 20).maxKeys(0.01);
    size.bitsPerKey(); // 9.59
    rate.falsePositiveRate(1_000_000); // 0.018
    keys.spec().expectedKeys(); // 874454
    return List.of(size, rate, keys);
  }

  /** A rate within a budget, or a clear no. */
  public static FilterPlan budget() {
    FilterPlan plan = Bloomery.strings().expect(1_000_000).fpp(0.001).maxBytes(2_000_000).plan();
    return plan;
  }

  /** Keys that go, and how often they came. */
  public static RemovableBloomFilter<String> removal() {
    RemovableBloomFilter<String> live =
        Bloomery.strings().expect(10_000).fpp(0.001).createRemovable();
    live.put("session-1");
    live.approximateCount("session-1"); // 1
    live.remove("session-1"); // true: it may have been there, and is not any more
    return live;
  }

  /** A filter for nobody knows how many keys. */
  public static BloomFilter<String> growth() {
    BloomFilter<String> urls = Bloomery.strings().expect(10_000).variant("scalable").create();
    return urls;
  }

  /** A set that never changes. */
  public static MappedBloomFilter<String> built(List<String> passwords, Path file)
      throws IOException {
    StoredBloomFilter<String> breached = Bloomery.strings().fpp(0.001).build(passwords);
    breached.save(file);
    MappedBloomFilter<String> mapped = Bloomery.strings().map(file); // or openView, into the heap
    return mapped;
  }

  /** More room than was needed. */
  public static BloomFilter<String> shrunk(List<String> lines) {
    BloomFilter<String> filter = Bloomery.strings().expect(10_000_000).foldable().create();
    filter.putAll(lines); // far fewer came
    BloomFilter<String> small = filter.shrunk(0.01);
    return small;
  }

  /** One key, and several filters. */
  public static List<BitSet> bank(
      BloomFilter<String> monday, BloomFilter<String> tuesday, List<String> keys) {
    FilterBank<String> days = FilterBank.of(List.of(monday, tuesday));
    days.mightContain("session-1"); // {1}: on Tuesday perhaps, and certainly not on Monday
    days.indexOf("session-1"); // 1, the first that might contain it, or -1
    List<BitSet> each = days.mightContainEach(keys); // in batches
    return each;
  }

  /** Many keys at once, and longs without boxes. */
  public static boolean fast(
      BloomFilter<String> seen, List<String> requested, BloomFilter<Long> ids) {
    List<String> known = seen.select(requested); // those of a batch that may be in
    LongKeyHasher hasher = KeyHasher.longs(); // keep it in a constant
    Filter hashes = ids.filter();
    boolean maybe = hashes.mightContain(hasher.hash(4711));
    return maybe && known.size() == requested.size();
  }

  /** A file written by {@code bloomery create}, whose lines are bytes of UTF-8 text. */
  public static boolean fromTheCommandLine(Path file) throws IOException {
    return Bloomery.strings().open(file).mightContain("password");
  }

  /** A file that is queried without being loaded. */
  public static VerificationResult mapped(Path file) throws IOException {
    try (MappedBloomFilter<String> blocked = Bloomery.strings().map(file)) {
      blocked.mightContain("example.org"); // queries it in place
      return blocked.verify(); // what is damaged: reads all of it, opening does not
    }
  }

  /** A filter that lives in its file. */
  public static List<String> live(Path file, List<String> urls) throws IOException {
    List<String> fetched = new ArrayList<>();
    try (LiveBloomFilter<String> seen = Bloomery.strings().expect(1_000_000).openOrCreate(file)) {
      for (String url : urls) {
        if (seen.put(url)) { // of all threads that put it, one gets true
          fetched.add(url);
        }
      }
      seen.force(); // what was put until now survives a loss of power, too
    }
    return fetched;
  }

  /** A file that others change as well. */
  public static void updated(Path file) throws IOException, TimeoutException {
    try (FilterUpdate<BloomFilter<String>> update =
        Bloomery.strings().update(file, Duration.ofMinutes(1))) { // how long to wait for others
      update.filter().put("example.org");
      update.save();
    }
  }

  /** A filter that says who made it, opened by somebody who does not trust it. */
  public static BloomFilter<String> attributes(Path file) throws IOException {
    BloomFilter<String> hosts =
        Bloomery.strings().expect(10_000).attribute("made-by", "crawler-7").create();
    hosts.save(file);
    BloomFilter<String> opened = Bloomery.strings().maxBytes(4L << 30).open(file);
    opened.spec().attributes(); // {made-by=crawler-7}
    return opened;
  }

  /** A filter that is replaced while it is queried. */
  public static AtomicReference<BloomFilter<String>> swapped(Path file) throws IOException {
    AtomicReference<BloomFilter<String>> blocked =
        new AtomicReference<>(Bloomery.strings().open(file));
    blocked.get().mightContain("bad.example"); // by any number of threads
    blocked.set(Bloomery.strings().open(file)); // by a timer, when the file is a new one
    return blocked;
  }
}
