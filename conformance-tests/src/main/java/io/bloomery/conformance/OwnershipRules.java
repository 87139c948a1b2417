package io.bloomery.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/** What a filter depends on besides what it is given: nothing, neither later nor elsewhere. */
final class OwnershipRules extends Topic {

  private static final Object DEFAULTS = new Object();

  OwnershipRules(RuleContext context) {
    super(context);
  }

  void everyJvmDoesTheSame() {
    List<String> here = OtherJvm.digests(subject().provider());
    checkEqual(here, digestsUnderOtherDefaults(), "with other defaults of the JVM");
    Class<?> provider = subject().provider().getClass();
    if (OtherJvm.constructor(provider).isPresent()) {
      checkEqual(here, OtherJvm.digestsElsewhere(provider), "in another JVM");
      evidence().note("compared with another JVM");
    } else {
      evidence()
          .note(
              "not compared with another JVM: "
                  + provider.getName()
                  + " has no constructor to call");
    }
  }

  private List<String> digestsUnderOtherDefaults() {
    // The defaults are the JVM's: of two runs at a time, one would restore what the other has set.
    synchronized (DEFAULTS) {
      Locale locale = Locale.getDefault();
      TimeZone zone = TimeZone.getDefault();
      try {
        Locale.setDefault(Locale.forLanguageTag("tr-TR-u-nu-arab"));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
        return OtherJvm.digests(subject().provider());
      } finally {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
      }
    }
  }

  private static void checkEqual(List<String> here, List<String> there, String where) {
    assertEquals(
        String.join("\n", here), String.join("\n", there), () -> "what a provider does " + where);
  }

  void whatIsHandedOverIsNotKept() throws IOException {
    Filter filter = subject().create(200, 0.01);
    long[] hashes = hashes("r67", 150);
    Filter expected = filter.copy();
    Subject.put(expected, hashes);

    long[] batch = hashes.clone();
    filter.putAll(batch, 0, batch.length);
    Arrays.fill(batch, 0);
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after a batch was overwritten");

    int[] hits = new int[hashes.length];
    assertEquals(hashes.length, filter.select(hashes, 0, hashes.length, hits), "hashes found");
    Arrays.fill(hits, -1);
    assertEquals(
        hashes.length, filter.select(hashes, 0, hashes.length, new int[200]), "found again");

    Payload payload = Payload.of(filter);
    Filter read =
        subject()
            .provider()
            .read(
                filter.spec(),
                filter.layout(),
                payload.reread(),
                ThreadMode.SHARED,
                FilterLimits.HEAP);
    Arrays.fill(payload.words(), -1);
    assertArrayEquals(
        Subject.write(filter), Subject.write(read), "bytes after the input was overwritten");
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after the output was overwritten");
  }
}
