package io.bloomery.conformance.power;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.BloomFilter;
import io.bloomery.Bloomery;
import io.bloomery.FilterBuilder;
import io.bloomery.LiveBloomFilter;
import io.bloomery.MappedBloomFilter;
import io.bloomery.filter.FilterFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;

/**
 * A live filter that is opened, put into, forced and closed again and again. Its versions are the
 * numbers of its keys.
 *
 * @param expected for how many keys it is made
 * @param from how many keys it has from before, at least
 * @param to how many keys it has from before, at most
 */
record Live(String variant, int expected, int from, int to) implements Workload {

  private static final int SESSIONS = 3;
  private static final int PUTS = 12;
  private static final int OTHER_KEYS = 500;

  private static Path file(Path folder) {
    return folder.resolve("seen.bloom");
  }

  private FilterBuilder<String> builder() {
    return Bloomery.strings().expect(expected).variant(variant);
  }

  @Override
  public void run(Path folder, History history, Random random) throws IOException {
    int put = from;
    history.begun(to);
    for (int i = 0; i < SESSIONS; i++) {
      try (LiveBloomFilter<String> filter = builder().openOrCreate(file(folder))) {
        history.done(put);
        for (int j = random.nextInt(PUTS); j > 0; j--) {
          history.begun(Math.max(to, put + 1));
          filter.put(Replacements.key(put++));
          history.look();
          if (random.nextInt(4) == 0) {
            filter.force();
            history.done(put);
          }
        }
      }
      history.done(put);
    }
  }

  @Override
  public Optional<Workload> from(int least, int most) {
    return Optional.of(new Live(variant, expected, Math.max(0, least), Math.max(0, most)));
  }

  @Override
  public int keys(int version) {
    return version;
  }

  @Override
  public int lost(Path folder, int least, int most) throws IOException {
    Path file = file(folder);
    int lost = 0;
    if (Files.exists(file) || least > NONE) {
      try (MappedBloomFilter<String> mapped = Bloomery.strings().map(file)) {
        lost += Replacements.lost(mapped::mightContain, least);
        checkNoOthers(mapped::mightContain, most);
      }
      lost += lostIfSealed(file, least);
    }
    try (LiveBloomFilter<String> live = builder().openOrCreate(file)) {
      lost += Replacements.lost(live::mightContain, least);
      live.put("one more");
    }
    BloomFilter<String> whole = Bloomery.strings().open(file);
    assertTrue(whole.mightContain("one more"));
    return lost + Replacements.lost(whole::mightContain, least);
  }

  private static int lostIfSealed(Path file, int least) throws IOException {
    try {
      return Replacements.lost(Bloomery.strings().open(file)::mightContain, least);
    } catch (FilterFormatException e) {
      if (e.reason() != FilterFormatException.Reason.OPEN_FOR_WRITING) {
        throw e;
      }
      return 0;
    }
  }

  /** Checks that a filter has no bits but those of some keys. */
  private void checkNoOthers(Predicate<String> filter, int most) {
    BloomFilter<String> all = builder().create();
    for (int i = 0; i < most; i++) {
      all.put(Replacements.key(i));
    }
    for (int i = 0; i < OTHER_KEYS; i++) {
      String other = "other " + i;
      assertTrue(all.mightContain(other) || !filter.test(other), "bits that nobody has set");
    }
  }
}
