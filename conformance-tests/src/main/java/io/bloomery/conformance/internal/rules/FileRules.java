package io.bloomery.conformance.internal.rules;

import static io.bloomery.conformance.internal.kit.SameBytes.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.bloomery.conformance.internal.cases.Case;
import io.bloomery.conformance.internal.cases.Domain;
import io.bloomery.conformance.internal.cases.Step;
import io.bloomery.conformance.internal.check.RuleContext;
import io.bloomery.conformance.internal.kit.EveryCall;
import io.bloomery.conformance.internal.kit.FailingInput;
import io.bloomery.conformance.internal.kit.FailingOutput;
import io.bloomery.conformance.internal.kit.FilledFilter;
import io.bloomery.conformance.internal.kit.Payload;
import io.bloomery.conformance.internal.kit.Subject;
import io.bloomery.conformance.internal.kit.Transfer;
import io.bloomery.conformance.run.Capability;
import io.bloomery.file.FilterFiles;
import io.bloomery.file.OpenOptions;
import io.bloomery.filter.Filter;
import io.bloomery.filter.FilterFullException;
import io.bloomery.filter.FilterProvider;
import io.bloomery.filter.FilterSpec;
import io.bloomery.filter.FilterStats;
import io.bloomery.filter.MergeableFilter;
import io.bloomery.filter.RemovableFilter;
import io.bloomery.filter.ThreadMode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/** The rules on writing a filter and reading it again. */
public final class FileRules extends RuleGroup {

  // Larger than any buffer involved, and full of bits.
  private static final Case LARGE =
      Case.of(1_000_000, 0.01)
          .withPut(300_000)
          .withMode(ThreadMode.SHARED)
          .withHistory(List.of(Step.BATCH))
          .withBatch(0, 70_000);

  private static final Domain READ =
      Domain.everyFilter()
          .maxPut(30_000)
          .smallDraws(24)
          .edges(new long[] {1, 63, 100, 10_000}, 0.01)
          .edges(List.of(LARGE));

  private static final Domain OTHER_SPEC =
      Domain.everyFilter().maxPut(30_000).edges(new long[] {100}, 0.01);

  private static final Domain SIZED =
      Domain.everyFilter().maxPut(30_000).edges(new long[] {1, 100, 10_000}, 0.01);

  private static final Domain STREAMED =
      Domain.everyFilter().maxPut(30_000).edges(new long[] {100}, 0.01);

  private static final Domain BROKEN_OFF =
      Domain.everyFilter().keys(1, 100_000).maxPut(10_000).edges(new long[] {100}, 0.01);

  private static final Domain TRANSFERRED = Domain.everyFilter().maxPut(200).smallDraws(24);

  /** The number of hashes that are queried, or put, one by one. */
  private static final int SOME = 2_000;

  private static final int OFTEN = 40;

  /** The maximum size of a file that is truncated at each of its bytes. */
  private static final int SMALL_FILE = 1_000;

  public FileRules(RuleContext context) {
    super(context);
  }

  public void aFilterReadIsTheFilterWritten() {
    new ManyTimes(context(), "r32").checkReading();
    forAll(READ, this::checkRoundTrip);
  }

  private void checkRoundTrip(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter written = filled.filter();
    byte[] bytes = Subject.write(written);
    subject().check(written);
    subject().check(filled.empty());
    Filter read = subject().read(bytes, drawn.mode());
    checkSame(written, read, bytes, filled);
    checkSame(written, subject().read(bytes, drawn.otherMode()), bytes, filled);
    goOn(written, read, filled);
    bytes = Subject.write(written);
    subject().check(written);
    assertArrayEquals(bytes, Subject.write(read), "bytes after further puts");
    // The filter that was read is written again.
    assertArrayEquals(
        bytes, Subject.write(subject().read(bytes, drawn.otherMode())), "bytes read once more");
    written.clear();
    read.clear();
    assertArrayEquals(Subject.write(written), Subject.write(read), "bytes after both are cleared");
  }

