package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.check.ForAll;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.BuiltOnDemand;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.OtherJvm;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterLimits;
import io.bloomery.filter.ThreadMode;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/**
 * The rules on independence: a filter depends on its arguments only, neither on later changes to
 * them nor on global state.
 */
public final class OwnershipRules extends RuleGroup {

  private static final Object DEFAULTS = new Object();

  private static final Domain EVERYWHERE =
      Domain.everyFilter()
          .keys(1, 100_000)
          .maxPut(20_000)
          .draws(8)
          .edges(new long[] {1, 1_000}, 0.5, 0.01)
          .edges(List.of(Case.of(20_000, 1e-3).withMode(ThreadMode.SHARED).withTimes(100)));

  private static final Domain HANDED_OVER =
      Domain.everyFilter()
          .maxPut(10_000)
          .edges(List.of(Case.of(200, 0.01).withPut(0).withBatch(0, 150)));

  public OwnershipRules(RuleContext context) {
    super(context);
  }

  public void everyJvmDoesTheSame() {
    List<Case> cases = ForAll.begunTogether(context(), EVERYWHERE);
    List<String> here = OtherJvm.digests(subject(), cases);
    checkEqual(here, digestsUnderOtherDefaults(cases), "with other defaults of the JVM");
    Class<?> provider = BuiltOnDemand.tested(subject().provider()).getClass();
    if (OtherJvm.constructor(provider).isPresent()) {
      checkEqual(here, OtherJvm.digestsElsewhere(provider, cases), "in another JVM");
      evidence().note("compared with another JVM");
    } else {
      evidence()
          .note(
              "not compared with another JVM: "
                  + provider.getName()
                  + " has no constructor to call");
    }
  }

  private List<String> digestsUnderOtherDefaults(List<Case> cases) {
    // The defaults are global to the JVM: of two concurrent runs, one would restore what the other
    // has set.
    synchronized (DEFAULTS) {
      Locale locale = Locale.getDefault();
      TimeZone zone = TimeZone.getDefault();
      try {
        Locale.setDefault(Locale.forLanguageTag("tr-TR-u-nu-arab"));
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Kathmandu"));
        return OtherJvm.digests(subject(), cases);
      } finally {
        Locale.setDefault(locale);
        TimeZone.setDefault(zone);
      }
    }
  }

  private static void checkEqual(List<String> here, List<String> there, String where) {
    assertEquals(
        here.size(), there.size(), () -> "how many cases are done " + where + ": " + there);
    for (int i = 0; i < here.size(); i++) {
      assertEquals(here.get(i), there.get(i), () -> "what a provider does " + where);
    }
  }

  public void whatIsHandedOverIsNotKept() {
    forAll(HANDED_OVER, this::checkNotKept);
  }

  private void checkNotKept(Case drawn) throws IOException {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    long[] hashes = filled.others().next(drawn.from() + drawn.length());
    int from = drawn.from();
    int to = hashes.length;
    Filter expected = filter.copy();
    Subject.put(expected, Arrays.copyOfRange(hashes, from, to));

    long[] batch = hashes.clone();
    try {
      filter.putAll(batch, from, to);
    } catch (FilterFullException e) {
      // The hashes before the first one without room are added, as in the other filter.
    }
    Arrays.fill(batch, 0);
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after a batch was overwritten");

    int[] hits = new int[to - from];
    long[] asked = hashes.clone();
    int found = filter.select(asked, from, to, hits);
    int[] before = Arrays.copyOf(hits, found);
    Arrays.fill(hits, -1);
    Arrays.fill(asked, 0);
    int[] again = new int[to - from + 50];
    int foundAgain = filter.select(hashes, from, to, again);
    assertArrayEquals(before, Arrays.copyOf(again, foundAgain), "indices found again");

    Payload payload = Payload.of(filter);
    Filter read =
        subject()
            .provider()
            .read(
                filter.spec(), filter.layout(), payload.reread(), drawn.mode(), FilterLimits.HEAP);
    Arrays.fill(payload.words(), -1);
    assertArrayEquals(
        Subject.write(filter), Subject.write(read), "bytes after the input was overwritten");
    assertArrayEquals(
        Subject.write(expected), Subject.write(filter), "bytes after the output was overwritten");
    Subject.put(read, ~hashes[from]);
    assertEquals(-1, payload.words()[0], "the input after a put into what was read from it");
  }
}
