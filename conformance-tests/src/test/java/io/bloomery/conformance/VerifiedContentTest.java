package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.Bloomery;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.Mutant;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.MappedFilter;
import io.bloomery.file.OpenOptions;
import io.bloomery.file.VerificationResult;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFormatException;
import io.bloomery.filter.FilterLayout;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.PayloadOutput;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Checks that verify finds nothing wrong with a file exactly if it can be opened, also where all
 * checksums are right.
 */
class VerifiedContentTest {

  private static final int MUTANTS = 150;

  @TempDir private Path folder;

  static List<String> variants() {
    return Bloomery.installed().providers().variants();
  }

  @ParameterizedTest
  @MethodSource("variants")
  void verifySaysOkExactlyToWhatOpens(String variant) throws IOException {
    Bloomery bloomery = Bloomery.installed();
    FilterProvider provider = BuiltOnDemand.of(bloomery.providers().variant(variant));
    SplittableRandom random = new SplittableRandom(variant.hashCode());
    int sound = 0;
    for (int i = 0; i < MUTANTS; i++) {
      Filter filter = provider.create(FilterSpec.of(1 + i % 90, 0.1), ThreadMode.CONFINED);
      // What is built once has room for a key 1, and those expected besides.
      int put = BuiltOnDemand.tested(provider) == provider ? 2 * i : i % 90;
      for (int key = 0; key < put; key++) {
        filter.put(random.nextLong() >>> key % 2 << key % 2);
      }
      for (int times = i % 9; times > 0; times--) {
        filter.put(1);
      }
      Path file = folder.resolve(variant + i);
      FilterFiles.save(new Written(filter, Mutant.of(filter, random)), file);
      VerificationResult result = bloomery.files().verify(file);
      assertEquals(opens(bloomery, file), result.isSound(), () -> file + ": " + result);
      try (MappedFilter mapped = bloomery.files().map(file)) {
        assertEquals(result, mapped.verify());
      } catch (FilterFormatException e) {
        assertTrue(!result.isSound(), e::getMessage);
      }
      sound += result.isSound() ? 1 : 0;
    }
    assertTrue(sound > 0 && sound < MUTANTS, sound + " of " + MUTANTS + " are sound");
  }

  private static boolean opens(Bloomery bloomery, Path file) throws IOException {
    try {
      bloomery.files().openView(file, OpenOptions.confined());
      return true;
    } catch (FilterFormatException e) {
      return false;
    }
  }

  /** A filter that is written as another layout and content. */
  private record Written(Filter filter, Mutant mutant) implements Filter {

    @Override
    public boolean put(long hash) {
      return filter.put(hash);
    }

    @Override
    public boolean mightContain(long hash) {
      return filter.mightContain(hash);
    }

    @Override
    public FilterSpec spec() {
      return filter.spec();
    }

    @Override
    public FilterLimits limits() {
      return filter.limits();
    }

    @Override
    public String variant() {
      return filter.variant();
    }

    @Override
    public FilterLayout layout() {
      return mutant.layout();
    }

    @Override
    public FilterStats stats() {
      return filter.stats();
    }

    @Override
    public Filter copy() {
      return this;
    }

    @Override
    public void clear() {
      filter.clear();
    }

    @Override
    public long payloadSize() {
      return (long) Long.BYTES * mutant.words().length;
    }

    @Override
    public void writePayload(PayloadOutput out) throws IOException {
      out.begin(payloadSize());
      out.writeLongs(mutant.words(), 0, mutant.words().length);
    }
  }
}