  private void checkSame(Filter written, Filter read, byte[] bytes, FilledFilter filled) {
    assertArrayEquals(
        bytes, Subject.write(read), () -> "bytes written again, of " + Subject.text(written));
    assertEquals(written.spec(), read.spec());
    assertEquals(written.variant(), read.variant());
    assertEquals(written.layout(), read.layout());
    assertEquals(written.stats(), read.stats());
    long[] hashes = filled.hashes();
    int found = read.select(hashes, 0, hashes.length, new int[hashes.length]);
    assertEquals(
        hashes.length, found, () -> "how many are found after reading " + Subject.text(written));
    for (int i = 0; i < Math.min(hashes.length, tier().some(SOME)); i++) {
      long hash = hashes[i];
      assertTrue(
          read.mightContain(hash),
          () -> "hash " + hash + " is lost in reading " + Subject.text(written));
    }
    for (long hash : filled.others().next(tier().some(SOME))) {
      assertEquals(written.mightContain(hash), read.mightContain(hash), () -> "hash " + hash);
    }
  }

  private void goOn(Filter written, Filter read, FilledFilter filled) {
    // One that is built once would be built anew for each of them.
    for (long hash : filled.others().next(subject().takesPuts() ? tier().some(SOME) / 4 : 0)) {
      assertEquals(put(written, hash), put(read, hash), () -> "put of " + hash + " after reading");
      assertEquals(written.mightContain(hash), read.mightContain(hash), () -> "hash " + hash);
    }
    if (written instanceof RemovableFilter from && read instanceof RemovableFilter alsoFrom) {
      long[] hashes = filled.hashes();
      for (int i = 0; i < Math.min(hashes.length, tier().some(SOME) / 4); i++) {
        long hash = hashes[i];
        assertEquals(
            from.remove(hash), alsoFrom.remove(hash), () -> "remove of " + hash + " after reading");
      }
    }
  }

  private static String put(Filter filter, long hash) {
    try {
      return filter.put(hash) ? "new" : "known";
    } catch (FilterFullException e) {
      return "full";
    }
  }

  // The requested parameters do not determine the layout: versions and options differ.
  public void theLayoutCountsNotTheSpec() {
    // Growing filters grow to keep the requested rate, and a limit may be on the requested keys:
    // the further behaviour of both depends on the spec.
    FilterProvider provider = subject().provider();
    boolean goesOn =
        subject().takesPuts()
            && !Capability.GROWTH.isOfferedBy(provider)
            && !Capability.LIMIT.isOfferedBy(provider);
    forAll(OTHER_SPEC, drawn -> checkOtherSpec(drawn, goesOn));
  }

  private void checkOtherSpec(Case drawn, boolean goesOn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter written = filled.filter();
    for (FilterSpec other : otherSpecs(drawn)) {
      Filter read = subject().readAs(other, written, drawn.otherMode());
      assertEquals(other, read.spec(), "spec that stands in the file");
      assertEquals(written.layout(), read.layout(), "layout that stands in the file");
      assertArrayEquals(
          Payload.of(written).words(), Payload.of(read).words(), "content read under another spec");
      checkAnswers(written, read, filled);
      checkAnswers(written, read.copy(), filled);
      Filter equal = written.copy();
      if (goesOn) {
        goOn(equal, read, filled);
      }
      assertArrayEquals(
          Payload.of(equal).words(), Payload.of(read).words(), "content after further puts");
      Filter again = subject().read(Subject.write(read), drawn.mode()).copy();
      assertEquals(other, again.spec(), "spec in a file of what was read");
      assertEquals(written.layout(), again.layout(), "layout in a file of what was read");
      if (subject().takesPuts()) {
        read.clear();
        equal.clear();
        assertArrayEquals(
            Payload.of(equal).words(), Payload.of(read).words(), "content after both are cleared");
      }
    }
  }

