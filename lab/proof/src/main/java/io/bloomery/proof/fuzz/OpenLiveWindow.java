package io.bloomery.proof.fuzz;

import static io.bloomery.proof.fuzz.Trial.require;

import io.bloomery.Bloomery;
import io.bloomery.Filters;
import io.bloomery.file.LiveState;
import io.bloomery.filter.FilterProviders;
import io.bloomery.filter.FilterUnavailableException;
import io.bloomery.window.LiveSlidingBloomFilter;
import io.bloomery.window.SlidingBloomFilter;
import io.bloomery.window.SlidingFilter;
import io.bloomery.window.SlidingFilterFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Opens a live window, puts into it, seals it, and opens it again. */
public final class OpenLiveWindow {

  private static final Path FILE = Trial.folder().resolve("live.window");
  private static final Filters<String> FILTERS = Bloomery.strings().maxBytes(1 << 20);

  private static final int HEAD_END = 32;
  private static final int SLOT_RESERVED = 28;
  private static final int SLOT_CLEARS = 32;
  private static final int SLOT_END = 56;
  private static final int CRC = Integer.BYTES;
  private static final int SLOTS_AT = Seal.CONTROL + Seal.BLOCK;
  private static final int TABLES_AT = 2 * Seal.CONTROL;

  private static final int KEYS = 20;
  private static final int SHORT = 128;
  private static final int CHANGE = 2 + Long.BYTES;

  private static final List<byte[]> MADE = made();

  private OpenLiveWindow() {}

  /** Reads the file of an input as it is, and with correct checksums. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    byte[] file = file(input);
    byte[] sealed = Seal.live(file);
    read(file, isSealed(file, sealed));
    read(sealed, true);
  }

  private static List<byte[]> made() {
    try {
      List<byte[]> made = new ArrayList<>();
      Files.deleteIfExists(FILE);
      try (LiveSlidingBloomFilter<String> window =
          SlidingBloomFilter.builder(Bloomery.strings().expect(KEYS).fpp(0.01))
              .openOrCreate(FILE)) {
        for (int i = 0; i < 2 * KEYS; i++) {
          window.put("key " + i);
        }
        made.add(Files.readAllBytes(FILE));
      }
      made.add(Files.readAllBytes(FILE));
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Returns the file of a {@link Sparse} input or, of a short one, a window that was closed or not,
   * in which eight bytes are changed here and there: most mutants of a whole file have another
   * size, and are refused for that.
   */
  private static byte[] file(byte[] input) {
    if (input.length == 0 || input.length > SHORT) {
      return Sparse.expand(input);
    }
    byte[] file = MADE.get(input[0] & 1).clone();
    for (int i = 1; i + CHANGE <= input.length; i += CHANGE) {
      int block = Byte.toUnsignedInt(input[i]) % (file.length / Seal.BLOCK);
      int at = block * Seal.BLOCK + Byte.toUnsignedInt(input[i + 1]) * Long.BYTES;
      for (int j = 0; j < Long.BYTES; j++) {
        file[at + j] ^= input[i + 2 + j];
      }
    }
    return file;
  }

  private static void read(byte[] bytes, boolean isSealed) throws IOException {
    Files.write(FILE, bytes);
    Optional<SlidingBloomFilter<String>> before = view();
    Optional<LiveState> state =
        Trial.refusable(() -> SlidingFilterFiles.live(FILE)).flatMap(found -> found);
    if (state.isPresent() && before.isPresent()) { // not a saved window
      require(isSealed, "what has another checksum must be refused");
      isClean(bytes);
    }
    boolean isSound =
        Trial.refusable(() -> SlidingFilterFiles.verify(FILE, FilterProviders.installed()))
            .filter(List::isEmpty)
            .isPresent();
    require(isSound || before.isEmpty(), "verify must accept what can be opened");
    Optional<LiveSlidingBloomFilter<String>> opened = Trial.refusable(OpenLiveWindow::open);
    if (opened.isEmpty()) {
      Trial.requireEqual(bytes, Files.readAllBytes(FILE), "a refused file must not be changed");
      require(before.isEmpty() || state.isEmpty(), "a live window that is read must open");
      return;
    }
    require(state.isPresent(), "what opens as a live window must be known as one");
    boolean remembers;
    boolean isKept;
    try (LiveSlidingBloomFilter<String> window = opened.get()) {
      window.stats();
      before.ifPresent(saved -> isSame(saved.filter(), window.filter()));
      boolean was = window.mightContain("key");
      remembers = isPut(window, was) && window.time().isEmpty();
      require(!remembers || window.mightContain("key"), "what was put must be remembered");
      isKept = window.filter().forgottenGenerations() == 0;
    }
    Optional<SlidingBloomFilter<String>> after = view();
    require(after.isPresent() || before.isEmpty(), "what was whole must stay whole");
    require(
        after.isEmpty() || before.isPresent() || state.get().isOpen(), "damage must not be sealed");
    if (before.isPresent() && isKept && before.get().time().isEmpty()) {
      long bits = before.get().stats().setBits();
      require(after.orElseThrow().stats().setBits() >= bits, "no bit that is remembered is lost");
    }
    after.ifPresent(saved -> saved.filter().generations().forEach(OpenWindow::isPossible));
    try (LiveSlidingBloomFilter<String> again = open()) {
      require(!remembers || again.mightContain("key"), "what was sealed must be remembered");
    }
  }

  /** Returns whether all checksums are right but those of slots and states, of which one may be. */
  private static boolean isSealed(byte[] file, byte[] sealed) {
    return file.length < TABLES_AT
        || (Arrays.equals(file, Seal.CONTROL, SLOTS_AT, sealed, Seal.CONTROL, SLOTS_AT)
            && Arrays.equals(file, TABLES_AT, file.length, sealed, TABLES_AT, file.length));
  }

  /** Requires that what {@code docs/FORMAT.md} reserves is zero in a window that is read. */
  private static void isClean(byte[] bytes) {
    for (int i = Seal.CONTROL + HEAD_END; i < SLOTS_AT - CRC; i++) {
      require(bytes[i] == 0, "a reserved byte of the head must be zero");
    }
    for (int slot = SLOTS_AT; slot < TABLES_AT; slot += Seal.BLOCK) {
      byte[] block = Arrays.copyOfRange(bytes, slot, slot + Seal.BLOCK);
      int end = Trial.areEqual(block, Seal.block(block)) ? Seal.BLOCK - CRC : 0;
      for (int i = SLOT_RESERVED; i < end; i++) {
        require(
            block[i] == 0 || (i >= SLOT_CLEARS && i < SLOT_END),
            "a reserved byte of a slot must be zero");
      }
    }
  }

  /** Requires that a window without a clock is the same in its file and read from it. */
  private static void isSame(SlidingFilter saved, SlidingFilter live) {
    if (saved.time().isEmpty()) {
      require(live.generations().equals(saved.generations()), "a live window is the one saved");
      require(live.spec().equals(saved.spec()), "and is for the same keys");
    }
  }

  private static boolean isPut(LiveSlidingBloomFilter<String> window, boolean was) {
    try {
      boolean isNew = window.put("key");
      require(!isNew || !was, "a put must not call new what is remembered");
      return true;
    } catch (FilterUnavailableException e) {
      return false; // what is damaged is not changed
    }
  }

  private static Optional<SlidingBloomFilter<String>> view() throws IOException {
    return Trial.refusable(() -> SlidingBloomFilter.open(FILTERS, FILE));
  }

  private static LiveSlidingBloomFilter<String> open() throws IOException {
    return SlidingBloomFilter.openLive(FILTERS, FILE);
  }
}
