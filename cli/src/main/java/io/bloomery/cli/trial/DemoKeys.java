package io.bloomery.cli.trial;

import com.carrotsearch.hppc.LongHashSet;
import io.bloomery.cli.input.Inputs;
import io.bloomery.cli.key.KeyHash;
import io.bloomery.cli.session.Failure;
import io.bloomery.cli.session.VisibleText;
import java.io.IOException;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Distinct keys, and other keys that are certainly not among them. */
final class DemoKeys {

  /** The number of queries for a meaningful rate: a thousand hits at 1 %. */
  private static final int MEANINGFUL = 100_000;

  private static final String CLASS_SUFFIX = ".class";

  private String description;
  private final List<byte[]> present = new ArrayList<>();
  private final List<byte[]> absent = new ArrayList<>();

  // A key whose hash is not one of these is certainly absent.
  private final LongHashSet hashes = new LongHashSet();

  /** Returns the names of all classes of the running JDK. */
  static DemoKeys ofJdk() throws IOException {
    DemoKeys keys = new DemoKeys();
    for (ModuleReference module : ModuleFinder.ofSystem().findAll()) {
      try (ModuleReader reader = module.open();
          Stream<String> resources = reader.list()) {
        resources
            .filter(name -> name.endsWith(CLASS_SUFFIX))
            .map(name -> name.substring(0, name.length() - CLASS_SUFFIX.length()))
            .map(name -> name.replace('/', '.').getBytes(StandardCharsets.UTF_8))
            .forEach(keys::add);
      }
    }
    // Modules come in a different order in each run, but measurements should be repeatable.
    keys.present.sort(Arrays::compare);
    keys.deriveAbsent("class names of the running JDK");
    return keys;
  }

  /** Returns the distinct lines of {@code inputs}. */
  static DemoKeys of(Inputs inputs, String name) throws Failure, IOException {
    DemoKeys keys = read(inputs);
    if (keys.present.isEmpty()) {
      throw Failure.usage(name + " has no lines; a demo needs at least one key");
    }
    keys.deriveAbsent("lines of " + VisibleText.line(name));
    return keys;
  }

  /**
   * Returns every second one of the distinct lines of {@code inputs} as keys, and the others as
   * absent keys: of the same kind, not made up.
   */
  static DemoKeys halfOf(Inputs inputs) throws Failure, IOException {
    DemoKeys keys = read(inputs);
    int all = keys.present.size();
    if (all < 2) {
      throw Failure.usage(
          "there must be two different lines, one to add and one to query, but was " + all);
    }
    List<byte[]> added = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      (i % 2 == 0 ? added : keys.absent).add(keys.present.get(i));
    }
    keys.present.clear();
    keys.present.addAll(added);
    keys.description =
        String.format(
            Locale.ROOT,
            "%,d of %,d different lines; the others are certainly not among them.",
            added.size(),
            all);
    return keys;
  }

  private static DemoKeys read(Inputs inputs) throws Failure, IOException {
    DemoKeys keys = new DemoKeys();
    inputs.forEachBatch(
        batch -> {
          for (int i = 0; i < batch.size(); i++) {
            keys.add(batch.key(i));
          }
        });
    return keys;
  }

  private void add(byte[] key) {
    if (hashes.add(KeyHash.TEXT.hash(key))) {
      present.add(key);
    }
  }

  private void deriveAbsent(String what) {
    for (byte[] key : present) {
      byte[] name = key;
      do {
        name = Arrays.copyOf(name, name.length + 1);
        name[name.length - 1] = '~';
      } while (hashes.contains(KeyHash.TEXT.hash(name)));
      absent.add(name);
    }
    description =
        String.format(
            Locale.ROOT,
            "%,d %s and as many names that are certainly not among them.",
            present.size(),
            what);
  }

  /** Returns a sentence about the keys that are added and queried. */
  String description() {
    return description;
  }

  /** Returns the keys, which are distinct. */
  List<byte[]> present() {
    return present;
  }

  /** Returns keys that are certainly absent, about as many as there are keys. */
  List<byte[]> absent() {
    return absent;
  }

  /**
   * Returns the number of filters, each with different hashes, that enough queries require. More
   * queries to one filter would measure the luck of that filter, not its rate: with four per key,
   * the distribution of the keys over the blocks of a filter makes the variance of the hits 1.4
   * times that of independent ones; with one per key, 1.1 times.
   */
  int filters() {
    return (MEANINGFUL + absent.size() - 1) / absent.size();
  }
}