  /** Checks that the content of a filter, under whatever spec, is read in the same way. */
  private void checkAnswers(Filter written, Filter read, FilledFilter filled) {
    long[] hashes = filled.hashes();
    for (int i = 0; i < Math.min(hashes.length, tier().some(SOME)); i++) {
      long hash = hashes[i];
      assertTrue(read.mightContain(hash), () -> hash + " is lost under " + read.spec());
    }
    assertEquals(
        hashes.length,
        read.select(hashes, 0, hashes.length, new int[hashes.length]),
        () -> "hashes found by select under " + read.spec());
    FilterStats expected = written.stats();
    FilterStats stats = read.stats();
    assertEquals(expected.setBits(), stats.setBits(), "bits set under another spec");
    assertEquals(expected.sizeInBits(), stats.sizeInBits(), "bits under another spec");
    assertEquals(expected.approximateKeys(), stats.approximateKeys(), "keys under another spec");
    assertEquals(
        expected.falsePositiveRate(), stats.falsePositiveRate(), "rate under another spec");
  }

  /** Returns specs for which other layouts would be planned. */
  private static List<FilterSpec> otherSpecs(Case drawn) {
    SplittableRandom random = new SplittableRandom(drawn.seed());
    long keys = (long) StrictMath.pow(10, 9 * random.nextDouble());
    double rate = StrictMath.pow(10, -6 * random.nextDouble()) * 0.99;
    return List.of(
        FilterSpec.of(5_000, 0.2, "conformance/another"),
        FilterSpec.of(keys, rate, drawn.hashId()));
  }

  public void theSizeIsKnownBeforeWriting() {
    forAll(SIZED, this::checkSizes);
  }

  private void checkSizes(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    checkSize(filled.empty());
    checkSize(filter);
    checkSize(subject().read(Subject.write(filter), drawn.otherMode()));
    // Growing filters have grown by then, and counting ones need more room.
    long more = Math.min(drawn.keys() * 5, tier().some(SOME) / 4);
    long[] hashes = filled.others().next((int) more);
    boolean isTaken = true;
    for (int times = 0; times < OFTEN && isTaken; times++) {
      isTaken = Subject.put(filter, hashes);
    }
    checkSize(filter);
    checkSize(filter.copy());
    if (filter instanceof RemovableFilter removable) {
      // Some counts no longer need the room that they needed before.
      for (int times = OFTEN / 2; times > 0; times /= 2) {
        removeSome(removable, hashes, times);
        checkSize(filter);
      }
    }
    if (filter instanceof MergeableFilter) {
      MergeableFilter merged = (MergeableFilter) filled.partner(filled.hashes(), 10);
      MergeRules.isMerged(merged, filter);
      checkSize(merged);
    }
    filter.clear();
    checkSize(filter);
  }

  private static void removeSome(RemovableFilter filter, long[] hashes, int times) {
    for (int i = 0; i < hashes.length; i += 2) {
      for (int removed = 0; removed < times; removed++) {
        filter.remove(hashes[i]);
      }
    }
  }

  private static void checkSize(Filter filter) {
    assertEquals(
        filter.payloadSize(),
        Payload.of(filter).size(),
        () -> "size of the payload of " + Subject.text(filter));
    assertEquals(
        FilterFiles.serializedSize(filter),
        Subject.write(filter).length,
        () -> "size of the file of " + Subject.text(filter));
  }

  public void filtersInOneStreamAreReadBackOneByOne() {
    forAll(STREAMED, this::checkStream);
  }

  /** Writes three filters into one stream, two with the same layout and one with another. */
  private void checkStream(Case drawn) throws IOException {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Case smaller = drawn.withKeys(1 + drawn.keys() / 3).withPut(drawn.put() / 3);
    long[] some = filled.others().next(10);
    List<Filter> written =
        List.of(
            filled.filter(),
            new FilledFilter(subject(), smaller).filter(),
            filled.partner(some, 20));
    byte[] trailer = "and more".getBytes(StandardCharsets.US_ASCII);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (Filter filter : written) {
      FilterFiles.write(filter, out);
    }
    out.write(trailer);

    InputStream in = new ByteArrayInputStream(out.toByteArray());
    OpenOptions options = OpenOptions.of(drawn.mode());
    Filter first = subject().bloomery().files().read(in, options);
    Filter second = subject().bloomery().files().read(in, options);
    Filter third = subject().bloomery().files().read(in, options);

    assertArrayEquals(trailer, in.readAllBytes(), "what follows the filters");
    assertArrayEquals(Subject.write(written.get(0)), Subject.write(first), "the first filter");
    assertArrayEquals(Subject.write(written.get(1)), Subject.write(second), "the second filter");
    assertArrayEquals(Subject.write(written.get(2)), Subject.write(third), "the third filter");
    Subject.put(third, filled.others().next(100));
    assertArrayEquals(
        Subject.write(written.get(0)), Subject.write(first), "the first, after puts into another");
    third.clear();
    assertArrayEquals(
        Subject.write(written.get(0)), Subject.write(first), "the first, after another's clear");
  }

  public void errorsOfTheStreamPassThrough() {
    forAll(BROKEN_OFF, this::checkErrors);
    forAll(TRANSFERRED, this::checkTransfers);
  }

  /** Lets each transfer of content fail in each way, at its first word, its last or another. */
  private void checkTransfers(Case drawn) {
    FilledFilter filled = new FilledFilter(subject(), drawn);
    Filter filter = filled.filter();
    long[] words = Payload.of(filter).words();
    SplittableRandom random = new SplittableRandom(drawn.seed());
    for (int failure = 0; failure < Transfer.FAILURES; failure++) {
      for (Transfer transfer : Transfer.values()) {
        int at =
            switch (random.nextInt(4)) {
              case 0 -> 0;
              case 1 -> words.length - 1;
              default -> random.nextInt(words.length);
            };
        transfer.checkFailing(subject().provider(), filter, words, at, failure);
      }
    }
    if (subject().takesPuts()) {
      Filter equal = filter.copy();
      Transfer.WRITE.fail(subject().provider(), filter, words, random.nextInt(words.length));
      long[] some = filled.others().next(3);
      EveryCall.checkEqual(equal, filter, some, drawn.seed(), "after a write that failed");
    }
  }

  private void checkErrors(Case drawn) {
    Filter filter = new FilledFilter(subject(), drawn).filter();
    byte[] bytes = Subject.write(filter);
    SplittableRandom random = new SplittableRandom(drawn.seed());
    if (bytes.length <= tier().some(SMALL_FILE)) {
      for (int at = 0; at < bytes.length; at++) {
        checkBrokenOff(filter, bytes, at, drawn);
      }
    } else {
      for (int at = 1; at < bytes.length; at *= 2) {
        checkBrokenOff(filter, bytes, at, drawn);
      }
      for (int fromEnd : new int[] {1, 4, 8, 12, 64, 512}) {
        checkBrokenOff(filter, bytes, Math.max(0, bytes.length - fromEnd), drawn);
        checkBrokenOff(filter, bytes, random.nextInt(bytes.length), drawn);
      }
    }
    assertArrayEquals(bytes, Subject.write(filter), "bytes after failed writing");
  }

  private void checkBrokenOff(Filter filter, byte[] bytes, int at, Case drawn) {
    IOException expected = new IOException("no more after byte " + at);
    OutputStream out = new FailingOutput(at, expected);
    assertSame(
        expected,
        assertThrows(IOException.class, () -> FilterFiles.write(filter, out)),
        () -> "what the stream threw when written to, after " + at + " bytes");
    InputStream in = new FailingInput(bytes, at, expected);
    OpenOptions options = OpenOptions.of(drawn.mode());
    assertSame(
        expected,
        assertThrows(IOException.class, () -> subject().bloomery().files().read(in, options)),
        () -> "what the stream threw when read from, after " + at + " bytes");
  }
}
